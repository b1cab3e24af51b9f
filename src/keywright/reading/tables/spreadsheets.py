"""XLSX: the first sheet of a workbook, row by row."""

import io
import re
import warnings
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BrokenFile, EmptyInput, needs_extra
from keywright.reading.file_names import read_bytes
from keywright.reading.limits import DAMAGED, Limits
from keywright.reading.tables.rows import FIRST_ROWS, Row, Rows, find_columns

_SAVE_AGAIN: Final = "open it in a spreadsheet program and save it again, or save it as CSV"
_MOST_ROWS: Final = 1_048_576  # rows of a sheet: Excel specifications and limits
_ESCAPED: Final = re.compile(r"_x([\dA-Fa-f]{4})_")  # characters that XML does not have, or that look like one
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
        for sheet in sheets:
            sheet.reset_dimensions()  # programs write wrong ones
    except Exception as error:
        reason = "a part has fields that XLSX does not have" if isinstance(error, TypeError) else error
        raise BrokenFile(f"{name} is not a readable XLSX: {reason}", _SAVE_AGAIN) from error
    for sheet in [sheet for sheet in sheets if sheet.sheet_state == "visible"] or sheets:  # the first with text
        rows = _cells(sheet, name)
        first = list(islice((row for row in rows if row[2] or row[1]), FIRST_ROWS))
        if first:
            break
    else:
        raise EmptyInput(f"{name} has no header", "the first row of a table names its columns")
    if first[0][2]:
        raise BrokenFile(first[0][2], _SAVE_AGAIN)
    passed, names, notes = find_columns([values for _, values, _ in first], name)
    if len(sheets) > 1:
        notes = (f"{name}: of {len(sheets)} sheets the sheet {sheet.title!r} is read", *notes)
    return Rows(name, names, _rows(chain(first[passed:], rows), names, name), notes)


def _rows(cells: Iterator[tuple[int, list[Any], str]], columns: tuple[str, ...], name: str) -> Iterator[Row]:
    for number, values, problem in cells:
        if problem:
            yield Row(f"{name}:{number}", {}, problem)
        elif values:
            yield Row(f"{name}:{number}", dict(zip(columns, values, strict=False)))


def _cells(sheet: Any, name: str) -> Iterator[tuple[int, list[Any], str]]:
    """Yield the number of each row, its values, and why the rest cannot be read, in a last row."""
    number = 0
    try:
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if number > _MOST_ROWS:  # a number far above makes millions of empty rows
                yield number, [], f"{name} has a row behind {_MOST_ROWS:,}, the last of a sheet; it was not read"
                return
            values = list(map(_read_cell, row))
            width = max((place for place, value in enumerate(values, start=1) if value is not None), default=0)
            yield number, values[:width], ""
    except DAMAGED as error:
        yield number + 1, [], f"{name} is damaged from this row on: {error}"


def _read_cell(cell: Any) -> Any:
    value = None if getattr(cell, "data_type", "") == _ERROR else cell.value
    if not isinstance(value, str):
        return value
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value) if value.strip() else None
