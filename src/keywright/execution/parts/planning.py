"""Inputs to parts of about equal numbers of documents."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.errors import BadParameter, KeywrightError, UnreadableInput
from keywright.core.predictions import Failure
from keywright.execution.parts.pieces import FileState, LineRange, Part, Piece, Refused, RowRange, WholeFile, WholeTable
from keywright.reading.file_names import exists, why_missing
from keywright.reading.formats import PACKED, Format
from keywright.reading.record_lines import streamed_lines
from keywright.reading.sources import DEFAULT_LIMITS, Unread, files_named
from keywright.reading.tables.columns import TableColumns, resolved
from keywright.reading.tables.files import PARQUET, RECORDS, open_table, table_format
from keywright.reading.tables.named_files import NamedTables, needs_columns, refused
from keywright.reading.tables.parquet import count_rows

_BLOCK: Final = 1 << 22
"""Bytes of a file in which line ends are counted at once; arbitrary."""
_LINE_FEED: Final = 10
"""Code of the character that ends a line: ASCII."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Files and folders that are read in parts.

    Attributes:
        names: as they were named; ids of documents in folders are relative to these.
        form: format of all files; None recognises each.
        tables: columns that are read of tables; None refuses tables, and takes JSON Lines as documents.
        size: number of documents of a part. A file that can only be read from its beginning is a part by itself.
    """

    names: tuple[str, ...]
    form: Format | None
    tables: NamedTables | None
    size: int

    def check(self) -> None:
        """Check the inputs before anything is read or written.

        Raises:
            BadParameter: the size is not a number of documents, there are no inputs, or standard input is among them.
            UnreadableInput: there is no such file or folder.
        """
        if self.size < 1:
            raise BadParameter(f"parts of {self.size} documents", "expected a number from 1")
        if not self.names:
            raise BadParameter("no inputs", "name files or folders")
        for name in self.names:
            if name == "-":
                hint = "write it to a file of JSON Lines, and name that"
                raise BadParameter("standard input cannot be read in parts", hint)
            if not exists(name):
                raise UnreadableInput(*why_missing(name))
        if self.tables is not None:
            self.tables.check(self.names)

    def parts(self) -> Iterator[Part]:
        """Yield the parts in order, while the inputs are looked through; no more than one is in memory."""
        number, weight, pieces = 0, 0, list[Piece]()
        for piece in self._pieces():
            if pieces and weight + piece.weight > self.size:
                yield Part(number, tuple(pieces))
                number, weight, pieces = number + 1, 0, []
            pieces.append(piece)
            weight += piece.weight
        if pieces:
            yield Part(number, tuple(pieces))

    def _pieces(self) -> Iterator[Piece]:
        for name in self.names:
            for file in files_named(Path(name), self.form):
                if isinstance(file, Failure):
                    yield Refused(file)
                    continue
                try:
                    yield from self._of_file(file)
                except KeywrightError as error:
                    yield Refused(Failure.from_error(file.name, error))

    def _of_file(self, file: Unread) -> Iterator[Piece]:
        """Yield the pieces of one file.

        Raises:
            KeywrightError: it cannot be read at all.
        """
        state = FileState.of(file.path, file.name)
        if self.tables is not None and self.tables.reads(file.name):
            yield from self._of_table(file.path, state, self.tables)
        elif self.form is None and needs_columns(file.name):
            yield Refused(refused(file.path, file.name, DEFAULT_LIMITS))
        elif file.is_jsonl and not is_packed(file.path):
            check_records(file.path, file.name)
            yield from self._of_lines(file.path, state, None)
        else:
            yield WholeFile(file, state, self.size if file.is_jsonl else 1)

    def _of_table(self, path: Path, state: FileState, tables: NamedTables) -> Iterator[Piece]:
        columns = columns_of(path, state.name, tables.columns, tables.tell)
        form = table_format(state.name)
        if form is PARQUET:
            rows = count_rows(path, state.name)
            for first in range(0, rows, self.size):
                yield RowRange(path, state, first, min(self.size, rows - first), columns)
        elif form is RECORDS and not is_packed(path):
            yield from self._of_lines(path, state, columns)
        else:
            yield WholeTable(path, state, columns, self.size)

    def _of_lines(self, path: Path, state: FileState, columns: TableColumns | None) -> Iterator[Piece]:
        for start, end, first, count in line_ranges(path, self.size):
            yield LineRange(path, state, start, end, first, count, columns)


def columns_of(path: Path, name: str, wanted: TableColumns, tell: Callable[[str], None]) -> TableColumns:
    """Return the columns of a file that are meant.

    Raises:
        UnknownName, BadParameter: as for ``resolved``.
        UnreadableInput: the file cannot be read.
    """
    table = open_table(path, name, DEFAULT_LIMITS)
    columns, notes = resolved(wanted, table)
    for note in (*table.notes, *notes):
        tell(note)
    return columns


def is_packed(path: Path) -> bool:
    """Return whether a file begins like a packed one, of which no line can be read without those before it."""
    with path.open("rb") as file:
        return file.read(max(map(len, PACKED))).startswith(PACKED)


def check_records(path: Path, name: str) -> None:
    """Check that a file begins like JSON Lines.

    Raises:
        EmptyInput, UnsupportedFormat: it is empty, or something else.
    """
    with path.open("rb") as stream:
        next(streamed_lines(stream, name, DEFAULT_LIMITS))


def line_ranges(path: Path, size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield first byte, end, number of the first line, and number of lines, of each ``size`` lines of a file."""
    start, first, lines, read = 0, 1, 0, 0
    cut_off = False
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            # All line ends of a block at once: a gigabyte takes about a second.
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == _LINE_FEED) + 1
            for place in range(size - lines - 1, len(ends), size):
                end = read + int(ends[place])
                yield start, end, first, size
                start, first = end, first + size
            lines = (lines + len(ends)) % size
            read += len(block)
            cut_off = not block.endswith(b"\n")
    if read > start:
        yield start, read, first, lines + cut_off


def in_shard(parts: Iterable[Part], number: int, of: int) -> Iterator[Part]:
    """Yield the parts of one of several machines; ``number`` from 1."""
    return (part for part in parts if part.number % of == number - 1)
