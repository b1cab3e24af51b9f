"""Documents with gold as records of JSON Lines, which are read as data sets."""

from collections.abc import Iterator, Sequence
from typing import Any

from keywright.core.citations import Citation
from keywright.core.documents import Document, SectionKind


def labelled_record(document: Document, phrases: Sequence[str], by: str) -> dict[str, Any]:
    """Return the record of a document: its text by sections, its citation, and the phrases as gold of a kind.

    Metadata that describe the file, such as where pages begin, are left out.
    """
    record: dict[str, Any] = {"id": document.id}
    parts = list(_parts(document))
    title = next((text for kind, text in parts[:1] if kind is SectionKind.TITLE), "")
    if title:
        parts = parts[1:]
    if len(parts) == 1 and parts[0][0] is SectionKind.BODY:
        texts: dict[str, Any] = {"text": parts[0][1]}
    else:
        texts = {"sections": [{"kind": kind.value, "text": text} for kind, text in parts]}
    citation = Citation.from_meta(document.meta).as_meta()
    record |= ({"title": title} if title else {}) | texts
    record |= {"language": document.language} if document.language else {}
    record |= {name: value for name, value in citation.items() if name != "title"}
    return record | {"keyphrases": list(phrases), "by": by}


def _parts(document: Document) -> Iterator[tuple[SectionKind, str]]:
    """Yield the text of a document, piece by piece, each with the kind of its section, body where it has none."""
    at = 0
    for section in document.sections:
        yield from _body(document.text[at : section.start])
        if text := document.text[section.start : section.end].strip():
            yield section.kind, text
        at = section.end
    yield from _body(document.text[at:])


def _body(text: str) -> Iterator[tuple[SectionKind, str]]:
    if text := text.strip():
        yield SectionKind.BODY, text
