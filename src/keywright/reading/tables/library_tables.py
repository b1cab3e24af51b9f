"""Tables that libraries read: XLSX, the first sheet with text, row by row; Parquet, in batches."""

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, dropwhile, islice
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BrokenFile, EmptyInput, needs_extra
from keywright.reading.file_names import read_bytes
from keywright.reading.limits import DAMAGED, Limits
from keywright.reading.tables.rows import FIRST_ROWS, Row, Rows, find_columns, is_missing, is_usual_name

_SAVE_AGAIN: Final = "open it in a spreadsheet program and save it again, or save it as CSV"
_MOST_ROWS: Final = 1_048_576  # rows of a sheet: Excel specifications and limits
_ESCAPED: Final = re.compile(r"_x([\dA-Fa-f]{4})_")  # characters that XML does not have, or that look like one
_ERROR: Final = "e"  # type of a cell with an error such as ``#REF!``, as openpyxl names it


def spreadsheet_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of the first sheet with text, or of one behind a cover; formulas have their stored values."""
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
    visible = [sheet for sheet in sheets if sheet.sheet_state == "visible"] or sheets
    opened = ((sheet.title, rows := _cells(sheet, name), list(islice(rows, FIRST_ROWS))) for sheet in visible)
    filled = (entry for entry in opened if entry[2])
    title, rows, first = next(filled, ("", iter(()), []))
    if not first:
        raise EmptyInput(f"{name} has no header", "the first row of a table names its columns")
    notes: tuple[str, ...] = ()
    if _is_cover(first) and (table := next((entry for entry in filled if not _is_cover(entry[2])), None)):
        notes = (f"{name}: left out: {len(first)} row{'s' * (len(first) > 1)} of text in the sheet {title!r}",)
        title, rows, first = table
    if first[0][2]:
        raise BrokenFile(first[0][2], _SAVE_AGAIN)
    skip, names, more = find_columns([list(dropwhile(is_missing, values[::-1]))[::-1] for _, values, _ in first], name)
    if len(sheets) > 1:
        notes = (f"{name}: of {len(sheets)} sheets the sheet {title!r} is read", *notes)
    return Rows(name, names, _rows(chain(first[skip:], rows), names, name), (*notes, *more))


def _is_cover(rows: Sequence[tuple[int, list[Any], str]]) -> bool:
    """Return whether the first rows of a sheet are few lines of text and not a column."""
    cells = [[cell for cell in values if not is_missing(cell)] for _, values, _ in rows]
    return len(rows) < FIRST_ROWS and max(map(len, cells)) == 1 and not is_usual_name(str(cells[0][0]))


def _rows(cells: Iterator[tuple[int, list[Any], str]], columns: tuple[str, ...], name: str) -> Iterator[Row]:
    for number, values, problem in cells:
        yield Row(f"{name}:{number}", dict(zip(columns, values, strict=False)), problem)


def _cells(sheet: Any, name: str) -> Iterator[tuple[int, list[Any], str]]:
    """Yield the number of each row that is not blank, its values, and why the rest cannot be read, in a last row."""
    number = 0
    try:
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if number > _MOST_ROWS:  # a number far above makes millions of empty rows
                yield number, [], f"{name} has a row behind {_MOST_ROWS:,}, the last of a sheet; it was not read"
                return
            values = list(map(_read_cell, row))
            if any(value is not None for value in values):
                yield number, values, ""
    except DAMAGED as error:
        yield number + 1, [], f"{name} is damaged from this row on: {error}"


def _read_cell(cell: Any) -> Any:
    value = None if getattr(cell, "data_type", "") == _ERROR else cell.value
    if not isinstance(value, str):
        return value
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value) if value.strip() else None


_BATCH: Final = 1_000  # rows in memory at once; arbitrary
_BUFFER: Final = 1 << 20  # bytes of a column that are read at once, in place of a whole group; arbitrary
_HARMLESS: Final = 1_000_000  # bytes unpacked that are accepted at any ratio; arbitrary


def parquet_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a Parquet file."""
    file = _open_file(path, name, limits)
    rows = (row for batch in file.iter_batches(batch_size=_BATCH) for row in batch.to_pylist())
    return Rows(name, tuple(file.schema_arrow.names), _read_records(rows, name))


def count_rows(path: Path, name: str, limits: Limits) -> int:
    """Return the number of rows, from the end of the file."""
    return int(_open_file(path, name, limits).metadata.num_rows)


def rows_between(path: Path, name: str, first: int, count: int, limits: Limits) -> Iterator[Row]:
    """Yield some rows, ``first`` from 0; only the row groups that hold them are read."""
    return _read_records(_between(_open_file(path, name, limits), first, count), name, first)


def _between(file: Any, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield the records of some rows; a group is read in batches, so that it need not fit in memory."""
    start, last = 0, first + count
    for place in range(file.num_row_groups):
        rows = file.metadata.row_group(place).num_rows
        if start + rows > first and start < last:
            at = start
            for batch in file.iter_batches(batch_size=_BATCH, row_groups=[place]):
                begin, end = max(first - at, 0), min(last - at, len(batch))
                if begin < end:
                    yield from batch.slice(begin, end - begin).to_pylist()
                at += len(batch)
                if at >= last:
                    return
        start += rows


def _open_file(path: Path, name: str, limits: Limits) -> Any:
    """Return a file of pyarrow, whose groups are read piece by piece, as batches ask for them."""
    with needs_extra("parquet", "Parquet needs the package pyarrow"):
        import pyarrow as pa  # noqa: PLC0415 - optional
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional
    try:
        file = pq.ParquetFile(path, buffer_size=_BUFFER)
        groups = (file.metadata.row_group(place).total_byte_size for place in range(file.num_row_groups))
        # Batches are small, so that only one group is unpacked at a time.
        largest = max(groups, default=0)
    except (pa.ArrowException, OSError, ValueError) as error:
        message = f"{name} is not a readable Parquet file: {str(error).splitlines()[0]}"
        raise BrokenFile(message, "write it again") from error
    limits.check_unpacked(path.stat().st_size, largest, name, _HARMLESS)
    return file


def _read_records(records: Iterable[dict[str, Any]], name: str, first: int = 0) -> Iterator[Row]:
    number = first
    try:
        for record in records:
            number += 1
            yield Row(f"{name}:{number}", record)
    except (OSError, ValueError) as error:  # pyarrow's errors are among them
        yield Row(f"{name}:{number + 1}", {}, f"{name} is damaged from this row on: {error}")
