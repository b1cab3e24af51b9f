"""Files, folders, bytes and standard input to documents; a file is read when and where there is time."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from keywright.core.documents import Document
from keywright.core.errors import (
    BadParameter,
    BadRecord,
    EmptyInput,
    KeywrightError,
    MissingData,
    UnreadableInput,
    UnsupportedFormat,
    unknown_name,
)
from keywright.core.predictions import Failure
from keywright.reading.file_names import explain_missing, is_address, path_exists, shorten
from keywright.reading.formats import BY_NAME, HEAD, JSONL, PACKED, PLAIN, Format, Limits, check_format, format_of
from keywright.reading.jsonl import document_or_failure
from keywright.reading.record_lines import JsonLine, streamed_lines
from keywright.reading.tables.files import NamedTables, needs_columns, refuse_table
from keywright.reading.tables.rows import TableColumns


def files_under(folder: Path) -> Iterator[Path | tuple[Path, UnreadableInput]]:
    """Yield the files under a folder in the order of their paths, and an error for each folder that cannot be listed.

    Hidden files and folders, linked folders, pipes and devices are left out; links to nothing are among the files, so
    that they are reported.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208 - names only, of any number
    except OSError as error:
        message = f"the folder {folder} cannot be opened: {error.strerror or error}"
        yield folder, UnreadableInput(message, "check its permissions; nothing in it was read")
        return
    for name in names:
        path = folder / name
        if path.is_dir():
            if not path.is_symlink():
                yield from files_under(path)
        elif path.is_file() or path.is_symlink():
            yield path


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
            yield Failure.from_error(self.name, _cannot_open(self.path, error))

    def _recognised(self) -> Iterator[Document | Failure]:
        """Yield the documents in a file whose format its content and name show; a file of records is streamed."""
        if self.is_jsonl:
            with self.path.open("rb") as stream:
                yield from read_documents(_stream_lines(stream, self.name))
            return
        data = read_bytes(self.path, self.name, DEFAULT_LIMITS)  # refuses what is not a file that can be read
        yield from _read_content(format_of(data, self.name), data, self.name)

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
            yield Failure.from_error(self.name, _cannot_open(self.path, error))


def read_file(path: str | Path, limits: Limits = DEFAULT_LIMITS, name: str | None = None) -> Iterator[Document]:
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
        raise MissingData(*explain_missing(str(path)))
    path = Path(path)
    name = name or path.as_posix()
    data = read_bytes(path, name, limits)
    yield from check_documents(format_of(data, name).load()(data, name, limits))


def check_documents(content: Document | Iterator[Document] | Iterator[Document | Failure]) -> Iterator[Document]:
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
            yield from read_documents(_stream_lines(stream, name))
            return
        data = stream.read(DEFAULT_LIMITS.file_bytes + 1)
        DEFAULT_LIMITS.check_file(len(data), name)
        if not data.strip():
            raise EmptyInput(f"{name} is empty", "give a text with at least one word")
        check_format(form, data, name)
        yield from _read_content(form, data, name)
    except KeywrightError as error:
        yield Failure.from_error(name, error)


def find_sources(
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
            yield from _stream_lines(stdin, "stdin") if form is JSONL else read_stream(stdin, "stdin", form or PLAIN)
            continue
        if not path_exists(name):
            label = str(name) if len(str(name)) <= _LONGEST_NAME else shorten(str(name))
            yield Failure.from_error(label, UnreadableInput(*explain_missing(str(name))))
            continue
        for file in find_files(Path(name), form):
            if isinstance(file, Failure):
                yield file
            elif tables is not None and tables.reads(file.name):
                yield from tables.documents(file.path, file.name, DEFAULT_LIMITS)
            elif form is None and needs_columns(file.name):
                yield refuse_table(file.path, file.name, DEFAULT_LIMITS)
            else:
                yield from file.lines() if file.of_records else (file,)


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
        error = EmptyInput(f"folder {path} holds no file", "name a folder of documents, or a file")
        yield Failure.from_error(str(path), error)


def read_documents(items: Iterable[Unread | JsonLine | Document | Failure]) -> Iterator[Document | Failure]:
    """Yield the items of ``sources`` with every file and line read."""
    for item in items:
        match item:
            case Unread():
                yield from item.documents()
            case JsonLine():
                yield document_or_failure(item, DEFAULT_LIMITS)
            case _:
                yield item


def read_bytes(path: Path, name: str, limits: Limits) -> bytes:
    """Return the content of a regular file that is neither empty nor above the limits."""
    try:
        limits.check_file(path.stat().st_size, name)
        if not path.is_file():
            raise UnreadableInput(f"{name} is not a regular file", "name a file, or a folder of files")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingData(*explain_missing(str(path))) from error
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be opened: {error.strerror or error}", "check its permissions") from error
    if not data:
        raise EmptyInput(f"{name} is an empty file", "give a file with at least one word")
    return data


def _begins_like_records(head: bytes) -> bool:
    return head.startswith(PACKED) or head.lstrip().startswith(b"{")


def _stream_lines(stream: IO[bytes], name: str) -> Iterator[JsonLine | Failure]:
    """Yield the lines of a stream of JSON Lines while they arrive."""
    try:
        yield from streamed_lines(stream, name, DEFAULT_LIMITS)
    except KeywrightError as error:
        yield Failure.from_error(name, error)


def _cannot_open(path: Path, error: OSError) -> UnreadableInput:
    return UnreadableInput(f"{path} cannot be opened: {error.strerror}", "name a file")


def _read_content(form: Format, data: bytes, name: str) -> Iterator[Document | Failure]:
    content = form.load()(data, name, DEFAULT_LIMITS)
    yield from (content,) if isinstance(content, Document) else content


Source: TypeAlias = str | Path | bytes | bytearray | memoryview | IO[Any]
"""A path, bytes, or an open file."""
_MEDIA_TYPES: Final = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/marc": "marc",
    "application/marcxml+xml": "marcxml",
    "application/xhtml+xml": "html",
    "text/html": "html",
    "text/markdown": "markdown",
    "text/plain": "text",
}
"""Formats by their registered media types."""
_UNNAMED: Final = "document"
"""Id of a document whose source has no name."""


