"""Inputs in parts of about equal numbers of documents; pieces of them are small enough to send to another process."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from keywright.core.errors import BadParameter, KeywrightError, UnreadableInput
from keywright.core.predictions import Failure
from keywright.reading.file_names import explain_missing, path_exists
from keywright.reading.formats import Format
from keywright.reading.limits import PACKED
from keywright.reading.record_lines import lines_between, streamed_lines
from keywright.reading.sources import DEFAULT_LIMITS, Unread, find_files
from keywright.reading.tables.files import (
    PARQUET,
    RECORDS,
    NamedTables,
    needs_columns,
    open_table,
    refuse_table,
    row_of_line,
    table_format,
)
from keywright.reading.tables.parquet import count_rows, rows_between
from keywright.reading.tables.rows import TableColumns, document_of_row, resolve_columns
from keywright.running.extraction import Source

_DIGITS: Final = 32
"""Hexadecimal digits of a digest; 128 bits, so that no two inputs meet by chance."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file's name, size in bytes, and time of change in nanoseconds, by which it is the same as before or not."""

    name: str
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path, name: str) -> "FileState":
        """Return the state of a file; -1 for numbers of one that cannot be asked."""
        try:
            stat = path.stat()
        except OSError:
            return cls(name, -1, -1)
        return cls(name, stat.st_size, stat.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Refused:
    """An input that cannot be read."""

    failure: Failure
    weight: int = 1

    @property
    def label(self) -> str:
        """Name for people."""
        return self.failure.document_id

    def sources(self) -> Iterator[Source]:
        """Yield the failure."""
        yield self.failure


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file that is read from its beginning: a document, or records that are packed.

    Attributes:
        weight: number of documents, as far as it is known without reading it.
    """

    file: Unread = field(repr=False)
    state: FileState
    weight: int = 1

    @property
    def label(self) -> str:
        """Name for people."""
        return self.file.name

    def sources(self) -> Iterator[Source]:
        """Yield the file, which is read with the work on it; records one by one."""
        yield from self.file.lines() if self.file.of_records else (self.file,)


@dataclass(frozen=True, slots=True)
class WholeTable:
    """A table that is read from its beginning: CSV, XLSX, or packed."""

    path: Path = field(repr=False)  # the same files elsewhere have the same results
    state: FileState
    columns: TableColumns
    weight: int

    @property
    def label(self) -> str:
        """Name for people."""
        return self.state.name

    def sources(self) -> Iterator[Source]:
        """Yield the documents of its rows."""
        rows = open_table(self.path, self.state.name, DEFAULT_LIMITS).rows
        return (document_of_row(row, self.columns) for row in rows)


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file of JSON Lines.

    Attributes:
        start, end: bytes, at the beginnings of lines or the end of the file.
        first: number of the first line, from 1.
        weight: number of lines.
        columns: keys that are read, as of a table; None for those of documents.
    """

    path: Path = field(repr=False)
    state: FileState
    start: int
    end: int
    first: int
    weight: int
    columns: TableColumns | None = None

    @property
    def label(self) -> str:
        """Name for people."""
        return f"{self.state.name}, lines {self.first} to {self.first + self.weight - 1}"

    def sources(self) -> Iterator[Source]:
        """Yield the lines, which are read with the work on them; of a table the documents."""
        with self.path.open("rb") as stream:
            for line in lines_between(stream, self.state.name, (self.start, self.end), self.first, DEFAULT_LIMITS):
                yield line if self.columns is None else document_of_row(row_of_line(line), self.columns)


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows of a file of Parquet; ``first`` from 0, ``weight`` of them."""

    path: Path = field(repr=False)
    state: FileState
    first: int
    weight: int
    columns: TableColumns

    @property
    def label(self) -> str:
        """Name for people."""
        return f"{self.state.name}, rows {self.first + 1} to {self.first + self.weight}"

    def sources(self) -> Iterator[Source]:
        """Yield the documents of the rows."""
        rows = rows_between(self.path, self.state.name, self.first, self.weight, DEFAULT_LIMITS)
        return (document_of_row(row, self.columns) for row in rows)


Piece: TypeAlias = Refused | WholeFile | WholeTable | LineRange | RowRange
"""Documents, or lines, rows or files with documents, that come one after the other in one input."""


@dataclass(frozen=True, slots=True)
class Part:
    """Pieces whose results are one file; ``number`` from 0, in the order of the inputs."""

    number: int
    pieces: tuple[Piece, ...]

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return f"part-{self.number:06}"

    @property
    def label(self) -> str:
        """Name of its inputs for people."""
        first, last = self.pieces[0].label, self.pieces[-1].label
        return first if len(self.pieces) == 1 else f"{first} to {last}"

    @property
    def digest(self) -> str:
        """Identity of its inputs."""
        return hashlib.sha256(repr(self.pieces).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

    def sources(self) -> Iterator[Source]:
        """Yield the documents, and the files, in its pieces; a file that breaks while it is read costs its rest."""
        for piece in self.pieces:
            try:
                yield from piece.sources()
            except KeywrightError as error:
                yield Failure.from_error(piece.label, error)
            except OSError as error:
                unreadable = UnreadableInput(
                    f"{piece.label} cannot be read: {error.strerror or error}", "check the file"
                )
                yield Failure.from_error(piece.label, unreadable)


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
            if not path_exists(name):
                raise UnreadableInput(*explain_missing(name))
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
            for file in find_files(Path(name), self.form):
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
            yield Refused(refuse_table(file.path, file.name, DEFAULT_LIMITS))
        elif file.is_jsonl and not is_packed(file.path):
            check_records(file.path, file.name)
            yield from self._of_lines(file.path, state, None)
        else:
            yield WholeFile(file, state, self.size if file.is_jsonl else 1)

    def _of_table(self, path: Path, state: FileState, tables: NamedTables) -> Iterator[Piece]:
        columns = choose_part_columns(path, state.name, tables.columns, tables.tell)
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
        for start, end, first, count in split_lines(path, self.size):
            yield LineRange(path, state, start, end, first, count, columns)


def choose_part_columns(path: Path, name: str, wanted: TableColumns, tell: Callable[[str], None]) -> TableColumns:
    """Return the columns of a file that are meant.

    Raises:
        UnknownName, BadParameter: as for ``resolved``.
        UnreadableInput: the file cannot be read.
    """
    table = open_table(path, name, DEFAULT_LIMITS)
    columns, notes = resolve_columns(wanted, table)
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


def split_lines(path: Path, size: int) -> Iterator[tuple[int, int, int, int]]:
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


def select_parts(parts: Iterable[Part], number: int, of: int) -> Iterator[Part]:
    """Yield the parts of one of several machines; ``number`` from 1."""
    return (part for part in parts if part.number % of == number - 1)
