"""Documents from bytes of a known format: standard input, and files that neither content nor name gives away."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final

from keywright.core.documents import Document
from keywright.core.errors import EmptyInput, KeywrightError, UnreadableInput, unknown
from keywright.core.runs import Failure
from keywright.reading.formats import DOCX, HTML, JATS, JSONL, MARKDOWN, PDF, PLAIN, TEI, Format
from keywright.reading.jsonl import read_jsonl_on
from keywright.reading.limits import Limits

KINDS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "text": PLAIN,
        "markdown": MARKDOWN,
        "html": HTML,
        "pdf": PDF,
        "jats": JATS,
        "tei": TEI,
        "docx": DOCX,
        "jsonl": JSONL,
    }
)
"""Formats by the short names that people type."""


def kind(name: str) -> Format:
    """A format by its short name.

    Raises:
        UnknownName: there is none of this name.
    """
    if name not in KINDS:
        raise unknown("input format", name, KINDS, "keywright extract --help")
    return KINDS[name]


def read_stream(stream: IO[bytes], name: str, form: Format = PLAIN) -> Iterator[Document | Failure]:
    """The documents in a stream; what cannot be read is a failure among them."""
    limits = Limits()
    data = stream.read(limits.file_bytes + 1)
    try:
        limits.check_file(len(data), name)
        if not data.strip():
            raise EmptyInput(f"{name} is empty", "give a text with at least one word")
        if form is JSONL:
            yield from read_jsonl_on(data, name, limits)
            return
        found = form.load()(data, name, limits)
        yield from [found] if isinstance(found, Document) else found
    except KeywrightError as error:
        yield Failure(name, error.code, error.message, error.hint)


def read_as(path: Path, form: Format) -> Iterator[Document | Failure]:
    """The documents in a file of a format that the caller knows."""
    try:
        with path.open("rb") as stream:
            yield from read_stream(stream, path.name, form)
    except OSError as error:
        unreadable = UnreadableInput(f"{path} cannot be opened: {error.strerror}", "name a file; folders tell formats")
        yield Failure(path.name, unreadable.code, unreadable.message, unreadable.hint)
