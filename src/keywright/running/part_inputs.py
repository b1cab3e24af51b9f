"""Inputs in parts of about equal numbers of documents; pieces of them are small enough to send to another process."""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.errors import BadParameter, KeywrightError, UnreadableInput
from keywright.core.predictions import Failure
from keywright.reading.apart import call_apart
from keywright.reading.file_names import explain_missing, path_exists
from keywright.reading.formats import Format
from keywright.reading.limits import PACKED, Limits
from keywright.reading.record_lines import lines_between, streamed_lines
from keywright.reading.sources import DEFAULT_LIMITS, Unread, find_files
from keywright.reading.tables import files
from keywright.reading.tables.library_tables import count_rows, rows_between
from keywright.reading.tables.rows import Row, TableColumns, document_of_row, resolve_columns
from keywright.running.extraction import Source

_DIGITS: Final = 32  # Hexadecimal digits of a digest; 128 bits, so that no two inputs meet by chance
_BLOCK: Final = 1 << 22  # bytes of a file in which line ends are counted at once; arbitrary


@dataclass(frozen=True, slots=True)
class Piece:
    """Documents one after the other in one input: its state, how many they may be, and a function that reads them."""

    label: str
    state: str
    weight: int
    read: Callable[[], Iterable[Source]] = field(repr=False)  # the same files elsewhere have the same results


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
                yield from piece.read()
            except KeywrightError as error:
                yield Failure.from_error(piece.label, error)
            except OSError as error:
                message = f"{piece.label} cannot be read: {error.strerror or error}"
                yield Failure.from_error(piece.label, UnreadableInput(message, "check the file"))


@dataclass(frozen=True, slots=True)
class Inputs:
    """Files and folders, by the names for ids, read in parts of ``size`` documents; ``form``: None recognises each."""

    names: tuple[str, ...]
    form: Format | None
    tables: files.NamedTables | None
    size: int

    def check(self) -> None:
        """Check the inputs before anything is read or written; raise ``BadParameter`` or ``UnreadableInput``."""
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
                    yield _refuse(file)
                    continue
                try:
                    yield from self._split_file(file)
                except KeywrightError as error:
                    yield _refuse(Failure.from_error(file.name, error))

    def _split_file(self, file: Unread) -> Iterator[Piece]:
        """Yield the pieces of one file, or raise ``KeywrightError`` if it cannot be read at all."""
        path, name, state = file.path, file.name, ""
        with contextlib.suppress(OSError):
            stat = path.stat()
            state = f"{stat.st_size} bytes, changed at {stat.st_mtime_ns}"
        columns: TableColumns | None = None
        form = files.RECORDS if file.is_jsonl else None
        if self.tables is not None and self.tables.reads(name):
            table, form = files.open_table(path, name, DEFAULT_LIMITS), files.table_format(name)
            columns, notes = resolve_columns(self.tables.columns, table)
            for note in (*table.notes, *notes):
                self.tables.tell(note)
        elif self.form is None and files.needs_columns(name):
            yield _refuse(files.refuse_table(path, name, DEFAULT_LIMITS))
            return
        # No line of a packed file can be read without those before it.
        if form is files.RECORDS and not file.head(max(map(len, PACKED))).startswith(PACKED):
            if columns is None:
                with path.open("rb") as stream:  # does it begin like JSON Lines?
                    next(streamed_lines(stream, name, DEFAULT_LIMITS))
            for start, end, first, count in split_lines(path, self.size):
                read = partial(_read_lines, path, name, (start, end), first, columns)
                yield Piece(f"{name}, lines {first} to {first + count - 1}", state, count, read)
        elif columns is None:
            yield Piece(name, state, self.size if file.is_jsonl else 1, file.lines_or_itself)
        elif form is files.PARQUET:
            rows = call_apart(count_rows, path, name, limits=DEFAULT_LIMITS)
            for first in range(0, rows, self.size):
                count = min(self.size, rows - first)
                read = partial(_read_rows, columns, call_apart, rows_between, path, name, first, count)
                yield Piece(f"{name}, rows {first + 1} to {first + count}", state, count, read)
        else:
            yield Piece(name, state, self.size, partial(_read_rows, columns, _open_rows, path, name))


def _refuse(failure: Failure) -> Piece:
    return Piece(failure.document_id, str(failure), 1, partial(iter, (failure,)))


def _read_lines(
    path: Path, name: str, stretch: tuple[int, int], first: int, columns: TableColumns | None
) -> Iterator[Source]:
    """Yield lines of JSON Lines between two bytes, from a line number on; with columns the documents of a table."""
    with path.open("rb") as stream:
        for line in lines_between(stream, name, stretch, first, DEFAULT_LIMITS):
            yield line if columns is None else document_of_row(files.row_of_line(line), columns)


def _read_rows(columns: TableColumns, open_rows: Callable[..., Iterable[Row]], *place: Any) -> Iterator[Source]:
    return (document_of_row(row, columns) for row in open_rows(*place, limits=DEFAULT_LIMITS))


def _open_rows(path: Path, name: str, limits: Limits) -> Iterable[Row]:
    """Return the rows of a table that is read from its beginning: CSV, XLSX, or packed."""
    return files.open_table(path, name, limits).rows


def split_lines(path: Path, size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield first byte, end, number of the first line, and number of lines, of each ``size`` lines of a file."""
    start, first, lines, read = 0, 1, 0, 0
    cut_off = False
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            # All line ends of a block at once: a gigabyte takes about a second.
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
            for index in range(size - lines - 1, len(ends), size):
                end = read + int(ends[index])
                yield start, end, first, size
                start, first = end, first + size
            lines = (lines + len(ends)) % size
            read += len(block)
            cut_off = not block.endswith(b"\n")
    if read > start:
        yield start, read, first, lines + cut_off
