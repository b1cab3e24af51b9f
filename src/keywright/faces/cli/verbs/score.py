"""keywright score: a run under protocols."""

from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.explanations import explained
from keywright.faces.cli.options import Gold, Json, Output, Quiet, ReportFormat, RunFormat
from keywright.faces.cli.printing import on_terminal, opened, say, to_json
from keywright.faces.cli.reports import document_table, report_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keywright.api import Report


def score(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or a file or folder of another tool.")],
    *,
    protocol: Annotated[
        list[str] | None,
        typer.Option("--protocol", "-p", metavar="NAME", help="Protocol to score under; may be given several times."),
    ] = None,
    gold: Gold = None,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="Also show the counts of each document.")
    ] = False,
    explain_difference: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--explain-difference",
            metavar="P Q",
            help="Show which rules make the scores under protocols P and Q differ, in place of --protocol.",
        ),
    ] = None,
    no_intervals: Annotated[bool, typer.Option("--no-intervals", help="Leave out bootstrap intervals.")] = False,
    run_format: RunFormat = None,
    form: Annotated[ReportFormat, typer.Option("--format", "-f", help="Output format.")] = ReportFormat.TABLE,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score a run; each table of scores shows the signature of its protocol."""
    from keywright import api  # noqa: PLC0415 - help does without

    output_format = ReportFormat.JSON if json else form
    _check(protocol, explain_difference, output_format, per_document=per_document)
    if explain_difference:
        explanation = api.explain_difference(run, *explain_difference, gold, run_format)
        with opened(output, [run, gold]) as file:
            file.write(explained(explanation, json=output_format is ReportFormat.JSON, terminal=on_terminal(file)))
    if not protocol:
        return
    if output_format in {ReportFormat.TABLE, ReportFormat.JSON}:
        reports = api.score_all(run, protocol, gold, run_format, intervals=not no_intervals)
        with opened(output, [run, gold]) as file:
            _write(reports, file, json=output_format is ReportFormat.JSON, per_document=per_document)
    else:
        text, reports = api.publish(run, protocol, output_format.value, gold, run_format, intervals=not no_intervals)
        with opened(output, [run, gold]) as file:
            file.write(text)
    for warning in dict.fromkeys(warning for report in reports for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _check(
    protocol: list[str] | None, explain: tuple[str, str] | None, form: ReportFormat, *, per_document: bool
) -> None:
    """Check that options go together."""
    if bool(protocol) == bool(explain):
        problem = "--protocol together with --explain-difference" if protocol else "no protocol named"
        raise BadParameter(problem, "expected --protocol NAME, or --explain-difference P Q")
    if form not in {ReportFormat.TABLE, ReportFormat.JSON} and (explain or per_document):
        option = "--explain-difference" if explain else "--per-document"
        raise BadParameter(f"{option} with --format {form}", "use it with table or json")


def _write(reports: "Sequence[Report]", file: IO[str], *, json: bool, per_document: bool) -> None:
    """Write reports as tables or as one JSON value."""
    from keywright import api  # noqa: PLC0415 - help does without

    if json:
        records = [api.as_json(report) for report in reports]
        if per_document:
            for record, report in zip(records, reports, strict=True):
                record["documents"] = [row._asdict() for row in api.document_rows(report)]
                record["document_means"] = [mean._asdict() for mean in api.document_means(report)]
        file.write(to_json(records[0] if len(records) == 1 else records, indent=1) + "\n")
        return
    for report in reports:
        file.writelines(report_pieces(report, terminal=on_terminal(file)))
        if per_document:
            file.write(document_table(report, terminal=on_terminal(file)))
