"""Sections of a collection's documents that its files do not mark."""

from dataclasses import replace

from keywright.core.documents import Document, Section, SectionKind
from keywright.reading.bare_text.sections import find_sections

_FRONT = {SectionKind.TITLE, SectionKind.AUTHORS, SectionKind.ABSTRACT}


def sectioned(document: Document) -> Document:
    """Return the document with sections found in bare text, and within a marked body; other marked sections stay."""
    if not document.sections:
        return replace(document, sections=find_sections(document.text))
    sections: list[Section] = []
    for section in document.sections:
        sections += _within(document.text, section) if section.kind == SectionKind.BODY else [section]
    return replace(document, sections=tuple(sections))


def _within(text: str, body: Section) -> list[Section]:
    """Return the sections of a body; titles and abstracts are marked elsewhere, so that those found here are body."""
    return [
        Section(
            SectionKind.BODY if section.kind in _FRONT else section.kind,
            body.start + section.start,
            body.start + section.end,
        )
        for section in find_sections(text[body.start : body.end])
    ]
