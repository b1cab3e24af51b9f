"""Blocks of a document as its reader finds them: kinds by the headings above, then one finished text with sections."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from keywright.core.documents import Coverage, Document, Section, SectionKind
from keywright.core.errors import EmptyInput
from keywright.reading.bare_text.asides import mark_asides
from keywright.reading.headings import drop_repeated, kind_of_heading, printed_keywords, run_in_heading
from keywright.reading.language_identification import find_language
from keywright.reading.limits import Limits

GAP: Final = "\n\n"  # separator of two blocks in a document's text; sentences never cross it
_LONGEST_RUN_IN: Final = 60
"""Characters of a block that are searched for a run-in heading; the longest known one has 40."""
_WORD: Final = re.compile(r"\w")
_INVISIBLE: Final = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Soft hyphen, zero-width space and joiner, marks of direction, and byte order mark."""
_IDLE_JOINER: Final = re.compile("(?<![\u0590-\u1fff\u2600-\U0001ffff])[\u200c\u200d]+")
"""Joiners behind letters of Europe and signs; Arabic and Indic languages spell with them, and emoji need them."""


class Block(NamedTuple):
    """A paragraph, heading, caption ... and the kind of section that it is part of."""

    kind: SectionKind
    text: str


class Heading(NamedTuple):
    """A heading of the document itself; ``level`` 1 is the outermost."""

    text: str
    level: int = 1


@dataclass(slots=True)
class Outline:
    """The section of known kind that the text is in, until the next heading of the same or an outer level.

    A heading that opens references, acknowledgements ... inside another known section takes over at any level.
    """

    kind: SectionKind = SectionKind.BODY
    level: int = 0

    def enter(self, opens: SectionKind | None, level: int) -> None:
        """Pass a heading that opens a section of a known kind, or of none."""
        if opens is not None or level <= self.level:
            self.kind, self.level = opens or SectionKind.BODY, level


@dataclass(slots=True)
class LeftOut:
    """Number of things of each kind that a reader leaves out, and of their characters."""

    counts: dict[str, int] = field(default_factory=dict)
    characters: int = 0

    def add(self, what: str, characters: int) -> None:
        """Count one thing left out, named in the singular."""
        self.counts[what] = self.counts.get(what, 0) + 1
        self.characters += characters

    def warnings(self) -> tuple[str, ...]:
        """Return one line for all of it; none when nothing was left out."""
        things = (f"{count} {what}{'s' if count > 1 else ''}" for what, count in self.counts.items())
        return (f"left out: {', '.join(things)}",) if self.counts else ()


@dataclass(frozen=True, slots=True)
class Particulars:
    """A file's statements about its document apart from the text."""

    language: str | None = None
    keywords: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


def blocks_under(parts: Iterable[Heading | Block]) -> Iterator[Block]:
    """Yield blocks, headings among them; body takes the kind of the heading above, other kinds stay."""
    outline = Outline()
    for part in parts:
        if isinstance(part, Heading):
            outline.enter(kind_of_heading(part.text), part.level)
            yield Block(SectionKind.HEADING, part.text)
        else:
            yield Block(outline.kind, part.text) if part.kind == SectionKind.BODY else part


def _with_run_in_headings(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks; body that begins with "Keywords:" ... gets that kind, with "Abstract—" only above all headings."""
    above = True
    for block in blocks:
        above = above and block.kind != SectionKind.HEADING
        run_in = run_in_heading(block.text[:_LONGEST_RUN_IN]) if block.kind == SectionKind.BODY else None
        is_opened = run_in and (above or run_in[0] != SectionKind.ABSTRACT)
        yield Block(run_in[0], block.text) if run_in and is_opened else block


def drop_invisible(text: str) -> str:
    """Return a text without characters that are not seen, which only say how lines break and run."""
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", text)
    return _IDLE_JOINER.sub("", text) if "\u200c" in text or "\u200d" in text else text


def assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    """Join blocks to a text and its sections, neighbours of one kind, but titles and headings; body has no section."""
    pieces: list[str] = []
    sections: list[Section] = []
    length = 0
    for block in blocks:
        text = block.text.strip()
        if not text:
            continue
        if pieces:
            pieces.append(GAP)
            length += len(GAP)
        start, length = length, length + len(text)
        pieces.append(text)
        if block.kind == SectionKind.BODY:
            continue
        last = sections[-1] if sections else None
        alone = block.kind in {SectionKind.TITLE, SectionKind.HEADING}
        if last and last.kind == block.kind and not alone and start - last.end == len(GAP):
            sections[-1] = Section(block.kind, last.start, length)
        else:
            sections.append(Section(block.kind, start, length))
    return "".join(pieces), tuple(sections)


def from_parts(
    parts: Iterable[Heading | Block],
    name: str,
    limits: Limits,
    left: LeftOut,
    about: Particulars = Particulars(),
    *,
    run_in: bool = False,
) -> Document:
    """Return the document of headings and blocks; ``run_in``: paragraphs can begin with their heading."""
    blocks = _with_run_in_headings(blocks_under(parts)) if run_in else blocks_under(parts)
    text, sections = assemble(Block(block.kind, drop_invisible(block.text)) for block in blocks)
    return from_text((text, mark_asides(text, sections)), name, limits, left, about)


def from_text(
    read: tuple[str, tuple[Section, ...]], name: str, limits: Limits, left: LeftOut, about: Particulars = Particulars()
) -> Document:
    """Return the document of a text with its sections."""
    text, sections = read
    if not _WORD.search(text):
        raise EmptyInput(f"{name} holds no words", "give a file or text with at least one word")
    limits.check_text(len(text), name)
    keywords = drop_repeated([*about.keywords, *printed_keywords(text, sections)])
    meta = {**about.meta, "author_keywords": keywords} if keywords else dict(about.meta)
    coverage = Coverage(len(text), len(text) + left.characters)
    return Document(name, text, sections, find_language(about.language), meta, coverage, left.warnings())
