"""keywright score: a run under protocols."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keywright.faces.cli.options import Json, Output, Quiet, RunFormat
from keywright.faces.cli.printing import opened, printable, rendered, say, table, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keywright.evaluation.report import Report


def score(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or a file or folder of another tool.")],
    *,
    protocol: Annotated[
        list[str], typer.Option("--protocol", "-p", metavar="NAME", help="How to score; may be given several times.")
    ],
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="DATASET", help="Needed where the run does not name its data.")
    ] = None,
    per_document: Annotated[bool, typer.Option("--per-document", help="Show each document's counts, too.")] = False,
    run_format: RunFormat = None,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Scores of a run. Beside every number stands the signature of the protocol."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.evaluation.reporting import as_json, document_rows  # noqa: PLC0415 - help does without

    reports = api.score_all(run, protocol, gold, run_format)
    with opened(output) as file:
        if json:
            records = [as_json(report) for report in reports]
            if per_document:
                for record, report in zip(records, reports, strict=True):
                    record["documents"] = [row._asdict() for row in document_rows(report)]
            file.write(to_json(records[0] if len(records) == 1 else records, indent=1) + "\n")
        else:
            for report in reports:
                file.writelines(_pieces(report, terminal=file is sys.stdout and file.isatty()))
                if per_document:
                    file.write(_documents(report, terminal=file is sys.stdout and file.isatty()))
    for warning in dict.fromkeys(warning for report in reports for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _pieces(report: "Report", *, terminal: bool) -> "Iterator[str]":
    """Identities, then a line for each gold, average and cutoff."""
    from keywright.evaluation.reporting import rows  # noqa: PLC0415 - help does without

    identities = {"protocol": report.protocol, "run": report.run, "gold": ", ".join(report.gold)}
    for name, value in identities.items():
        yield printable(f"{name:9} {value}\n")
    yield f"{'scored':9} {report.scored} documents\n"
    for reason, count in report.skipped.items():
        yield printable(f"{'skipped':9} {count} documents: {reason}\n")
    percent = report.unit == "percent"
    sign = " %" if percent else ""
    measures = [f"{name}{sign}" for name in ("P", "R", "F")]
    made = table("gold", "average", "at", "hits", *measures, numbers=("at", "hits", *measures))
    for row in rows(report):
        values = (_number(value, percent=percent) for value in (row.P, row.R, row.F))
        made.add_row(row.gold, row.average, row.k, str(row.hits), *values)
    yield rendered(made, terminal=terminal)


def _number(value: float | None, *, percent: bool) -> str:
    """A fraction in the unit that the protocol's reference prints; empty where it is not reported."""
    if value is None:
        return ""
    return f"{value * 100:.2f}" if percent else f"{value:.4f}"


def _documents(report: "Report", *, terminal: bool) -> str:
    from keywright.evaluation.reporting import document_rows  # noqa: PLC0415 - help does without

    made = table(
        "gold", "document", "at", "hits", "predicted", "entries", numbers=("at", "hits", "predicted", "entries")
    )
    for row in document_rows(report):
        made.add_row(row.gold, printable(row.id), row.k, str(row.hits), str(row.predicted), str(row.entries))
    return rendered(made, terminal=terminal)
