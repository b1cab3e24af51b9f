"""Files, folders, bytes and standard input to documents; a file is read when and where there is time."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from keywright.core import errors
from keywright.core.documents import Document
from keywright.core.predictions import Failure
from keywright.reading.file_names import explain_missing, is_address, path_exists, read_bytes, shorten
from keywright.reading.formats import HEAD, JSONL, PLAIN, Format, check_format, format_of, format_of_type
from keywright.reading.formats.jsonl import document_or_failure
from keywright.reading.limits import PACKED, Limits
from keywright.reading.record_lines import JsonLine, streamed_lines
from keywright.reading.tables.files import NamedTables, needs_columns, refuse_table
from keywright.reading.tables.rows import TableColumns

DEFAULT_LIMITS: Final = Limits()
Source: TypeAlias = str | Path | bytes | bytearray | memoryview | IO[Any]  # a path, bytes, or an open file

_HEAD: Final = 64  # bytes that show packed content or the begin of a JSON record, after some blanks; arbitrary
_LONGEST_NAME: Final = 255  # characters of an id that is a text in the place of a file; as NAME_MAX on Linux
_UNNAMED: Final = "document"  # id of a document whose source has no name


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that is not yet read: small enough to send to another process."""

    path: Path
    name: str
    form: Format | None = None  # None tells it from the file
    columns: TableColumns | None = None  # to read, if it is a table by its name; else None
    most: int | None = None  # documents that are read, after which reading stops; None for all

    def documents(self, tell: Callable[[str], None] = lambda _note: None) -> Iterator[Document | Failure]:
        """Yield the documents in it, and failures; ``tell``: called with what people should know of tables."""
        return islice(self._documents(tell), self.most)

    def _documents(self, tell: Callable[[str], None]) -> Iterator[Document | Failure]:
        if self.columns is not None:
            yield from NamedTables(self.columns, tell).documents(self.path, self.name, DEFAULT_LIMITS)
            return
        try:
            if self.form is None and not self.is_jsonl:
                data = read_bytes(self.path, self.name, DEFAULT_LIMITS)  # refuses what is not a file that can be read
                yield from format_of(data, self.name).read(data, self.name, DEFAULT_LIMITS)
                return
            with self.path.open("rb") as stream:
                yield from read_stream(stream, self.name, self.form or JSONL)
        except (errors.KeywrightError, OSError) as error:
            yield self._fail(error)

    def lines(self) -> "Iterator[JsonLine | Document | Failure]":
        """Yield the lines of JSON Lines unread, so that they can be read where there is time; of others, documents."""
        try:
            if not self.is_jsonl:
                yield from self.documents()
                return
            with self.path.open("rb") as stream:
                yield from streamed_lines(stream, self.name, DEFAULT_LIMITS)
        except (errors.KeywrightError, OSError) as error:
            yield self._fail(error)

    def lines_or_itself(self) -> "Iterable[Unread | JsonLine | Document | Failure]":
        """Return its lines if it has some, else the file."""
        return self.lines() if self.of_records else (self,)

    @property
    def of_records(self) -> bool:
        """Return whether it looks like a file of many documents, whose reading is best shared out by document."""
        if self.form is not None:
            return self.form is JSONL
        if self.name.lower().endswith(JSONL.extensions):
            return True
        head = self.head(_HEAD)
        return head.startswith(PACKED) or head.lstrip().startswith(b"{")

    @property
    def is_jsonl(self) -> bool:
        """Return whether it is JSON Lines, by form, or content and name; ``UnsupportedFormat`` for what is not read."""
        if self.form is not None:
            return self.form is JSONL
        head = self.head(HEAD)
        return bool(head) and self.of_records and format_of(head, self.name) is JSONL

    def head(self, size: int) -> bytes:
        """Return the first bytes; none of a pipe, as that would take from it, or of a file that cannot be opened."""
        if not self.path.is_file():
            return b""
        try:
            with self.path.open("rb") as stream:
                return stream.read(size)
        except OSError:
            return b""

    def _fail(self, error: errors.KeywrightError | OSError) -> Failure:
        if not isinstance(error, errors.KeywrightError):
            error = errors.UnreadableInput(f"{self.path} cannot be opened: {error.strerror}", "name a file")
        return Failure.from_error(self.name, error)


