"""Documents with gold as records of JSON Lines, which are read as data sets."""

from collections.abc import Iterable, Iterator
from typing import Any

from keywright.core.citations import Citation
from keywright.core.document_parts import all_sections
from keywright.core.documents import Document, SectionKind
from keywright.core.predictions import Keyphrase


def labelled_record(
    document: Document, keyphrases: Iterable[Keyphrase], by: str, *, rejected: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the record of a document: its text by sections, its citation, and phrases as gold of a kind.

    Metadata that describe the file, such as where pages begin, are left out.

    Args:
        document: whose sections are read back as they are.
        keyphrases: that a person chose; each text is listed once, and its concept, if it has one, under ``concepts``.
        by: kind of the gold: ``author``, ``reader``, ``indexer`` ...
        rejected: phrases that the person was shown and did not choose. They are for people: no verb reads them.
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
    concepts = {keyphrase.text: keyphrase.concept for keyphrase in keyphrases}
    record |= {"keyphrases": list(concepts), "by": by}
    if any(concepts.values()):
        record["concepts"] = {text: concept.to_dict() for text, concept in concepts.items() if concept}
    others = list(dict.fromkeys(rejected))
    return record | ({"rejected": others} if others else {})


def _parts(document: Document) -> Iterator[tuple[SectionKind, str]]:
    """Yield the text of a document, piece by piece, each with the kind of its section, body where it has none."""
    for section in all_sections(document):
        if text := document.text[section.start : section.end].strip():
            yield section.kind, text
