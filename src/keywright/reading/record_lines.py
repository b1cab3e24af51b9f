"""Lines of files of records: JSON Lines, of a whole file, of one that is streamed, or of standard input."""

import io
import json
import math
import re
import select
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice
from typing import IO, Any, Final, NamedTuple

from keywright.core.errors import BadRecord, EmptyInput, TooLarge, UnsupportedFormat
from keywright.core.json_values import unique_keys
from keywright.reading.limits import Limits, advise_raising, open_unpacked, unpack

FORM: Final = 'expected {"id": …, "text": …}, or "id", "title", "abstract" and perhaps "text" or "sections"'
_BLANK: Final = b" \t\r\n\xef\xbb\xbf"  # also the mark of UTF-8 at the beginning of a file
_FIRST_ID: Final = re.compile(rb'\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.){1,1000}"|\d{1,20})\s*[,}]')
_SHORT: Final = 100_000  # bytes of a line in which an id is sought wherever it is; arbitrary
_HEAD: Final = 20  # lines, one of which must begin like a record; arbitrary


class JsonLine(NamedTuple):
    """A line of a file of records, numbered from 1; ``left_out``: bytes behind these, of a line above the limit."""

    file: str
    number: int
    data: bytes
    left_out: int = 0

    @property
    def id(self) -> str:
        """The id that the record begins with or has, where the line is short; else the file and the line."""
        with suppress(ValueError, TypeError, LookupError, RecursionError):
            match = _FIRST_ID.match(self.data)
            name = json.loads(match[1]) if match else None
            if name is None and len(self.data) <= _SHORT:
                name = json.loads(self.data.decode("utf-8-sig"))["id"]
            if isinstance(name, str | int) and not isinstance(name, bool) and name != "":
                return str(name)
        return f"{self.file}:{self.number}"

    def record(self, *, unique: bool = False) -> Mapping[str, Any]:
        """Return this line's JSON object, with ``unique`` keys; ``BadRecord`` without, ``TooLarge`` above the limit."""
        place = f"line {self.number} of {self.file}"
        if self.left_out:
            size = len(self.data) + self.left_out
            message = f"{place} has {size:,} bytes; at most {len(self.data):,} are read in a line"
            raise TooLarge(message, f"split it, or {advise_raising('file_bytes')}")
        try:
            pairs = unique_keys if unique else None
            text = self.data.decode("utf-8-sig")
            record = json.loads(text, parse_constant=_read_number, parse_float=_read_number, object_pairs_hook=pairs)
        except UnicodeDecodeError as error:
            message = f"{place} is not valid UTF-8: {error.reason} at byte {error.start}"
            raise BadRecord(message, "save it as UTF-8, such as with `iconv -f latin1 -t utf-8`") from error
        except (ValueError, RecursionError) as error:
            raise BadRecord(f"{place} is not valid JSON: {error}", "repair or remove the line") from error
        if not isinstance(record, dict):
            raise BadRecord(f"{place} is a JSON {type(record).__name__}, not an object", FORM)
        return record


def lines_of(data: bytes, name: str, limits: Limits) -> Iterator[JsonLine]:
    """Yield the lines of a file that are not blank, unpacked if they are packed."""
    limits.check_file(len(data), name)
    return _lines(io.BytesIO(unpack(data, name, limits)), name, limits)


def streamed_lines(stream: IO[bytes], name: str, limits: Limits) -> Iterator[JsonLine]:
    """Yield the lines of an open file of any size that are not blank, unpacked; ``limits`` holds for each."""
    return _lines(open_unpacked(stream, name, limits), name, limits)


def lines_between(
    stream: IO[bytes], name: str, places: tuple[int, int], first: int, limits: Limits
) -> Iterator[JsonLine]:
    """Yield lines that are not blank between two places, each a line's beginning or the end, from number ``first``."""
    start, end = places
    stream.seek(start)
    for line in _all_lines(stream, name, limits.file_bytes, first):
        if line.data.strip():
            yield line
        if stream.tell() >= end:
            return


def _lines(stream: IO[bytes], name: str, limits: Limits) -> Iterator[JsonLine]:
    """Return the lines that are not blank, once one of the first begins like a record."""
    lines = (line for line in _all_lines(stream, name, limits.file_bytes) if line.data.strip())
    first: list[JsonLine] = []
    for line in islice(lines, _HEAD):
        first.append(line)
        if line.data.lstrip(_BLANK).startswith(b"{"):
            break
    else:
        if not first:
            raise EmptyInput(f"{name} holds no record", FORM)
        is_list = first[0].data.lstrip(_BLANK).startswith(b"[")
        hint = "for a JSON list: jq -c '.[]' FILE > FILE.jsonl makes a line of each entry" if is_list else FORM
        raise UnsupportedFormat(f"{name} is not JSON Lines: none of its first lines begins with {{", hint)
    return chain(first, lines)


def _all_lines(stream: IO[bytes], name: str, longest: int, first: int = 1) -> Iterator[JsonLine]:
    """Yield all lines; of a line above the limit no more than that is ever in memory."""
    for number, data in enumerate(iter(lambda: stream.readline(longest), b""), start=first):
        left_out = 0
        if len(data) == longest and not data.endswith(b"\n"):
            while rest := stream.readline(longest):
                left_out += len(rest)
                if rest.endswith(b"\n"):
                    break
        yield JsonLine(name, number, data, left_out)


def _read_number(text: str) -> float | None:
    """Return a number; None for NaN and infinity, which JSON does not have."""
    number = float(text)
    return number if math.isfinite(number) else None


class ArrivingInput:
    """A binary stream for reading, with ``is_ready``."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read nothing yet."""
        self._stream: Any = stream
        self._is_read = False

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most ``size`` of them; all if it is negative."""
        return self._noted(self._stream.read(size))

    def read1(self, size: int = -1) -> bytes:
        """Return the bytes that are there, at most ``size`` of them; it waits for the first."""
        read: Any = getattr(self._stream, "read1", self._stream.read)
        return self._noted(read(size))

    def is_ready(self, seconds: float) -> bool | None:
        """Return whether bytes, or the end, arrived after so many seconds; None where that is not known."""
        if not self._is_read:
            return None
        try:
            return bool(select.select([self._stream], [], [], seconds)[0])
        except (OSError, ValueError):  # not a stream of the system
            return None

    def _noted(self, data: bytes) -> bytes:
        self._is_read = bool(data)
        return data