def read_source(
    source: Source, name: str | None = None, kind: str | None = None, limits: Limits | None = None
) -> Iterator[Document]:
    """Yield the documents in a file, in bytes, or in an open file, which is read from where it is to its end.

    ``name``: id of the document, whose ending may show the format of bytes; None takes that of the file. ``kind``:
    format, as for ``format_of_type``; None recognises it. Raises UnknownName: no such type; MissingData: no such file;
    UnsupportedFormat: nothing shows the format, or it is not read; UnreadableInput: other trouble, see its subclasses.
    """
    limits = limits or Limits()
    form = format_of_type(kind) if kind else None
    if isinstance(source, str | Path):
        if is_address(str(source)):  # a path would lose one of its slashes
            raise errors.MissingData(*explain_missing(str(source)))
        file_name, is_text = Path(source).as_posix(), False
        data = read_bytes(Path(source), file_name, limits)
    else:
        opened_as = getattr(source, "name", None)
        file_name = Path(opened_as).as_posix() if isinstance(opened_as, str) else name or ""
        data, is_text = _read_open(source)
        limits.check_file(len(data), name or file_name)
        if not data.strip():
            raise errors.EmptyInput(
                f"{name or file_name or 'the source'} is empty", "give a document with at least one word"
            )
    form = form or format_of(data, file_name)
    if form is PLAIN and not (kind or file_name or is_text):
        hint = "say what they are: kw.read(data, name='paper.txt') or kw.read(data, type='text')"
        raise errors.UnsupportedFormat("the bytes have no name, and their content does not show a format", hint)
    for item in form.read(data, name or file_name or _UNNAMED, limits):
        if isinstance(item, Failure):
            raise errors.BadRecord(item.message, item.hint)
        yield item


