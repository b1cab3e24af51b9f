"""Files, folders and standard input to documents; a file is read when and where there is time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from keywright.core.documents import Document
from keywright.core.errors import BadRecord, EmptyInput, KeywrightError, MissingData, UnreadableInput
from keywright.core.predictions import Failure
from keywright.reading.file_names import exists, is_address, shortened, why_missing
from keywright.reading.folder_files import files_under
from keywright.reading.formats import HEAD, JSONL, PACKED, PLAIN, Format, Limits, check_format, format_of
from keywright.reading.jsonl import document_or_failure
from keywright.reading.record_lines import JsonLine, streamed_lines
from keywright.reading.tables.columns import TableColumns
from keywright.reading.tables.named_files import NamedTables, needs_columns, refused

DEFAULT_LIMITS: Final = Limits()

_HEAD: Final = 64  # bytes that show packed content or the begin of a JSON record, after some blanks; arbitrary
_LONGEST_NAME: Final = 255  # characters of an id that is a text in the place of a file; as NAME_MAX on Linux


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that is not yet read: small enough to send to another process.

    Attributes:
        form: its format; None tells it from the file.
        columns: which are read, of a file that is a table by its name; None for any other file.
    """

    path: Path
    name: str
    form: Format | None = None
    columns: TableColumns | None = None

    def documents(self, tell: Callable[[str], None] = lambda _note: None) -> Iterator[Document | Failure]:
        """Yield the documents in it, and a failure for each that cannot be read.

        ``tell``: called with what people should know of how a table is read.
        """
        if self.columns is not None:
            yield from NamedTables(self.columns, tell).documents(self.path, self.name, DEFAULT_LIMITS)
            return
        if self.form is None:
            try:
                yield from self._recognised()
            except KeywrightError as error:
                yield Failure.from_error(self.name, error)
            return
        try:
            with self.path.open("rb") as stream:
                yield from read_stream(stream, self.name, self.form)
        except OSError as error:
            yield Failure.from_error(self.name, _closed(self.path, error))

    def _recognised(self) -> Iterator[Document | Failure]:
        """Yield the documents in a file whose format its content and name show; a file of records is streamed."""
        if self.is_jsonl:
            with self.path.open("rb") as stream:
                yield from documents(_lines(stream, self.name))
            return
        data = bytes_of(self.path, self.name, DEFAULT_LIMITS)  # refuses what is not a file that can be read
        yield from _documents(format_of(data, self.name), data, self.name)

    @property
    def of_records(self) -> bool:
        """Return whether it looks like a file of many documents, whose reading is best shared out by document."""
        if self.form is not None:
            return self.form is JSONL
        return self.name.lower().endswith(JSONL.extensions) or _begins_like_records(self.head(_HEAD))

    @property
    def is_jsonl(self) -> bool:
        """Return whether it is JSON Lines, packed or not, by its form, or by its content and name.

        Raises:
            UnsupportedFormat: its content is of a format that is not read.
        """
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

    def lines(self) -> "Iterator[JsonLine | Document | Failure]":
        """Yield the lines of JSON Lines unread, so that they can be read where there is time; of others, documents."""
        try:
            if not self.is_jsonl:
                yield from self.documents()
                return
            with self.path.open("rb") as stream:
                yield from streamed_lines(stream, self.name, DEFAULT_LIMITS)
        except KeywrightError as error:
            yield Failure.from_error(self.name, error)
        except OSError as error:
            yield Failure.from_error(self.name, _closed(self.path, error))


def read(path: str | Path, limits: Limits = DEFAULT_LIMITS, name: str | None = None) -> Iterator[Document]:
    """Yield the documents of one file: one, or those of a file of records.

    Args:
        path: the file; its format is recognised by content first, then by extension.
        limits: accepted sizes.
        name: id of the document; the path as it is when None. Records have their own.

    Raises:
        MissingData: no such file.
        UnsupportedFormat: a format that is not read.
        UnreadableInput: any other trouble with the content; see its subclasses.
    """
    if is_address(str(path)):  # a path would lose one of its slashes
        raise MissingData(*why_missing(str(path)))
    path = Path(path)
    name = name or path.as_posix()
    data = bytes_of(path, name, limits)
    yield from readable(format_of(data, name).load()(data, name, limits))


