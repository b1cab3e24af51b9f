"""CSV and TSV as programs and people write them: with any separator, encoding and kind of quotes."""

import codecs
import csv
import io
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

from keywright.core.errors import BadRecord, EmptyInput, TooLarge
from keywright.reading.encodings import decode, older_encoding
from keywright.reading.file_names import read_bytes
from keywright.reading.formats import HEAD
from keywright.reading.limits import Limits, open_unpacked, unpack
from keywright.reading.tables.rows import FIRST_ROWS, Row, Rows, find_columns, is_usual_name

_WIDE_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAMPLE_BYTES: Final = 100_000
"""Bytes of lines that are not UTF-8, from which an encoding is guessed; arbitrary, as for plain text."""
_FEW: Final = 30  # bytes beyond ASCII from which statistics are used; arbitrary, as for plain text
_WESTERN: Final = frozenset(
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýßœšž" + "ÀÁÂÄÅÆÇÈÉÊËÍÎÏÑÓÔÖØÙÚÛÜŒŠŽ" + "‘’“”‚„–—…•€£§©®°±²³µ·«»×½¼¾™ "
)  # characters of Windows-1252 that are frequent in Western texts; others are of another encoding, or damage


class TableEncoding(NamedTuple):
    """How a file is read: encoding, notes for people, and its text, where it had to be decoded at once."""

    name: str
    notes: tuple[str, ...] = ()
    text: str | None = None


def encoding_of(path: Path, name: str, limits: Limits) -> TableEncoding:
    """Return the encoding of a file of any size: by its mark, UTF-8 if most lines are, else an older one, noted."""
    with path.open("rb") as file:
        stream = open_unpacked(file, name, limits)
        head = stream.read(HEAD)
        if head.startswith(_WIDE_MARKS) or b"\0" in head:
            text, notes = decode(unpack(read_bytes(path, name, limits), name, limits), name)
            return TableEncoding("utf-16", notes, text.removeprefix("\ufeff"))
    good = bad = 0
    sample = bytearray()
    with path.open("rb") as file:
        stream = open_unpacked(file, name, limits)
        for line in iter(lambda: stream.readline(limits.text_characters), b""):
            if line.isascii():
                continue
            try:
                line.decode("utf-8")
                good += 1
            except UnicodeDecodeError:
                bad += 1
                if len(sample) < _SAMPLE_BYTES:
                    sample += line
    if good >= bad or not (older := _guess_older_encoding(bytes(sample))):
        return TableEncoding("utf-8-sig")
    return TableEncoding(older, (f"{name} is not UTF-8: it is read as {older}",))


def _guess_older_encoding(sample: bytes) -> str | None:
    """Return the encoding of lines that are not UTF-8; None where their bytes look like damage."""
    beyond = [byte for byte in sample if not chr(byte).isascii()]
    if set(bytes(beyond).decode("cp1252", errors="replace")) <= _WESTERN:
        return "cp1252"
    return older_encoding(sample) if len(beyond) >= _FEW else None


class Dialect(NamedTuple):
    """How cells are written: separator, whether a first line names it, and backslashes before quotes inside a cell."""

    separator: str
    has_directive: bool = False
    escapes: bool = False


_SEPARATORS: Final = ",;\t|"
_ESCAPED: Final = re.compile(r'(?<!\\)((?:\\\\)*)\\"')
_DIRECTIVE: Final = re.compile(r"sep=(.)\s*\Z", re.IGNORECASE)  # first line that names the separator for Excel
_HEAD: Final = 65_536  # characters from which the separator is recognised; arbitrary
_SAMPLE: Final = 20  # records from which the separator is recognised; arbitrary
_MOST_COLUMNS: Final = 16_384  # columns of a sheet: Excel specifications and limits
_QUOTE: Final = "a quote is opened and not closed, text follows a closing quote, or the row is too long"


