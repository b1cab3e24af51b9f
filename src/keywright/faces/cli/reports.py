"""Reports and comparisons as tables for the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keywright.faces.cli.printing import printable, rendered, table

if TYPE_CHECKING:
    from keywright.api import Report, Table


def report_pieces(report: "Report", *, terminal: bool) -> Iterator[str]:
    """Yield the inputs, then a table with a line for each gold, average and cutoff."""
    from keywright import api  # noqa: PLC0415 - help does without

    inputs = {"protocol": report.protocol, "run": report.run, "gold": ", ".join(report.gold)}
    for name, value in inputs.items():
        yield printable(f"{name:9} {value}\n")
    yield f"{'scored':9} {report.scored} documents\n"
    for reason, count in report.skipped.items():
        yield printable(f"{'skipped':9} {count} documents: {reason}\n")
    yield drawn(api.report_table(report), terminal=terminal)
    if report.intervals:
        strata = ", categories sampled separately" if report.stratified else ""
        yield f"{'interval':9} of 95 % over documents, {report.sig}{strata}\n"
    if smallest := api.detectable_by(report):
        yield printable(f"{'power':9} {smallest}\n")


def document_table(report: "Report", *, terminal: bool) -> str:
    """Return the counts of each document."""
    from keywright import api  # noqa: PLC0415 - help does without

    numbers = ("cutoff", "hits", "predicted", "entries")
    counts = table("gold", "document", *numbers, numbers=numbers)
    for row in api.document_rows(report):
        counts.add_row(row.gold, printable(row.id), row.k, str(row.hits), str(row.predicted), str(row.entries))
    text = rendered(counts, terminal=terminal)
    means = table("gold", "document", "measure", "value", numbers=("value",))
    for mean in api.document_means(report):
        means.add_row(mean.gold, printable(mean.id), mean.measure, "" if mean.value is None else f"{mean.value:.4f}")
    return text + rendered(means, terminal=terminal) if means.rows else text


def drawn(source: "Table", *, terminal: bool) -> str:
    """Return a table of a paper for a terminal: the best value has a star, letters follow their value."""
    numbers = tuple(name for index, name in enumerate(source.head) if index in source.numbers)
    rows = table(*source.head, numbers=numbers)
    for row in source.rows:
        rows.add_row(
            *(printable(f"{cell.text}{' *' * cell.best}{f' {cell.above}' * bool(cell.above)}") for cell in row)
        )
    return rendered(rows, terminal=terminal)
