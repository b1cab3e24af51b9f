"""Texts of keyphrase generation: title and abstract in one line, with a mark between them."""

import re
from typing import Final

from keywright.core.documents import Document, Section, SectionKind

_MARK: Final = re.compile(r"\s*(?:<eos>|<eot>|<sep>|\[sep\]|\[SEP\])\s*")


def document_of(name: str, source: str) -> Document:
    """Put title and abstract on two lines, without the first mark; a text without a mark has no sections."""
    title, *rest = _MARK.split(source, maxsplit=1)
    if not rest:
        return Document(name, source)
    text = f"{title}\n{rest[0]}"
    start = len(title) + 1
    sections = Section(SectionKind.TITLE, 0, len(title)), Section(SectionKind.ABSTRACT, start, len(text))
    return Document(name, text, sections)