def delimited_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a file of cells with separators, below its header; blank rows are skipped.

    A row with more cells than the header, broken quotes, or bytes that are not in the file's encoding has a problem;
    one with fewer cells lacks the last.
    """
    coding = encoding_of(path, name, limits)
    records = _records(path, name, limits, coding, _find_dialect(path, name, limits, coding))
    filled = (row for row in records if row[2] is None or any(map(str.strip, row[2])))
    first = list(itertools.islice(filled, FIRST_ROWS))
    if not first:
        raise EmptyInput(f"{name} has no header", "the first row of a table names its columns")
    if first[0][2] is None:
        raise BadRecord(f"the header of {name}: {_QUOTE}", "correct the first row")
    passed, columns, notes = find_columns([cells or [] for _, _, cells in first], name)
    if len(columns) > _MOST_COLUMNS:
        message = f"{name} has {len(columns):,} columns; at most {_MOST_COLUMNS:,} are read"
        raise TooLarge(message, "save the first ones")
    rows = _rows(itertools.chain(first[passed:], records), columns, name)
    return Rows(name, columns, rows, (*coding.notes, *notes))


def find_dialect(path: Path, name: str, limits: Limits) -> tuple[str, str]:
    """Return the separator of a file, and the byte order mark of its text, which is empty without one."""
    with path.open("rb") as file:
        has_mark = open_unpacked(file, name, limits).read(3).startswith((codecs.BOM_UTF8, *_WIDE_MARKS))
    return _find_dialect(path, name, limits, encoding_of(path, name, limits)).separator, "\ufeff" * has_mark


def _find_dialect(path: Path, name: str, limits: Limits, coding: TableEncoding) -> Dialect:
    """Return how the cells of a file are written; as a quote counts what leaves fewer records broken."""
    with _open_text(path, name, limits, coding) as file:
        head = file.read(_HEAD)
    usual = "\t" if ".tsv" in name or ".tab" in name else ","
    directive = _DIRECTIVE.match(head.partition("\n")[0].strip("\r"))
    mended = _ESCAPED.sub(r'\1""', head)

    def count_broken(text: str) -> int:
        lines = _BoundedLines(io.StringIO(text.partition("\n")[2] if directive else text, newline=""), _HEAD)
        return sum(cells is None for _, _, cells in _read_records(lines, separator))

    def measure_agreement(separator: str) -> tuple[float, int]:
        records: list[list[str]] = []
        with suppress(csv.Error):
            records.extend(itertools.islice(csv.reader(io.StringIO(head, newline=""), delimiter=separator), _SAMPLE))
        records = [record for record in records if any(map(str.strip, record))]
        widths = list(map(len, records))
        titles = len(widths) - len(list(itertools.dropwhile((1).__eq__, widths)))
        if titles and (len({*widths[titles:]}) != 1 or is_usual_name(records[0][0])):
            return 0.0, 1
        widths = widths[titles:] or [0]
        return sum(width == widths[0] for width in widths) / len(widths) / (1 + titles), widths[0]

    # The separator by which most of the first records have as many cells as the header.
    separator = directive[1] if directive else max(usual + _SEPARATORS, key=measure_agreement)
    return Dialect(separator, directive is not None, mended != head and count_broken(mended) < count_broken(head))


def _rows(records: "Iterator[tuple[int, int, list[str] | None]]", columns: tuple[str, ...], name: str) -> Iterator[Row]:
    for first, last, cells in records:
        place = f"{name}:{first}"
        if cells is None:
            lines = f"line {first}" if first == last else f"lines {first} to {last}, which are not read"
            yield Row(place, {}, f"{_QUOTE} ({lines})")
        elif any(map(str.strip, cells)):
            problem = ""
            if any(map(str.strip, cells[len(columns) :])):
                problem = f"{len(cells)} cells under {len(columns)} columns: cells with separators in them need quotes"
            yield Row(place, dict(zip(columns, cells, strict=False)), problem)


def _records(
    path: Path, name: str, limits: Limits, coding: TableEncoding, dialect: Dialect
) -> "Iterator[tuple[int, int, list[str] | None]]":
    # The limit belongs to the module: it is only ever raised, and each text is checked against the limits later.
    csv.field_size_limit(max(csv.field_size_limit(), limits.text_characters))
    with _open_text(path, name, limits, coding) as file:
        lines = _BoundedLines(file, limits.text_characters, escapes=dialect.escapes)
        for _ in range(dialect.has_directive):
            next(lines, "")
        yield from _read_records(lines, dialect.separator)


def _read_records(lines: "_BoundedLines", separator: str) -> "Iterator[tuple[int, int, list[str] | None]]":
    """Yield the first and last line of each record, and its cells; None where quotes are broken."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        first, lines.taken = lines.number + 1, 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield first, lines.number, None
        else:
            yield first, lines.number, cells


class _BoundedLines:
    """The lines of a file; ``csv.Error`` where those of a record, ``taken`` until now, have too many characters."""

    def __init__(self, file: IO[str], most: int, *, escapes: bool = False) -> None:
        self._file, self._most, self._escapes = file, most, escapes
        self.taken = self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(self._most)
        if not line:
            raise StopIteration
        self.taken, self.number = self.taken + len(line), self.number + 1
        if self.taken < self._most:
            return _ESCAPED.sub(r'\1""', line) if self._escapes else line
        while line and not line.endswith(("\n", "\r")):
            line = self._file.readline(self._most)
        raise csv.Error


@contextmanager
def _open_text(path: Path, name: str, limits: Limits, coding: TableEncoding) -> Iterator[IO[str]]:
    """Open the text of a file, unpacked if it is packed; bytes that are not in its encoding become stand-ins."""
    if coding.text is not None:
        yield io.StringIO(coding.text, newline="")
        return
    with path.open("rb") as stream:
        yield io.TextIOWrapper(
            open_unpacked(stream, name, limits), encoding=coding.name, errors="surrogateescape", newline=""
        )
