"""keywright compare: several runs under one protocol."""

import enum
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from keywright.faces.cli.options import Json, Output, Quiet, RunFormat
from keywright.faces.cli.printing import opened, printable, rendered, say, table, to_json
from keywright.faces.cli.reports import drawn

if TYPE_CHECKING:
    from keywright.evaluation.statistics.comparison import Comparison


class ComparisonFormat(enum.StrEnum):
    """How a comparison is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


class TestName(enum.StrEnum):
    """How is tested."""

    RANDOMISATION = "randomisation"
    BOOTSTRAP = "bootstrap"
    T = "t"
    WILCOXON = "wilcoxon"


def compare(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Runs, or files or folders of other tools.")],
    *,
    protocol: Annotated[str, typer.Option("--protocol", "-p", metavar="NAME", help="How to score.")],
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="DATASET", help="Needed where the runs do not name their data.")
    ] = None,
    test: Annotated[
        TestName, typer.Option("--test", help="Whether a difference may be chance; t, wilcoxon: of mean- values only.")
    ] = TestName.RANDOMISATION,
    resamples: Annotated[int, typer.Option("--resamples", metavar="N", help="Samples of test and intervals.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the samples.")] = 12_345,
    per_document: Annotated[bool, typer.Option("--per-document", help="Show each document's scores, too.")] = False,
    run_format: RunFormat = None,
    form: Annotated[ComparisonFormat, typer.Option("--format", "-f", help="How to write it.")] = ComparisonFormat.TABLE,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Differences of runs, with intervals and paired tests; p is corrected for the number of pairs (Holm)."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.errors import BadParameter  # noqa: PLC0415 - help does without

    wanted = ComparisonFormat.JSON if json else form
    if per_document and wanted not in {ComparisonFormat.TABLE, ComparisonFormat.JSON}:
        raise BadParameter(f"--per-document with --format {wanted}", "it goes with table and json")
    found = api.compare(runs, protocol, gold, run_format, test=test.value, resamples=resamples, seed=seed)
    with opened(output, [*runs, gold]) as file:
        _write(found, file, wanted, per_document=per_document)
    for warning in dict.fromkeys(warning for report in found.reports.values() for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _write(found: "Comparison", file: IO[str], form: ComparisonFormat, *, per_document: bool) -> None:
    """The comparison in the format that is asked for."""
    from keywright.evaluation.statistics.comparison import document_rows  # noqa: PLC0415 - help does without

    if form is ComparisonFormat.TABLE:
        file.write(_tables(found, terminal=_terminal(file)))
        if per_document:
            file.write(_documents(found, terminal=_terminal(file)))
    elif form is ComparisonFormat.JSON:
        from keywright.evaluation.publishing.rows import comparison_as_json  # noqa: PLC0415 - help does without

        record = comparison_as_json(found)
        if per_document:
            record["per_document"] = [
                {**row._asdict(), "scores": dict(zip(found.reports, row.scores, strict=True))}
                for row in document_rows(found)
            ]
        file.write(to_json(record, indent=1) + "\n")
    else:
        from keywright.evaluation.publishing.writing import (  # noqa: PLC0415 - help does without
            Publication,
            publish_comparison,
        )

        file.write(publish_comparison(found, Publication(form.value)))


def _tables(found: "Comparison", *, terminal: bool) -> str:
    """What was compared, the runs side by side, pair after pair, and what the collection can show."""
    from keywright.evaluation.publishing.tables import comparison_table, difference_table  # noqa: PLC0415 - the same
    from keywright.evaluation.statistics.minimum_detectable_effect import detected_by  # noqa: PLC0415 - help does without

    heads = [f"{'protocol':9} {found.protocol}", f"{'gold':9} {', '.join(found.gold)}"]
    heads += [f"{'run':9} {name}: {report.run}" for name, report in found.reports.items()]
    strata = ", each category apart" if found.stratified else ""
    heads.append(f"{'test':9} {found.test}, intervals {found.intervals_by}{strata}")
    text = "".join(printable(line) + "\n" for line in heads)
    for one in (comparison_table(found), difference_table(found)):
        text += "\n" + drawn(one, terminal=terminal) + printable(one.caption) + "\n"
    smallest = detected_by(found)
    return text + (printable(f"{'power':9} {smallest}\n") if smallest else "")


def _documents(found: "Comparison", *, terminal: bool) -> str:
    """Scores of each document, run beside run."""
    from keywright.evaluation.statistics.comparison import document_rows  # noqa: PLC0415 - help does without

    names = tuple(map(printable, found.reports))
    made = table("gold", "document", "measure", *names, numbers=names)
    for row in document_rows(found):
        scores = ("" if score is None else f"{score:.4f}" for score in row.scores)
        made.add_row(row.gold, printable(row.id), row.measure, *scores)
    return "\n" + rendered(made, terminal=terminal)


def _terminal(file: IO[str]) -> bool:
    """Whether a terminal shows what is written."""
    return file is sys.stdout and file.isatty()
