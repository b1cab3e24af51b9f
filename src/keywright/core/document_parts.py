"""The whole text of a document in sections, those that its reader found and the text between them."""

from collections.abc import Iterator

from keywright.core.documents import Document, Section, SectionKind


def all_sections(document: Document) -> Iterator[Section]:
    """Yield the sections, and the text between them as body."""
    at = 0
    for section in document.sections:
        yield Section(SectionKind.BODY, at, section.start)
        yield section
        at = section.end
    yield Section(SectionKind.BODY, at, len(document.text))
