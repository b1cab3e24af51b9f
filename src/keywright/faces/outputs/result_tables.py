"""Extracted keyphrases as tables: CSV, TSV, XLSX and Parquet for programs, Markdown and LaTeX for texts."""

import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from keywright import api
from keywright.core.errors import needs_extra
from keywright.core.predictions import Failure, has_concepts, name_columns
from keywright.core.views import Kinds, format_row, format_value, is_formula, make_data_frame, unify_column
from keywright.faces.outputs.results import Result, Writer, format_heading
from keywright.faces.outputs.screen import escape_controls

_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_CELL: Final = 32_767  # Characters of a cell of XLSX: Excel specifications and limits
_MOST_ROWS: Final = 1_048_576  # Rows of a sheet of XLSX, the header included: Excel specifications and limits
_WIDTHS: Final = {
    **dict.fromkeys(("id", "keyphrase", "label"), 32), **dict.fromkeys(("keyphrases", "concepts", "labels"), 80),
    "concept": 40, "error": 48,
}  # fmt: skip
"""Widths of columns in characters; arbitrary."""


def write_csv(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of CSV below a header."""
    separator, mark = writer.dialect
    return (mark * (not number) + line for number, line in enumerate(_write_separated(writer, results, separator)))


def write_tsv(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of a table with tabs below a header."""
    return _write_separated(writer, results, "\t")


def write_parquet(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield a Parquet file: keyphrases of a document are a list, kept columns have the type that all values have."""
    with needs_extra("parquet", "Parquet needs the package pyarrow"):
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional
    names = _name_columns(writer)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for row in _list_rows(writer, results):
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    typed = {name: unify_column(columns[name]) for name in writer.keep}
    columns |= {name: values for name, (values, _) in typed.items()}
    content = io.BytesIO()
    types = {**names, **{name: kind for name, (_, kind) in typed.items()}}
    pq.write_table(make_data_frame(columns, types, "pyarrow"), content)
    yield content.getvalue()


def write_xlsx(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield an XLSX file; rows beyond those of one sheet are on further sheets, all texts are texts, not formulas."""
    with needs_extra("tables", "XLSX needs the package openpyxl"):
        from openpyxl import Workbook  # noqa: PLC0415 - optional
        from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - optional
    book, cut = Workbook(write_only=True), 0

    def append_row(sheet: Any, row: Iterable[Any]) -> None:
        """Add a row whose texts are texts, whatever they begin with."""
        nonlocal cut
        cells = []
        for value in map(_make_cell, row):
            text = _NOT_IN_XML.sub("\ufffd", value) if isinstance(value, str) else value
            if isinstance(text, str) and len(text) > _LONGEST_CELL:
                text, cut = text[:_LONGEST_CELL], cut + 1
            cell = WriteOnlyCell(sheet, text or None if isinstance(text, str) else text)
            if text and isinstance(text, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)

    head, sheet = tuple(_name_columns(writer)), None
    for number, row in enumerate(_list_rows(writer, results)):
        if number % (_MOST_ROWS - 1) == 0:
            append_row(sheet := _add_sheet(book, head), head)
        append_row(sheet, row)
    if sheet is None:
        append_row(_add_sheet(book, head), head)
    if cut:
        writer.warnings.append(f"cells cut, as a cell of XLSX holds {_LONGEST_CELL:,} characters: {cut}")
    content = io.BytesIO()
    book.save(content)
    yield content.getvalue()


def _write_separated(writer: Writer, results: Iterable[Result], separator: str) -> Iterator[str]:
    marked = 0
    for row in itertools.chain([_name_columns(writer)], _list_rows(writer, results)):
        cells = [_make_cell(value) for value in row]
        marked += sum(map(is_formula, cells))
        line = format_row(cells, separator)
        yield escape_controls(line) if writer.screen.terminal else line
    if marked:
        writer.warnings.append(f"cells that begin like a formula, and have an apostrophe before them: {marked}")


def _list_rows(writer: Writer, results: Iterable[Result]) -> Iterator[tuple[Any, ...]]:
    for _, outcome in results:
        # Author keywords are not in the other data.
        other = {**outcome.meta, "author_keywords": getattr(outcome, "author_keywords", None)}
        values = tuple(other.get(name) for name in writer.keep)
        for row in outcome.rows(wide=writer.wide, concepts=writer.concepts):
            yield row + values


def _name_columns(writer: Writer) -> Kinds:
    return {**name_columns(wide=writer.wide, concepts=writer.concepts), **dict.fromkeys(writer.keep, str)}


def _make_cell(value: Any) -> Any:
    if value is None:
        return ""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else format_value(value)


def _add_sheet(book: Any, head: Sequence[str]) -> Any:
    sheet = book.create_sheet("keyphrases" if not book.worksheets else f"keyphrases {len(book.worksheets) + 1}")
    sheet.freeze_panes = "A2"
    for place, name in enumerate(head):
        if name in _WIDTHS:
            sheet.column_dimensions["ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place]].width = _WIDTHS[name]
    return sheet


def write_markdown(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table in Markdown for each document."""
    yield from (api.markdown(table) + "\n" for table in _make_tables(results))
    yield from (f"{sentence}\n" for sentence in writer.assumptions)


def write_latex(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table in LaTeX for each document; needs the package booktabs."""
    return (api.latex(table) + "\n" for table in _make_tables(results))


def _make_tables(results: Iterable[Result]) -> "Iterator[api.Table]":
    for _, outcome in results:
        if isinstance(outcome, Failure):
            continue
        rows, concepts = [], has_concepts((outcome,))
        for rank, keyphrase in enumerate(outcome.keyphrases, start=1):
            probability = "" if keyphrase.probability is None else f"{keyphrase.probability:.2f}"
            texts = str(rank), keyphrase.text, f"{keyphrase.score:.4g}", probability, str(len(keyphrase.spans))
            concept = keyphrase.concept
            named = (concept.label, concept.uri) if concept else ("", "")
            rows.append(tuple(map(api.Cell, texts + named * concepts)))
        head = ("rank", "keyphrase", "score", "probability", "mentions", *("label", "concept") * concepts)
        numbers = frozenset(map(head.index, ("rank", "score", "probability", "mentions")))
        yield api.Table(format_heading(outcome), head, tuple(rows), numbers)
