"""Labelled documents as JSON records, which every verb reads that takes labelled JSON Lines."""

from collections.abc import Iterable, Iterator
from typing import Any

from keywright.core.document_parts import all_sections
from keywright.core.documents import Document, Section


def labelled_record(
    document: Document, keyphrases: Iterable[str], *, rejected: Iterable[str] = (), by: str = ""
) -> dict[str, Any]:
    """Return the record of a document with keyphrases that a person chose.

    Args:
        document: with its sections, which are read back as they are.
        keyphrases: chosen ones, the most important first; each is listed once.
        rejected: phrases that the person was shown and did not choose, under a key of their own: no verb reads them.
        by: who chose, such as ``reader`` or ``indexer``; left out if empty.
    """
    record: dict[str, Any] = {"id": document.id}
    if document.sections:
        record["sections"] = [{"kind": section.kind.value, "text": text} for section, text in _parts(document)]
    else:
        record["text"] = document.text
    if document.language:
        record["language"] = document.language
    record["keyphrases"] = list(dict.fromkeys(keyphrases))
    if left := list(dict.fromkeys(rejected)):
        record["rejected"] = left
    return record | ({"by": by} if by else {})


def _parts(document: Document) -> Iterator[tuple[Section, str]]:
    """Yield the sections that have text, and the text between them as body."""
    for section in all_sections(document):
        text = document.text[section.start : section.end].strip()
        if text:
            yield section, text
