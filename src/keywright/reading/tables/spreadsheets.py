"""XLSX: the first sheet of a workbook, row by row."""

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BrokenFile, EmptyInput, needs_extra
from keywright.reading.file_names import read_bytes
from keywright.reading.limits import DAMAGED, Limits
from keywright.reading.tables.rows import Row, Rows

_SAVE_AGAIN: Final = "open it in a spreadsheet program and save it again, or save it as CSV"
_MOST_ROWS: Final = 1_048_576  # rows of a sheet: Excel specifications and limits
_ERROR: Final = "e"  # type of a cell with an error such as ``#REF!``, as openpyxl names it


def spreadsheet_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of the first sheet below its header; of formulas the stored values; blank rows are skipped."""
    with needs_extra("tables", "XLSX needs the package openpyxl"):
        import openpyxl  # noqa: PLC0415 - optional
    data = read_bytes(path, name, limits)
    limits.check_archive(data, name, "XLSX")
    try:
        with warnings.catch_warnings():  # about styles and other parts that are not read
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = book.worksheets
        sheet = next((each for each in sheets if each.sheet_state == "visible"), sheets[0])
        sheet.reset_dimensions()  # programs write wrong ones
    except Exception as error:
        reason = "a part has fields that XLSX does not have" if isinstance(error, TypeError) else error
        raise BrokenFile(f"{name} is not a readable XLSX: {reason}", _SAVE_AGAIN) from error
    rows = _cells(sheet, name)
    _, header, problem = next((row for row in rows if row[2] or any(map(_text, row[1]))), (0, [], ""))
    if problem:
        raise BrokenFile(problem, _SAVE_AGAIN)
    if not header:
        raise EmptyInput(f"{name} has no header", "the first row of a table names its columns")
    names = [_text(value) or f"column {place}" for place, value in enumerate(header, start=1)]
    while names and not _text(header[len(names) - 1]):
        names.pop()
    notes = () if len(sheets) == 1 else (f"{name}: of {len(sheets)} sheets the sheet {sheet.title!r} is read",)
    return Rows(name, tuple(names), _rows(rows, tuple(names), name), notes)


def _rows(cells: Iterator[tuple[int, list[Any], str]], columns: tuple[str, ...], name: str) -> Iterator[Row]:
    for number, values, problem in cells:
        if problem:
            yield Row(f"{name}:{number}", {}, problem)
        elif any(value is not None for value in values):
            yield Row(f"{name}:{number}", dict(zip(columns, values, strict=False)))


def _cells(sheet: Any, name: str) -> Iterator[tuple[int, list[Any], str]]:
    """Yield the number of each row, its values, and why the rest cannot be read, in a last row."""
    number = 0
    try:
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if number > _MOST_ROWS:  # a number far above makes millions of empty rows
                yield number, [], f"{name} has a row behind {_MOST_ROWS:,}, the last of a sheet; it was not read"
                return
            values = [None if getattr(cell, "data_type", "") == _ERROR else cell.value for cell in row]
            yield number, values, ""
    except DAMAGED as error:
        yield number + 1, [], f"{name} is damaged from this row on: {error}"


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()
