"""Speed of reading: bytes of a file to a document."""

import os
from collections.abc import Iterator
from pathlib import Path

import papers
from measuring import Row, timed

from keywright.core.documents import Document
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.formats import format_of
from keywright.reading.formats.plain import read_plain
from keywright.reading.limits import Limits

_LIMITS = Limits()
_KINDS = {"pdf": ".pdf", "html": ".html", "jats": ".xml", "docx": ".docx", "tei": ".tei.xml"}


def plain(most: int | None) -> Iterator[Row]:
    """Bytes of plain texts to documents with sections."""
    files = [one.text.encode() for one in papers.bare_papers(most)]
    yield timed(("read plain text", "papers"), len(files), lambda: [read_plain(data, "x", _LIMITS) for data in files])


def sections(most: int | None) -> Iterator[Row]:
    """Sections of bare texts."""
    texts = [one.text for one in papers.bare_papers(most)]
    yield timed(("find sections", "papers"), len(texts), lambda: [find_sections(text) for text in texts])


def formats(most: int | None) -> Iterator[Row]:  # noqa: ARG001 - stages have one signature; there are few such files
    """Files with mark-up: those of the data folder and of the examples."""
    for kind, ending in _KINDS.items():
        files = [path for path in _files() if _is(kind, ending, path.name)]
        contents = [(path.read_bytes(), path.name) for path in files]
        read = [_read(data, name) for data, name in contents]
        pages = sum(len(one.meta.get("pages", ())) for one in read)
        unit, items = ("pages", pages) if kind == "pdf" else ("files", len(read))
        if items:
            note = f"{len(read)} files, {sum(len(one.text) for one in read):,} characters of text"
            yield timed((f"read {kind}", unit), items, lambda: [_read(*one) for one in contents], note=note)  # noqa: B023 - called at once


def _files() -> list[Path]:
    sample = Path(os.environ.get("KEYWRIGHT_MIRROR", "")) / "docs_sample"
    folders = [papers.EXAMPLES, *([sample] if sample.is_dir() else [])]
    return sorted(path for folder in folders for path in folder.iterdir())


def _is(kind: str, ending: str, name: str) -> bool:
    return name.endswith(ending) and not (kind == "jats" and ".tei." in name)


def _read(data: bytes, name: str) -> Document:
    found = format_of(data, name).load()(data, name, _LIMITS)
    return found if isinstance(found, Document) else next(iter(found))
