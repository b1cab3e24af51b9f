"""keywright score: a run under protocols."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import print_json, print_table, printable, say, table

if TYPE_CHECKING:
    from keywright.evaluation.report import Report


def score(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run, or an answer file of SemEval-2010.")],
    *,
    protocol: Annotated[
        list[str], typer.Option("--protocol", "-p", metavar="NAME", help="May be given several times.")
    ],
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="DATASET", help="Needed where the run does not name its data.")
    ] = None,
    per_document: Annotated[bool, typer.Option("--per-document", help="Show each document's counts, too.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Scores of a run; beside every number stands the signature of the protocol."""
    from keywright import api  # noqa: PLC0415 - help does without

    reports = api.score_all(run, protocol, gold)
    if json:
        records = [api.report_record(report, per_document=per_document) for report in reports]
        print_json(records[0] if len(records) == 1 else records)
    else:
        for report in reports:
            _print(report, per_document=per_document)
    for warning in dict.fromkeys(warning for report in reports for warning in report.warnings):
        say(f"note: {warning}", quiet=quiet)


def _print(report: "Report", *, per_document: bool) -> None:
    """Identities, then a table with a row for each gold and cutoff, percent as people read them."""
    for name, value in (("protocol", report.protocol), ("run", report.run), ("gold", ", ".join(report.gold))):
        typer.echo(printable(f"{name:9} {value}"))
    typer.echo(f"{'scored':9} {report.scored} documents")
    for reason, count in report.skipped.items():
        typer.echo(printable(f"{'skipped':9} {count}: {reason}"))
    print_table(_values(report))
    if per_document:
        for kind, counts in report.counts.items():
            hits = [f"hits@{cutoff}" for cutoff in counts.cutoffs]
            made = table("document", "gold", "predicted", *hits, numbers=("gold", "predicted", *hits), title=kind)
            for place, name in enumerate(counts.ids):
                numbers = (counts.gold[place], counts.predicted[place], *counts.hits[place])
                made.add_row(printable(name), *map(str, numbers))
            print_table(made)
