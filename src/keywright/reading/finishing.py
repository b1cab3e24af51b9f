"""The last step of all readers: limits, emptiness, coverage and author keywords of a document."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from keywright.core.documents import Coverage, Document, Section
from keywright.core.errors import EmptyInput
from keywright.reading.blocks import Block, assemble
from keywright.reading.keywords import printed_keywords, unique
from keywright.reading.limits import Limits

_WORD = re.compile(r"\w")
_LINE_BREAKS = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))
"""Soft hyphen, zero-width space and joiner, byte order mark; not U+200C and U+200D, which languages spell with."""

_THREE_LETTERS = {
    "eng": "en", "fra": "fr", "fre": "fr", "deu": "de", "ger": "de", "spa": "es", "por": "pt", "ita": "it",
    "rus": "ru", "zho": "zh", "chi": "zh", "jpn": "ja", "ara": "ar", "nld": "nl", "dut": "nl", "pol": "pl",
}  # fmt: skip


@dataclass(slots=True)
class LeftOut:
    """Number of things of each kind that a reader leaves out, and of their characters.

    >>> left = LeftOut()
    >>> left.add("table", 120); left.add("table", 80); left.warnings()
    ('left out: 2 tables',)
    """

    counts: dict[str, int] = field(default_factory=dict)
    characters: int = 0

    def add(self, what: str, characters: int) -> None:
        """Count one thing left out, named in the singular."""
        self.counts[what] = self.counts.get(what, 0) + 1
        self.characters += characters

    def warnings(self) -> tuple[str, ...]:
        """Return one line for all of it; none when nothing was left out."""
        if not self.counts:
            return ()
        things = (f"{count} {what}{'s' if count > 1 else ''}" for what, count in self.counts.items())
        return (f"left out: {', '.join(things)}",)


@dataclass(frozen=True, slots=True)
class Particulars:
    """A file's statements about its document apart from the text."""

    language: str | None = None
    keywords: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


def from_blocks(
    blocks: Iterable[Block], name: str, limits: Limits, left: LeftOut, about: Particulars = Particulars()
) -> Document:
    """Return the document of blocks, without characters that only allow line breaks; see ``from_text``."""
    text, sections = assemble(replace(block, text=block.text.translate(_LINE_BREAKS)) for block in blocks)
    return from_text((text, sections), name, limits, left, about)


def from_text(
    read: tuple[str, tuple[Section, ...]], name: str, limits: Limits, left: LeftOut, about: Particulars = Particulars()
) -> Document:
    """Return the document of a text with its sections.

    Raises:
        EmptyInput: the text has no word.
        TooLarge: it has more characters than the limits allow.
    """
    text, sections = read
    if not _WORD.search(text):
        raise EmptyInput(f"{name} holds no words", "give a file or text with at least one word")
    limits.check_text(len(text), name)
    keywords = unique([*about.keywords, *printed_keywords(text, sections)])
    meta = {**about.meta, "author_keywords": keywords} if keywords else dict(about.meta)
    coverage = Coverage(len(text), len(text) + left.characters)
    return Document(name, text, sections, iso_language(about.language), meta, coverage, left.warnings())


def iso_language(tag: str | None) -> str | None:
    """Return the ISO 639-1 code of a language tag such as ``en-GB``; None without a tag or a two-letter code."""
    code = re.split(r"[-_]", (tag or "").strip().lower())[0]
    code = _THREE_LETTERS.get(code, code)
    return code if len(code) == 2 and code.isalpha() else None  # noqa: PLR2004 - ISO 639-1 has two letters
