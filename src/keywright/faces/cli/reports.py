"""Reports and comparisons as tables: for the terminal, and in the formats of files."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.outputs.output_formats import CSV, HTML, LATEX, TSV, OutputFormat
from keywright.faces.outputs.screen import Screen, escape_controls, make_table, render_table

if TYPE_CHECKING:
    from keywright.api import Report, Table


def format_tables(tables: "Sequence[Table]", form: OutputFormat, title: str) -> str:
    """Return tables as the text of a file.

    Raises:
        BadParameter: the format has one table a file, and there are several.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    if form in {CSV, TSV}:
        if len(tables) != 1:
            raise BadParameter(f"{len(tables)} tables with format {form.name}", "use json, markdown, latex or html")
        return format_rows(tables[0].head, ([cell.text for cell in row] for row in tables[0].rows), form)
    if form is HTML:
        return api.table_page(title, tables)
    written = api.latex if form is LATEX else api.markdown
    return "\n".join(map(written, tables))


def format_rows(head: Sequence[str], rows: Iterable[Sequence[object]], form: OutputFormat) -> str:
    """Return rows below a header as CSV or TSV."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if form is TSV else ",", lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def replace_commas(text: str) -> str:
    """Return CSV with tabs in place of commas."""
    rows = io.StringIO()
    csv.writer(rows, delimiter="\t", lineterminator="\n").writerows(csv.reader(io.StringIO(text)))
    return rows.getvalue()


SIGNATURES: Final = "name#digits is a short signature; --json has the full ones"


def format_report(report: "Report", screen: Screen) -> Iterator[str]:
    """Yield the inputs, then a table with a line for each gold, average and cutoff."""
    from keywright import api  # noqa: PLC0415 - help does without

    yield format_labelled(screen, "protocol", short_signature(report.protocol))
    yield format_labelled(screen, "run", short_signature(report.run))
    yield format_labelled(screen, "gold", ", ".join(report.gold))
    yield format_labelled(screen, "scored", f"{report.scored} documents")
    for reason, count in report.skipped.items():
        yield format_labelled(screen, "skipped", f"{count} documents: {reason}")
    yield draw_table(api.report_table(report), screen)
    if report.intervals:
        strata = ", categories sampled separately" if report.stratified else ""
        yield format_labelled(screen, "interval", f"of 95 % over documents, {report.sig}{strata}")
    if smallest := report.detectable_note:
        yield format_labelled(screen, "power", smallest)
    yield format_labelled(screen, "note", SIGNATURES)


def format_labelled(screen: Screen, name: str, text: str) -> str:
    """Return a name and a text beside it, in lines of the screen's width."""
    return screen.characters(screen.wrap(escape_controls(text), f"{name:9} "))


def draw_documents(report: "Report", screen: Screen) -> str:
    """Return the counts of each document."""
    from keywright import api  # noqa: PLC0415 - help does without

    numbers = ("cutoff", "hits", "predicted", "entries")
    counts = make_table("gold", "document", *numbers, numbers=numbers)
    for row in api.document_rows(report):
        counts.add_row(row.gold, escape_controls(row.id), row.k, str(row.hits), str(row.predicted), str(row.entries))
    text = render_table(counts, screen)
    means = make_table("gold", "document", "measure", "value", numbers=("value",))
    for mean in api.document_means(report):
        means.add_row(
            mean.gold, escape_controls(mean.id), mean.measure, "" if mean.value is None else f"{mean.value:.4f}"
        )
    return text + render_table(means, screen) if means.rows else text


def draw_table(source: "Table", screen: Screen) -> str:
    """Return a table of a paper for a terminal: the best value has a star, letters follow their value."""
    numbers = tuple(name for index, name in enumerate(source.head) if index in source.numbers)
    rows = make_table(*source.head, numbers=numbers)
    for row in source.rows:
        rows.add_row(
            *(escape_controls(f"{cell.text}{' *' * cell.best}{f' {cell.above}' * bool(cell.above)}") for cell in row)
        )
    return render_table(rows, screen)