def readable(content: Document | Iterator[Document] | Iterator[Document | Failure]) -> Iterator[Document]:
    """Yield the documents that a reader gives.

    Raises:
        BadRecord: one of them cannot be read.
    """
    for item in (content,) if isinstance(content, Document) else content:
        if isinstance(item, Failure):
            raise BadRecord(item.message, item.hint)
        yield item


def read_stream(stream: IO[bytes], name: str, form: Format = PLAIN) -> Iterator[Document | Failure]:
    """Yield the documents in a stream, and a failure for each that cannot be read; records while they arrive."""
    try:
        if form is JSONL:
            yield from documents(_lines(stream, name))
            return
        data = stream.read(DEFAULT_LIMITS.file_bytes + 1)
        DEFAULT_LIMITS.check_file(len(data), name)
        if not data.strip():
            raise EmptyInput(f"{name} is empty", "give a text with at least one word")
        check_format(form, data, name)
        yield from _documents(form, data, name)
    except KeywrightError as error:
        yield Failure.from_error(name, error)


def sources(
    names: Iterable[str | Path], form: Format | None, stdin: IO[bytes], tables: NamedTables | None = None
) -> Iterator[Unread | JsonLine | Document | Failure]:
    """Yield files and the lines of JSON Lines unread, documents of tables, and failures for names without a file.

    Ids are names as they are; of files in a folder, paths relative to it. Folders are searched without hidden files and
    linked folders.

    Args:
        names: files and folders; ``-`` is standard input.
        form: format of them all; None tells it from each, and takes standard input as plain text.
        stdin: standard input.
        tables: which columns of tables are read; None refuses tables, and takes JSON Lines as documents.
    """
    for name in names:
        if name == "-":
            yield from _lines(stdin, "stdin") if form is JSONL else read_stream(stdin, "stdin", form or PLAIN)
            continue
        if not exists(name):
            label = str(name) if len(str(name)) <= _LONGEST_NAME else shortened(str(name))
            yield Failure.from_error(label, UnreadableInput(*why_missing(str(name))))
            continue
        for file in files_named(Path(name), form):
            if isinstance(file, Failure):
                yield file
            elif tables is not None and tables.reads(file.name):
                yield from tables.documents(file.path, file.name, DEFAULT_LIMITS)
            elif form is None and needs_columns(file.name):
                yield refused(file.path, file.name, DEFAULT_LIMITS)
            else:
                yield from file.lines() if file.of_records else (file,)


def files_named(path: Path, form: Format | None) -> Iterator[Unread | Failure]:
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
        error = EmptyInput(f"folder {path} holds no file", "name a folder of documents, or a file")
        yield Failure.from_error(str(path), error)


def documents(items: Iterable[Unread | JsonLine | Document | Failure]) -> Iterator[Document | Failure]:
    """Yield the items of ``sources`` with every file and line read."""
    for item in items:
        match item:
            case Unread():
                yield from item.documents()
            case JsonLine():
                yield document_or_failure(item, DEFAULT_LIMITS)
            case _:
                yield item


def bytes_of(path: Path, name: str, limits: Limits) -> bytes:
    """Return the content of a regular file that is neither empty nor above the limits."""
    try:
        limits.check_file(path.stat().st_size, name)
        if not path.is_file():
            raise UnreadableInput(f"{name} is not a regular file", "name a file, or a folder of files")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingData(*why_missing(str(path))) from error
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be opened: {error.strerror or error}", "check its permissions") from error
    if not data:
        raise EmptyInput(f"{name} is an empty file", "give a file with at least one word")
    return data


def _begins_like_records(head: bytes) -> bool:
    return head.startswith(PACKED) or head.lstrip().startswith(b"{")


def _lines(stream: IO[bytes], name: str) -> Iterator[JsonLine | Failure]:
    """Yield the lines of a stream of JSON Lines while they arrive."""
    try:
        yield from streamed_lines(stream, name, DEFAULT_LIMITS)
    except KeywrightError as error:
        yield Failure.from_error(name, error)


def _closed(path: Path, error: OSError) -> UnreadableInput:
    return UnreadableInput(f"{path} cannot be opened: {error.strerror}", "name a file")


def _documents(form: Format, data: bytes, name: str) -> Iterator[Document | Failure]:
    content = form.load()(data, name, DEFAULT_LIMITS)
    yield from (content,) if isinstance(content, Document) else content
