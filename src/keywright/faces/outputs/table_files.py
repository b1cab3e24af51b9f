"""Tables in the formats of files: CSV and TSV, Markdown, LaTeX, HTML."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from keywright.core.errors import BadParameter
from keywright.faces.outputs.output_formats import CSV, HTML, LATEX, TSV, OutputFormat

if TYPE_CHECKING:
    from keywright.api import Table


def table_text(tables: "Sequence[Table]", form: OutputFormat, title: str) -> str:
    """Return tables as the text of a file.

    Raises:
        BadParameter: the format has one table a file, and there are several.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    if form in {CSV, TSV}:
        if len(tables) != 1:
            raise BadParameter(f"{len(tables)} tables with format {form.name}", "use json, markdown, latex or html")
        return separated(tables[0].head, ([cell.text for cell in row] for row in tables[0].rows), form)
    if form is HTML:
        return api.table_page(title, tables)
    written = api.latex if form is LATEX else api.markdown
    return "\n".join(map(written, tables))


def separated(head: Sequence[str], rows: Iterable[Sequence[object]], form: OutputFormat) -> str:
    """Return rows below a header as CSV or TSV."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if form is TSV else ",", lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def with_tabs(text: str) -> str:
    """Return CSV with tabs in place of commas."""
    rows = io.StringIO()
    csv.writer(rows, delimiter="\t", lineterminator="\n").writerows(csv.reader(io.StringIO(text)))
    return rows.getvalue()
