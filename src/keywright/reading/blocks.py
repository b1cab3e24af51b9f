"""Blocks of a document as its reader finds them: their kinds by the headings above, then one text with sections."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.reading.headings import kind_of_heading, run_in_heading

GAP: Final = "\n\n"
"""Separator of two blocks in a document's text; sentences never cross it."""

_LONGEST_RUN_IN: Final = 60
"""Characters of a block that are searched for a run-in heading; the longest known one has 40."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, caption ... and the kind of section that it is part of."""

    kind: SectionKind
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the document itself; ``level`` 1 is the outermost."""

    text: str
    level: int = 1


@dataclass(slots=True)
class Outline:
    """The section of known kind that the text is in, updated by each heading.

    Text after a heading of known kind is of that kind until the next heading of the same or an outer level. A heading
    that opens references, acknowledgements ... inside another known section takes over: papers put such headings at
    any level.
    """

    kind: SectionKind = SectionKind.BODY
    level: int = 0

    def enter(self, opens: SectionKind | None, level: int) -> None:
        """Pass a heading that opens a section of a known kind, or of none."""
        if opens is not None or level <= self.level:
            self.kind, self.level = opens or SectionKind.BODY, level


def blocks_under(parts: Iterable[Heading | Block]) -> Iterator[Block]:
    """Yield blocks, headings among them; body takes the kind of the heading above, other kinds stay."""
    outline = Outline()
    for part in parts:
        if isinstance(part, Heading):
            outline.enter(kind_of_heading(part.text), part.level)
            yield Block(SectionKind.HEADING, part.text)
        elif part.kind == SectionKind.BODY:
            yield Block(outline.kind, part.text)
        else:
            yield part


def with_run_in_headings(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks; body that begins with "Keywords:" ... gets that kind, with "Abstract—" only above all headings."""
    above = True
    for block in blocks:
        above = above and block.kind != SectionKind.HEADING
        run_in = run_in_heading(block.text[:_LONGEST_RUN_IN]) if block.kind == SectionKind.BODY else None
        if run_in and (above or run_in[0] != SectionKind.ABSTRACT):
            yield Block(run_in[0], block.text)
        else:
            yield block


def assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    """Join blocks to the text of a document and its sections.

    Neighbouring blocks of one kind become one section, except titles and headings, which stay one section each. Body
    gets no section of its own. Empty blocks are skipped; no block gives an empty text.
    """
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
