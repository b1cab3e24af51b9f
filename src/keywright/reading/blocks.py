"""Blocks of text with their kind, and the text and sections they make together."""

from collections.abc import Iterable
from dataclasses import dataclass

from keywright.core.documents import Section, SectionKind

GAP = "\n\n"
"""What stands between two blocks in a document's text; sentences never cross it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, caption ... as a reader found it, and the kind of section that it stands in."""

    kind: SectionKind
    text: str


def assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    """Text and sections of a document made of blocks.

    Neighbouring blocks of one kind become one section, except titles and headings, which stay one section each. Body
    gets no section of its own. Empty blocks are passed over; no block gives an empty text.
    """
    pieces: list[str] = []
    sections: list[Section] = []
    at = 0
    for block in blocks:
        text = block.text.strip()
        if not text:
            continue
        if pieces:
            pieces.append(GAP)
            at += len(GAP)
        start, at = at, at + len(text)
        pieces.append(text)
        if block.kind == SectionKind.BODY:
            continue
        last = sections[-1] if sections else None
        alone = block.kind in {SectionKind.TITLE, SectionKind.HEADING}
        if last and last.kind == block.kind and not alone and start - last.end == len(GAP):
            sections[-1] = Section(block.kind, last.start, at)
        else:
            sections.append(Section(block.kind, start, at))
    return "".join(pieces), tuple(sections)