def _read_open(source: Any) -> tuple[bytes, bool]:
    """Return the bytes of bytes or of an open file, and whether it gave text."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), False
    if not callable(getattr(source, "read", None)):
        expected = "expected a path, bytes, or an open file"
        raise errors.BadParameter(f"a value of type {type(source).__name__} is not a source of a document", expected)
    try:
        content = source.read()
    except (OSError, ValueError) as error:  # a closed file, or bytes that are not in the encoding of the file
        reason = f"{getattr(source, 'name', 'the file')} cannot be read: {error}"
        raise errors.UnreadableInput(reason, "open it in binary mode: open(path, 'rb')") from error
    return (content.encode("utf-8", "surrogatepass"), True) if isinstance(content, str) else (bytes(content), False)


def read_stream(stream: IO[bytes], name: str, form: Format = PLAIN) -> Iterator[Document | Failure]:
    """Yield the documents in a stream, and a failure for each that cannot be read; records while they arrive."""
    try:
        if form is JSONL:
            yield from read_documents(streamed_lines(stream, name, DEFAULT_LIMITS))
            return
        data = stream.read(DEFAULT_LIMITS.file_bytes + 1)
        DEFAULT_LIMITS.check_file(len(data), name)
        if not data.strip():
            raise errors.EmptyInput(f"{name} is empty", "give a text with at least one word")
        check_format(form, data, name)
        yield from form.read(data, name, DEFAULT_LIMITS)
    except errors.KeywrightError as error:
        yield Failure.from_error(name, error)


def find_sources(
    names: str | Path | Iterable[str | Path], form: Format | None, stdin: IO[bytes], tables: NamedTables | None = None
) -> Iterator[Unread | JsonLine | Document | Failure]:
    """Yield files and the lines of JSON Lines unread, documents of tables, and failures for names without a file.

    Ids are names as they are (``-`` is standard input); of files in a folder, which is searched without hidden files
    and linked folders, paths relative to it. ``form``: of them all; None tells it from each, and takes standard input
    as plain text. ``tables``: which columns of tables are read; None refuses tables, and takes JSON Lines as documents.
    """
    for name in [names] if isinstance(names, str | bytes | Path) or not isinstance(names, Iterable) else names:
        if not isinstance(name, str | Path):
            raise errors.BadParameter(f"{name!r:.60} is not the name of a file", "expected a text or a pathlib.Path")
        if name == "-":
            yield from _stream_lines(stdin, "stdin") if form is JSONL else read_stream(stdin, "stdin", form or PLAIN)
            continue
        if not path_exists(name):
            label = str(name) if len(str(name)) <= _LONGEST_NAME else shorten(str(name))
            yield Failure.from_error(label, errors.UnreadableInput(*explain_missing(str(name))))
            continue
        for file in find_files(Path(name), form):
            if isinstance(file, Failure):
                yield file
            elif tables is not None and tables.reads(file.name):
                yield from tables.documents(file.path, file.name, DEFAULT_LIMITS)
            elif form is None and needs_columns(file.name):
                yield refuse_table(file.path, file.name, DEFAULT_LIMITS)
            else:
                yield from file.lines_or_itself()


def _stream_lines(stream: IO[bytes], name: str) -> Iterator[JsonLine | Failure]:
    try:
        yield from streamed_lines(stream, name, DEFAULT_LIMITS)
    except errors.KeywrightError as error:
        yield Failure.from_error(name, error)


def find_files(path: Path, form: Format | None) -> Iterator[Unread | Failure]:
    """Yield a file, or the files in a folder with ids relative to it; a failure for a folder that cannot be read."""
    if not path.is_dir():
        yield Unread(path, path.as_posix(), form)
        return
    is_empty = True
    for file in files_under(path):
        is_empty = False
        if isinstance(file, Path):
            yield Unread(file, file.relative_to(path).as_posix(), form)
        else:
            inner, error = file
            yield Failure.from_error(inner.relative_to(path).as_posix() if inner != path else str(path), error)
    if is_empty:
        empty = errors.EmptyInput(f"folder {path} holds no file", "name a folder of documents, or a file")
        yield Failure.from_error(str(path), empty)


_LITTER: Final = re.compile(r"\.|~\$|__MACOSX$|Thumbs\.db$|desktop\.ini$|Icon\r$", re.IGNORECASE)
"""Names of hidden files, of locks of word processors, and of what file managers write beside documents."""


def files_under(folder: Path) -> Iterator[Path | tuple[Path, errors.UnreadableInput]]:
    """Yield the files under a folder in the order of their paths, and an error for each folder that cannot be listed.

    Hidden files and folders, linked folders, pipes, devices and the files that systems and word processors leave behind
    are left out; links to nothing are among the files, so that they are reported. One directory is in memory at a time.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)  # with types, whatever else may be read
    except OSError as error:
        message = f"the folder {folder} cannot be opened: {error.strerror or error}"
        yield folder, errors.UnreadableInput(message, "check its permissions; nothing in it was read")
        return
    for entry in (entry for entry in entries if not _LITTER.match(entry.name)):
        if entry.is_dir(follow_symlinks=False):
            yield from files_under(Path(entry))
        elif entry.is_file(follow_symlinks=False) or (entry.is_symlink() and not os.path.isdir(entry)):  # noqa: PTH112
            yield Path(entry)


def read_documents(items: Iterable[Unread | JsonLine | Document | Failure]) -> Iterator[Document | Failure]:
    """Yield the items of ``find_sources`` with every file and line read."""
    for item in items:
        match item:
            case Unread():
                yield from item.documents()
            case JsonLine():
                yield document_or_failure(item, DEFAULT_LIMITS)
            case _:
                yield item
