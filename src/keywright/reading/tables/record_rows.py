"""JSON Lines as a table: the keys of the first records are its columns."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final

from keywright.core.errors import KeywrightError
from keywright.reading.formats import Limits
from keywright.reading.record_lines import JsonLine, streamed_lines
from keywright.reading.tables.rows import Row, Rows

_HEAD: Final = 100
"""Records whose keys are the columns; arbitrary. A key that occurs later only is not a column."""


def record_file_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a file of JSON Lines, packed or not, which is read while they are taken.

    Raises:
        EmptyInput: there is no record.
        UnsupportedFormat, BrokenFile: it is not JSON Lines, or damaged.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(path.open("rb"))
        table = record_rows(stream, name, limits)
        closing = stack.pop_all()
    return Rows(name, table.columns, _closing(table.rows, closing))


def record_rows(stream: IO[bytes], name: str, limits: Limits) -> Rows:
    """Return the rows of an open file of JSON Lines; a broken line is a row with a problem."""
    rows = map(row_of_line, streamed_lines(stream, name, limits))
    first = list(islice(rows, _HEAD))
    columns = dict.fromkeys(key for row in first for key in row.cells)
    return Rows(name, tuple(columns), chain(first, rows))


def row_of_line(line: JsonLine) -> Row:
    """Return the row of a line; a broken line is a row with a problem."""
    place = f"{line.file}:{line.number}"
    try:
        return Row(place, line.record())
    except KeywrightError as error:
        return Row(place, {}, error.message.removeprefix(f"line {line.number} of {line.file} is "))


def _closing(rows: Iterator[Row], stack: ExitStack) -> Iterator[Row]:
    with stack:
        yield from rows
