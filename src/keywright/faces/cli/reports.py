"""Reports and comparisons as tables for the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from keywright.core.signatures import short_signature
from keywright.faces.outputs.screen import Screen
from keywright.faces.outputs.terminal_text import printable, rendered, table

if TYPE_CHECKING:
    from keywright.api import Report, Table


SIGNATURES: Final = "name#digits is a short signature; --json has the full ones"


def report_pieces(report: "Report", screen: Screen) -> Iterator[str]:
    """Yield the inputs, then a table with a line for each gold, average and cutoff."""
    from keywright import api  # noqa: PLC0415 - help does without

    yield labelled(screen, "protocol", short_signature(report.protocol))
    yield labelled(screen, "run", short_signature(report.run))
    yield labelled(screen, "gold", ", ".join(report.gold))
    yield labelled(screen, "scored", f"{report.scored} documents")
    for reason, count in report.skipped.items():
        yield labelled(screen, "skipped", f"{count} documents: {reason}")
    yield drawn(api.report_table(report), screen)
    if report.intervals:
        strata = ", categories sampled separately" if report.stratified else ""
        yield labelled(screen, "interval", f"of 95 % over documents, {report.sig}{strata}")
    if smallest := api.detectable_by(report):
        yield labelled(screen, "power", smallest)
    yield labelled(screen, "note", SIGNATURES)


def labelled(screen: Screen, name: str, text: str) -> str:
    """Return a name and a text beside it, in lines of the screen's width."""
    return screen.characters(screen.wrapped(printable(text), f"{name:9} "))


def document_table(report: "Report", screen: Screen) -> str:
    """Return the counts of each document."""
    from keywright import api  # noqa: PLC0415 - help does without

    numbers = ("cutoff", "hits", "predicted", "entries")
    counts = table("gold", "document", *numbers, numbers=numbers)
    for row in api.document_rows(report):
        counts.add_row(row.gold, printable(row.id), row.k, str(row.hits), str(row.predicted), str(row.entries))
    text = rendered(counts, screen)
    means = table("gold", "document", "measure", "value", numbers=("value",))
    for mean in api.document_means(report):
        means.add_row(mean.gold, printable(mean.id), mean.measure, "" if mean.value is None else f"{mean.value:.4f}")
    return text + rendered(means, screen) if means.rows else text


def drawn(source: "Table", screen: Screen) -> str:
    """Return a table of a paper for a terminal: the best value has a star, letters follow their value."""
    numbers = tuple(name for index, name in enumerate(source.head) if index in source.numbers)
    rows = table(*source.head, numbers=numbers)
    for row in source.rows:
        rows.add_row(
            *(printable(f"{cell.text}{' *' * cell.best}{f' {cell.above}' * bool(cell.above)}") for cell in row)
        )
    return rendered(rows, screen)
