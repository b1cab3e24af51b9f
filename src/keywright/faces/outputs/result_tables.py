"""Extracted keyphrases as tables for spreadsheets and programs: CSV, TSV, XLSX and Parquet."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from keywright.core.data_frames import as_column, as_text, data_frame, is_installed
from keywright.core.extras import needs_extra
from keywright.core.result_rows import Kinds, kinds, result_rows
from keywright.faces.outputs.results import Result, Writer
from keywright.faces.outputs.terminal_text import printable

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of texts that spreadsheets take for formulas (OWASP, CSV injection)."""
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_CELL: Final = 32_767
"""Characters of a cell of XLSX: Excel specifications and limits."""
_MOST_ROWS: Final = 1_048_576
"""Rows of a sheet of XLSX, the header included: Excel specifications and limits."""
_WIDTHS: Final = {
    "id": 32,
    "keyphrase": 32,
    "keyphrases": 80,
    "concept": 40,
    "concepts": 80,
    "label": 32,
    "labels": 80,
    "error": 48,
}
"""Widths of columns in characters; arbitrary."""


def comma_separated(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of CSV below a header."""
    return _separated(writer, results, ",")


def tab_separated(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of a table with tabs below a header."""
    return _separated(writer, results, "\t")


def parquet(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield a Parquet file: keyphrases of a document are a list, kept columns have the type that all values have."""
    library, names = _parquet_library(), _kinds(writer)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for row in _rows(writer, results):
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    typed = {name: as_column(columns[name]) for name in writer.keep}
    whole = columns | {name: values for name, (values, _) in typed.items()}
    yield _parquet_bytes(whole, {**names, **{name: kind for name, (_, kind) in typed.items()}}, library)


def spreadsheet(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield an XLSX file; rows beyond those of one sheet are on further sheets, all texts are texts, not formulas."""
    with needs_extra("tables", "XLSX needs the package openpyxl"):
        from openpyxl import Workbook  # noqa: PLC0415 - optional
        from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - optional
    book = Workbook(write_only=True)
    head, sheet, cut = tuple(_kinds(writer)), None, 0
    for number, row in enumerate(_rows(writer, results)):
        if number % (_MOST_ROWS - 1) == 0:
            sheet = _sheet(book, head)
        cells = []
        for value in map(_cell, row):
            text = _NOT_IN_XML.sub("\ufffd", value) if isinstance(value, str) else value
            if isinstance(text, str) and len(text) > _LONGEST_CELL:
                text, cut = text[:_LONGEST_CELL], cut + 1
            cell = WriteOnlyCell(sheet, text or None if isinstance(text, str) else text)
            if text and isinstance(text, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)  # type: ignore[union-attr]  # made before the first row
    if sheet is None:
        _sheet(book, head)
    if cut:
        writer.warnings.append(f"cells cut, as a cell of XLSX holds {_LONGEST_CELL:,} characters: {cut}")
    content = io.BytesIO()
    book.save(content)
    yield content.getvalue()


def _separated(writer: Writer, results: Iterable[Result], separator: str) -> Iterator[str]:
    yield _line(_kinds(writer), separator, terminal=writer.terminal)
    marked = 0
    for row in _rows(writer, results):
        cells = [_cell(value) for value in row]
        safe = [_not_formula(cell) for cell in cells]
        marked += sum(cell != plain for cell, plain in zip(safe, cells, strict=True))
        yield _line(safe, separator, terminal=writer.terminal)
    if marked:
        writer.warnings.append(f"cells that begin like a formula, and have an apostrophe before them: {marked}")


def _rows(writer: Writer, results: Iterable[Result]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of all results, with the values of kept columns behind."""
    for _, outcome in results:
        values = tuple(_kept(outcome, name) for name in writer.keep)
        for row in result_rows(outcome, wide=writer.wide, concepts=writer.concepts):
            yield row + values


def _kept(outcome: Any, name: str) -> Any:
    """Return the value of a kept column; author keywords are not in the other data."""
    if name == "author_keywords":
        return getattr(outcome, name, None)
    return outcome.meta.get(name)


def _kinds(writer: Writer) -> Kinds:
    return {**kinds(wide=writer.wide, concepts=writer.concepts), **dict.fromkeys(writer.keep, str)}


def _cell(value: Any) -> Any:
    """Return a value as a cell of text or number."""
    if value is None:
        return ""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else as_text(value)


def _not_formula(cell: Any) -> Any:
    """Return a text that begins like a formula with an apostrophe before it; anything else unchanged."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _line(row: Iterable[Any], separator: str, *, terminal: bool) -> str:
    """Return a line of a table with separators; for a terminal without control characters."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerow(row)
    return printable(text.getvalue()) if terminal else text.getvalue()


def _sheet(book: Any, head: Sequence[str]) -> Any:
    """Return a new sheet with a header that stays in sight."""
    sheet = book.create_sheet("keyphrases" if not book.worksheets else f"keyphrases {len(book.worksheets) + 1}")
    sheet.freeze_panes = "A2"
    for place, name in enumerate(head):
        if name in _WIDTHS:
            sheet.column_dimensions["ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place]].width = _WIDTHS[name]
    sheet.append(list(head))
    return sheet


def _parquet_library() -> str:
    """Return the library that writes Parquet, before any work is done."""
    if not is_installed("pyarrow") and is_installed("polars"):
        return "polars"
    with needs_extra("parquet", "Parquet needs the package pyarrow, or polars"):
        import pyarrow.parquet  # noqa: F401, PLC0415 - optional
    return "pyarrow"


def _parquet_bytes(columns: dict[str, list[Any]], names: Kinds, library: str) -> bytes:
    content, frame = io.BytesIO(), data_frame(columns, names, library)
    if library == "polars":
        frame.write_parquet(content)
    else:
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        pq.write_table(frame, content)
    return content.getvalue()
