"""Sections of a collection's documents, as far as its files do not mark them."""

from dataclasses import replace

from keywright.core.documents import Document, Section, SectionKind
from keywright.reading.bare_text.sections import find_sections

_FRONT = {SectionKind.TITLE, SectionKind.AUTHORS, SectionKind.ABSTRACT}


def sectioned(document: Document) -> Document:
    """The document with sections found in bare text, and within a marked body; other marked sections stay."""
    if not document.sections:
        return replace(document, sections=find_sections(document.text))
    sections: list[Section] = []
    for section in document.sections:
        sections += _within(document.text, section) if section.kind == SectionKind.BODY else [section]
    return replace(document, sections=tuple(sections))


def _within(text: str, body: Section) -> list[Section]:
    """Sections of a body; what looks like a title or an abstract there is body, for those are marked elsewhere."""
    return [
        Section(
            SectionKind.BODY if found.kind in _FRONT else found.kind, body.start + found.start, body.start + found.end
        )
        for found in find_sections(text[body.start : body.end])
    ]
