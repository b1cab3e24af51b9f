"""CSV and TSV as programs and people write them: with any separator, encoding and kind of quotes."""

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from keywright.core.errors import BadRecord, EmptyInput
from keywright.reading.formats import Limits
from keywright.reading.tables.rows import Row, Rows
from keywright.reading.tables.table_encoding import TableEncoding, encoding_of
from keywright.reading.unpacking import unpacked

_SEPARATORS: Final = ",;\t|"
_DIRECTIVE: Final = re.compile(r"sep=(.)\s*\Z", re.IGNORECASE)
"""First line that names the separator for Excel."""
_HEAD: Final = 65_536
"""Characters from which the separator is recognised; arbitrary."""
_SAMPLE: Final = 20
"""Records from which the separator is recognised; arbitrary."""
_QUOTE: Final = "a quote is opened and not closed, or text follows a closing quote"


def delimited_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a file of cells with separators, below its header; blank rows are skipped.

    A row with more cells than the header, broken quotes, or bytes that are not in the file's encoding has a problem;
    one with fewer cells lacks the last.

    Raises:
        BadRecord: the header has broken quotes.
        EmptyInput: there is no header.
        UnsupportedFormat: it is not text.
    """
    coding = encoding_of(path, name, limits)
    with _opened(path, name, limits, coding) as file:
        head = file.read(_HEAD)
    first = head.partition("\n")[0]
    directive = _DIRECTIVE.match(first.strip("\r"))
    separator = directive[1] if directive else _separator(head, "\t" if ".tsv" in name or ".tab" in name else ",")
    records = _records(path, name, limits, coding, separator, skipped=1 if directive else 0)
    header = next((cells for _, _, cells in records if cells is None or any(map(str.strip, cells))), [])
    if header is None:
        raise BadRecord(f"the header of {name}: {_QUOTE}", "correct the first row")
    if not header:
        raise EmptyInput(f"{name} has no header", "the first row of a table names its columns")
    columns = tuple(cell.strip() or f"column {place}" for place, cell in enumerate(header, start=1))
    return Rows(name, columns, _rows(records, columns, name), coding.notes)


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
    path: Path, name: str, limits: Limits, coding: TableEncoding, separator: str, *, skipped: int
) -> "Iterator[tuple[int, int, list[str] | None]]":
    """Yield the first and last line of each record, and its cells; None where quotes are broken."""
    # The limit belongs to the module: it is only ever raised, and each text is checked against the limits later.
    csv.field_size_limit(max(csv.field_size_limit(), limits.text_characters))
    with _opened(path, name, limits, coding) as file:
        reader = csv.reader(itertools.islice(file, skipped, None), delimiter=separator, strict=True)
        while True:
            first = reader.line_num + skipped + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield first, reader.line_num + skipped, None
            else:
                yield first, reader.line_num + skipped, cells


@contextmanager
def _opened(path: Path, name: str, limits: Limits, coding: TableEncoding) -> Iterator[IO[str]]:
    """Open the text of a file, unpacked if it is packed; bytes that are not in its encoding become stand-ins."""
    if coding.text is not None:
        yield io.StringIO(coding.text, newline="")
        return
    with path.open("rb") as stream:
        yield io.TextIOWrapper(
            unpacked(stream, name, limits), encoding=coding.name, errors="surrogateescape", newline=""
        )


def _separator(head: str, usual: str) -> str:
    """Return the separator by which most of the first records have as many cells as the header."""
    return max(usual + _SEPARATORS, key=lambda separator: _agreement(head, separator))


def _agreement(head: str, separator: str) -> tuple[float, int]:
    records = list(itertools.islice(_tried(head, separator), _SAMPLE))
    widths = [len(record) for record in records if any(map(str.strip, record))]
    if not widths or widths[0] == 1:
        return 0.0, 1
    return sum(width == widths[0] for width in widths) / len(widths), widths[0]


def _tried(head: str, separator: str) -> Iterable[list[str]]:
    """Yield the records of the beginning of a file, as far as they can be read by a separator."""
    lines = io.StringIO(head, newline="")
    try:
        yield from csv.reader(lines, delimiter=separator)
    except csv.Error:
        return
