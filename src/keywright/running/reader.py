"""Documents of strangers, read in a process of their own with limits on memory and time.

The process is ``python -m keywright.running.reader BYTES``. A request is a JSON list of path, name, format (null to
recognise it), columns of a table (null for other files) and the most documents (null for all). An answer is a JSON list
of notes for people, and then a line of JSON for each document: no pickles, which could be anything if a library was
taken over.
"""

import atexit
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from keywright.core.child import Child, answer_requests, make_command
from keywright.core.documents import Document
from keywright.core.errors import KeywrightError, TooLarge, UnsupportedFormat
from keywright.core.predictions import Failure
from keywright.core.records import decode_item, encode_item
from keywright.reading.apart import ask_child, limit_process
from keywright.reading.formats import BY_NAME, HEAD, JSONL, PLAIN, SUBTITLES, UNKNOWN, format_of
from keywright.reading.limits import OLE, Limits, advise_raising
from keywright.reading.sources import DEFAULT_LIMITS, Unread
from keywright.reading.tables.rows import TableColumns
from keywright.running.extraction import report_defect

_MARKS: Final = (b"PK\x03\x04", OLE)  # first bytes of archives and Office files
_OURS: Final = frozenset({PLAIN, UNKNOWN, JSONL, SUBTITLES})
"""Formats that are read in any process: our own code reads them line by line."""


def is_hostile_format(source: Unread) -> bool:
    """Return whether a file goes to large libraries: as it will be read, whatever its first bytes or name say alone."""
    if source.columns is not None:
        return True
    head = source.head(HEAD)
    if source.form is not None or head.startswith(_MARKS):
        return source.form not in _OURS
    try:
        return format_of(head, source.name) not in _OURS
    except UnsupportedFormat:  # it is not read at all
        return False


def read_apart(source: Unread, tell: Callable[[str], None] = lambda _note: None) -> tuple[Document | Failure, ...]:
    """Return the documents of a file, read in the process that this one keeps for it; ``tell``: as for ``Unread``."""
    return _own_reader(os.getpid()).read(source, tell)


def stop_reading() -> None:
    """End the reading of a file by another thread of this process; the file is a failure, and the next one is read."""
    _own_reader(os.getpid()).interrupt()


@lru_cache(maxsize=1)
def _own_reader(owner: int) -> "ReadingProcess":
    """Return the reading process of this process; one that was forked has its own."""
    process = ReadingProcess()
    atexit.register(lambda: process.close() if os.getpid() == owner else None)
    return process


@dataclass(eq=False)
class ReadingProcess:
    """A process that reads files by a ``command``, for one thread at a time; started anew after each that ended it."""

    limits: Limits = DEFAULT_LIMITS
    command: Sequence[str] = make_command("keywright.running.reader")
    _child: Child | None = field(default=None, init=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def read(self, source: Unread, tell: Callable[[str], None] = lambda _note: None) -> tuple[Document | Failure, ...]:
        """Return the documents of a file; one that breaks a limit or the process is a failure."""
        with self._turn:
            try:
                return self._read(source, tell)
            except KeywrightError as error:
                self.close()
                return (Failure.from_error(source.name, error),)
            except BaseException:
                self.close()
                raise

    def interrupt(self) -> None:
        """End the process while another thread waits for it, which gets a failure."""
        if (child := self._child) is not None:
            child.kill("interrupted")

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.end()
        self._child = None

    def _read(self, source: Unread, tell: Callable[[str], None]) -> tuple[Document | Failure, ...]:
        child = self._child
        if child is None or not child.is_alive:  # it may have ended after the file before
            self.close()
            self._child = child = Child((*self.command, str(self.limits.memory_bytes)))
        form = source.form.short_name if source.form else None
        columns = astuple(source.columns) if source.columns else None
        request = [str(source.path.absolute()), source.name, form, columns, source.most]

        def decode(answer: bytes) -> tuple[Document | Failure, ...]:
            notes, *documents = answer.split(b"\n")
            for note in json.loads(notes):
                tell(note)
            return tuple(map(decode_item, documents))

        return ask_child(child, request, source.name, self.limits, decode)


def main() -> None:
    """Read files until the input ends, within a limit of memory where the system has limits."""
    limit_process(int(sys.argv[1]))
    answer_requests(_answer)


def _answer(request: bytes) -> bytes:
    """Return the notes and documents of a file; an error while reading is a failure behind them."""
    path, name, form, columns, most = json.loads(request)
    table = TableColumns(*columns) if columns else None
    source = Unread(Path(path), name, BY_NAME[form] if form else None, table, most)
    notes: list[str] = []
    documents: list[str] = []
    try:
        documents.extend(map(encode_item, source.documents(notes.append)))
    except MemoryError:
        hint = f"split it, or if you trust it, {advise_raising('memory_bytes')}"
        error = TooLarge(f"{source.name} needs more memory than is allowed", hint)
        documents.append(encode_item(Failure.from_error(source.name, error)))
    except Exception as error:  # noqa: BLE001 - of any kind, for one file only
        documents.append(encode_item(report_defect(source.name, error)))
    return "\n".join((json.dumps(notes), *documents)).encode("ascii")


if __name__ == "__main__":
    main()
