"""keywright score: a run under protocols."""

import enum
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.explanations import explained
from keywright.faces.cli.options import Json, Output, Quiet, RunFormat
from keywright.faces.cli.printing import opened, say, to_json
from keywright.faces.cli.reports import document_table, report_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keywright.evaluation.scoring.report import Report


class ScoreFormat(enum.StrEnum):
    """How scores are written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


def score(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or a file or folder of another tool.")],
    *,
    protocol: Annotated[
        list[str] | None, typer.Option("--protocol", "-p", metavar="NAME", help="How to score; may come several times.")
    ] = None,
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="DATASET", help="Needed where the run does not name its data.")
    ] = None,
    per_document: Annotated[bool, typer.Option("--per-document", help="Show each document's counts, too.")] = False,
    explain_difference: Annotated[
        tuple[str, str] | None,
        typer.Option("--explain-difference", metavar="P Q", help="Which rules make two protocols differ on this run."),
    ] = None,
    no_intervals: Annotated[bool, typer.Option("--no-intervals", help="Values alone, without resampling.")] = False,
    run_format: RunFormat = None,
    form: Annotated[ScoreFormat, typer.Option("--format", "-f", help="How to write them.")] = ScoreFormat.TABLE,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Scores of a run. Beside every number stands the signature of the protocol."""
    from keywright import api  # noqa: PLC0415 - help does without

    wanted = ScoreFormat.JSON if json else form
    _check(protocol, explain_difference, wanted, per_document=per_document)
    if explain_difference:
        found = api.explain_difference(run, *explain_difference, gold, run_format)
        with opened(output, [run, gold]) as file:
            file.write(explained(found, json=wanted is ScoreFormat.JSON, terminal=_terminal(file)))
    if not protocol:
        return
    if wanted in {ScoreFormat.TABLE, ScoreFormat.JSON}:
        reports = api.score_all(run, protocol, gold, run_format, intervals=not no_intervals)
        with opened(output, [run, gold]) as file:
            _write(reports, file, json=wanted is ScoreFormat.JSON, per_document=per_document)
    else:
        text, reports = api.publish(run, protocol, wanted.value, gold, run_format, intervals=not no_intervals)
        with opened(output, [run, gold]) as file:
            file.write(text)
    for warning in dict.fromkeys(warning for report in reports for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _check(
    protocol: list[str] | None, explain: tuple[str, str] | None, form: ScoreFormat, *, per_document: bool
) -> None:
    """Refuse options that do not go together."""
    plain = form in {ScoreFormat.TABLE, ScoreFormat.JSON}
    if bool(protocol) == bool(explain):
        what = "both a protocol and a difference to explain" if protocol else "no protocol"
        raise BadParameter(f"{what} named", "expected --protocol NAME, or --explain-difference P Q")
    if not plain and (explain or per_document):
        option = "--explain-difference" if explain else "--per-document"
        raise BadParameter(f"{option} with --format {form}", "it goes with table and json")


def _write(reports: "Sequence[Report]", file: IO[str], *, json: bool, per_document: bool) -> None:
    """Reports as tables or as one JSON value."""
    from keywright.evaluation.publishing.rows import (  # noqa: PLC0415 - help does without
        as_json,
        document_means,
        document_rows,
    )

    if json:
        records = [as_json(report) for report in reports]
        if per_document:
            for record, report in zip(records, reports, strict=True):
                record["documents"] = [row._asdict() for row in document_rows(report)]
                record["document_means"] = [one._asdict() for one in document_means(report)]
        file.write(to_json(records[0] if len(records) == 1 else records, indent=1) + "\n")
        return
    for report in reports:
        file.writelines(report_pieces(report, terminal=_terminal(file)))
        if per_document:
            file.write(document_table(report, terminal=_terminal(file)))


def _terminal(file: IO[str]) -> bool:
    """Whether a terminal shows what is written."""
    return file is sys.stdout and file.isatty()
