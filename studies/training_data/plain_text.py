"""Documents of collections as the plain texts that users have."""

import re
from collections.abc import Iterator
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.formats.plain import document_of_text

_FIELDS: Final = frozenset({SectionKind.TITLE, SectionKind.ABSTRACT})
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def as_plain_text(document: Document) -> Document:
    """Return a document as the public reader reads its text alone: without fields, section marks or language.

    Title and abstract that a collection gives as fields are followed by a blank line, and keywords that it marks are
    left out, as they are the gold; sections that the reader found itself it has to find again.
    """
    text = document.text
    if document.sections not in {(), tuple(find_sections(text))}:
        text = _BLANK_LINES.sub("\n\n", "".join(_pieces(document))).strip()
    return document_of_text(text, document.id)


def _pieces(document: Document) -> Iterator[str]:
    """Yield the text in pieces: sections, and what is between them."""
    end = 0
    for section in document.sections:
        yield document.text[end : section.start]
        if section.kind is not SectionKind.KEYWORDS:
            yield document.text[section.start : section.end]
        if section.kind in _FIELDS:
            yield "\n\n"
        end = section.end
    yield document.text[end:]
