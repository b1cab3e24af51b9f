"""Documents from files, bytes and open files, whose format comes from a type, the content, or a name."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from keywright.core.documents import Document
from keywright.core.errors import BadParameter, EmptyInput, MissingData, UnreadableInput, UnsupportedFormat, unknown
from keywright.reading.file_names import is_address, why_missing
from keywright.reading.formats import BY_NAME, PLAIN, Format, Limits, format_of
from keywright.reading.sources import bytes_of, readable

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
        raise unknown("type", kind, BY_NAME, "keywright extract --help")
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
            raise MissingData(*why_missing(str(source)))
        file_name, is_text = Path(source).as_posix(), False
        data = bytes_of(Path(source), file_name, limits)
    else:
        file_name = _file_name(source) or name or ""
        data, is_text = _content(source)
        limits.check_file(len(data), name or file_name)
        if not data.strip():
            raise EmptyInput(f"{name or file_name or 'the source'} is empty", "give a document with at least one word")
    form = form or format_of(data, file_name)
    if form is PLAIN and not (kind or file_name or is_text):
        hint = "say what they are: kw.read(data, name='paper.txt') or kw.read(data, type='text')"
        raise UnsupportedFormat("the bytes have no name, and their content does not show a format", hint)
    yield from readable(form.load()(data, name or file_name or _UNNAMED, limits))


def _file_name(source: Any) -> str:
    """Return the name that a file was opened with; empty for bytes and for files without a name."""
    name = getattr(source, "name", None)
    return Path(name).as_posix() if isinstance(name, str) else ""


def _content(source: Any) -> tuple[bytes, bool]:
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
