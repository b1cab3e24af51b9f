"""Pieces of inputs, small enough to send to another process, which reads the documents in them."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from keywright.core.errors import KeywrightError, UnreadableInput
from keywright.core.predictions import Failure
from keywright.execution.extraction import Source
from keywright.reading.record_lines import lines_between
from keywright.reading.sources import DEFAULT_LIMITS, Unread
from keywright.reading.tables.columns import TableColumns
from keywright.reading.tables.files import open_table
from keywright.reading.tables.parquet import rows_between
from keywright.reading.tables.record_rows import row_of_line
from keywright.reading.tables.row_documents import document_of_row

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