def format_of_type(kind: str) -> Format:
    """Return the format of a short name, the ending of a file name, or a media type: ``pdf``, ``.pdf``, ``text/html``.

    Raises:
        UnknownName: there is no such format.
    """
    plain = kind.strip().casefold().partition(";")[0].rstrip()
    endings = {ending: form for form in BY_NAME.values() for ending in form.extensions}
    form = BY_NAME.get(_MEDIA_TYPES.get(plain, plain)) or endings.get(f".{plain.removeprefix('.')}")
    if form is None:
        raise unknown_name("type", kind, BY_NAME, "keywright extract --help")
    return form


def read_source(source: Source, name: str | None = None, kind: str | None = None) -> Iterator[Document]:
    """Yield the documents in a file, in bytes, or in an open file, which is read from where it is to its end.

    Args:
        source: path of a file, bytes, or a file opened in binary or text mode.
        name: id of the document; its ending may show the format of bytes. None takes the name of the file.
        kind: format, as for ``format_of_type``; None recognises it from content and name.

    Raises:
        UnknownName: there is no such type.
        UnsupportedFormat: neither content, name nor type shows the format, or it is one that is not read.
        UnreadableInput: any other trouble with the content; see its subclasses.
    """
    limits = Limits()
    form = format_of_type(kind) if kind else None
    if isinstance(source, str | Path):
        if is_address(str(source)):  # a path would lose one of its slashes
            raise MissingData(*explain_missing(str(source)))
        file_name, is_text = Path(source).as_posix(), False
        data = read_bytes(Path(source), file_name, limits)
    else:
        file_name = _file_name_of(source) or name or ""
        data, is_text = _read_source_bytes(source)
        limits.check_file(len(data), name or file_name)
        if not data.strip():
            raise EmptyInput(f"{name or file_name or 'the source'} is empty", "give a document with at least one word")
    form = form or format_of(data, file_name)
    if form is PLAIN and not (kind or file_name or is_text):
        hint = "say what they are: kw.read(data, name='paper.txt') or kw.read(data, type='text')"
        raise UnsupportedFormat("the bytes have no name, and their content does not show a format", hint)
    yield from check_documents(form.load()(data, name or file_name or _UNNAMED, limits))


def _file_name_of(source: Any) -> str:
    """Return the name that a file was opened with; empty for bytes and for files without a name."""
    name = getattr(source, "name", None)
    return Path(name).as_posix() if isinstance(name, str) else ""


def _read_source_bytes(source: Any) -> tuple[bytes, bool]:
    """Return the bytes of a source, and whether it gave text."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), False
    if not callable(getattr(source, "read", None)):
        expected = "expected a path, bytes, or an open file"
        raise BadParameter(f"a value of type {type(source).__name__} is not a source of a document", expected)
    try:
        content = source.read()
    except (OSError, ValueError) as error:  # a closed file, or bytes that are not in the encoding of the file
        reason = f"{getattr(source, 'name', 'the file')} cannot be read: {error}"
        raise UnreadableInput(reason, "open it in binary mode: open(path, 'rb')") from error
    if isinstance(content, str):
        return content.encode("utf-8", "surrogatepass"), True
    return bytes(content), False
