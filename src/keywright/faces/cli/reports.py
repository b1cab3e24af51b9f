"""Reports and comparisons as tables for the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keywright.faces.cli.printing import printable, rendered, table

if TYPE_CHECKING:
    from keywright.evaluation.scoring.report import Report
    from keywright.presentation.table import Table


def report_pieces(report: "Report", *, terminal: bool) -> Iterator[str]:
    """Identities, then a line for each gold, average and cutoff."""
    from keywright.evaluation.publishing.tables import report_table  # noqa: PLC0415 - help does without
    from keywright.evaluation.statistics.minimum_detectable_effect import detectable_by  # noqa: PLC0415 - help does without

    identities = {"protocol": report.protocol, "run": report.run, "gold": ", ".join(report.gold)}
    for name, value in identities.items():
        yield printable(f"{name:9} {value}\n")
    yield f"{'scored':9} {report.scored} documents\n"
    for reason, count in report.skipped.items():
        yield printable(f"{'skipped':9} {count} documents: {reason}\n")
    yield drawn(report_table(report), terminal=terminal)
    if report.intervals:
        strata = ", each category apart" if report.stratified else ""
        yield f"{'interval':9} of 95 % over documents, {report.sig}{strata}\n"
    if smallest := detectable_by(report):
        yield printable(f"{'power':9} {smallest}\n")


def document_table(report: "Report", *, terminal: bool) -> str:
    """What each document contributed."""
    from keywright.evaluation.publishing.rows import document_means, document_rows  # noqa: PLC0415 - help does without

    numbers = ("at", "hits", "predicted", "entries")
    made = table("gold", "document", *numbers, numbers=numbers)
    for row in document_rows(report):
        made.add_row(row.gold, printable(row.id), row.k, str(row.hits), str(row.predicted), str(row.entries))
    text = rendered(made, terminal=terminal)
    means = table("gold", "document", "measure", "value", numbers=("value",))
    for one in document_means(report):
        means.add_row(one.gold, printable(one.id), one.measure, "" if one.value is None else f"{one.value:.4f}")
    return text + rendered(means, terminal=terminal) if means.rows else text


def drawn(given: "Table", *, terminal: bool) -> str:
    """A table that also goes into papers, for a terminal: a star marks the best, letters stand behind a value."""
    numbers = tuple(name for place, name in enumerate(given.head) if place in given.numbers)
    made = table(*given.head, numbers=numbers)
    for row in given.rows:
        made.add_row(
            *(printable(f"{cell.text}{' *' * cell.best}{f' {cell.above}' * bool(cell.above)}") for cell in row)
        )
    return rendered(made, terminal=terminal)
