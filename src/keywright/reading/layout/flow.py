"""Paragraphs of pages to blocks of a document: sentences joined over columns and pages. Pure functions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.blocks import Block, Heading, blocks_under
from keywright.reading.headings import run_in_heading
from keywright.reading.layout.front import LONGEST_KEYWORDS
from keywright.reading.layout.hyphens import Vocabulary, rejoined
from keywright.reading.layout.paragraphs import Paragraph, ends_sentence

FLOATS: Final = frozenset({"caption", "footnote"})
"""Kinds of paragraphs that a page breaks running text with."""

SAME_SIZE: Final = 0.3
"""Points by which type of one size differs at most."""

_NEW_ITEM = re.compile(r"[•◦▪‣●○■]|[—–*-]\s?[A-Za-z]|\(?(?:\d{1,2}|[a-z])[.)]\s|\[\w[\w+, -]{0,12}\]")
_NOTICE = re.compile(
    r"permission to (?:make|copy)|copyright|©|\(c\) |this work is licensed|licensed under|all rights reserved"
    r"|manuscript received|received:? \d|[∗*†‡]?\s?corresponding author|preprint submitted",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A block and, for each page that it has text of, where in it that text begins."""

    block: Block
    pages: tuple[tuple[int, int], ...]


def flowing(regions: Iterable[Sequence[Paragraph]]) -> list[Paragraph]:
    """Paragraphs of all regions in order, those that a column, a page or a float broke joined again.

    A paragraph goes on in the next column when it stopped within a sentence; in the same column only when the next
    one begins with a small letter, as after a formula. Captions and footnotes in between come after the whole.
    """
    found: list[Paragraph] = []
    open_at: int | None = None
    for region in regions:
        for place, paragraph in enumerate(region):
            if paragraph.kind in FLOATS:
                found.append(paragraph)
                continue
            if place == 0 and found and _caption_goes_on(found, open_at, paragraph):
                found[-1] = replace(found[-1], lines=found[-1].lines + paragraph.lines)
                continue
            if open_at is not None and _goes_on(found[open_at], paragraph, new_column=place == 0):
                found[open_at] = replace(
                    found[open_at], lines=found[open_at].lines + paragraph.lines, right=paragraph.right
                )
                continue
            found.append(paragraph)
            open_at = len(found) - 1 if paragraph.kind in {"body", SectionKind.ABSTRACT} else None
    return found


def _caption_goes_on(found: Sequence[Paragraph], open_at: int | None, paragraph: Paragraph) -> bool:
    """Whether a caption that stopped within a sentence goes on in the next column, in its own size of type."""
    caption, first = found[-1], paragraph.lines[0]
    if caption.kind != "caption" or ends_sentence(caption.text) or paragraph.kind != "body":
        return False
    other = found[open_at].lines[-1].size if open_at is not None else 0.0
    same = abs(first.size - caption.lines[-1].size) < SAME_SIZE
    return same and first.text[0].islower() and abs(other - first.size) >= SAME_SIZE


def _goes_on(open_: Paragraph, paragraph: Paragraph, *, new_column: bool) -> bool:
    if paragraph.kind != open_.kind:
        return False
    last, first = open_.lines[-1].text, paragraph.lines[0].text
    if first[0].islower() and not _NEW_ITEM.match(first):
        return True
    floated = paragraph.lines[0].page != open_.lines[-1].page or new_column
    full = open_.lines[-1].right > open_.right - 2 * open_.lines[-1].size or not first[0].isupper()
    return floated and full and not ends_sentence(last) and not _NEW_ITEM.match(first)


def placed(found: Sequence[Paragraph]) -> list[Placed]:
    """Blocks of the document with their kinds, words broken at line ends put together."""
    vocabulary = Vocabulary(line.text for paragraph in found for line in paragraph.lines)
    parts: list[Heading | Block] = []
    pages: list[tuple[tuple[int, int], ...]] = []
    for paragraph in found:
        text, begins = rejoined([line.text for line in paragraph.lines], vocabulary)
        for part, start in _parts(paragraph, text):
            parts.append(part)
            pages.append(_pages(paragraph, begins, start, start + len(part.text)))
    blocks = blocks_under(parts)
    return [Placed(_short_keywords(block), where) for block, where in zip(blocks, pages, strict=True)]


def _parts(paragraph: Paragraph, text: str) -> Iterator[tuple[Heading | Block, int]]:
    """A paragraph as one block, or as two when a heading is run in; each with its place in the paragraph's text."""
    if paragraph.kind == "heading":
        yield Heading(text, paragraph.level), 0
        return
    run_in = run_in_heading(text) if paragraph.kind in {"body", SectionKind.ABSTRACT} else None
    if run_in:
        kind, length = run_in
        yield Block(SectionKind.HEADING, text[:length].strip(" :.—–-")), 0
        rest = text[length:]
        skipped = len(rest) - len(rest.lstrip())
        yield Block(kind, rest.strip()), length + skipped
        return
    kind = SectionKind.BODY if paragraph.kind == "footnote" else SectionKind(paragraph.kind)
    if kind in {SectionKind.BODY, SectionKind.AUTHORS} and _NOTICE.match(text):
        kind = SectionKind.NOTICE
    yield Block(kind, text), 0


def _pages(paragraph: Paragraph, begins: Sequence[int], start: int, end: int) -> tuple[tuple[int, int], ...]:
    first: dict[int, int] = {}
    for line, begin in zip(paragraph.lines, begins, strict=True):
        if begin < end:
            first.setdefault(line.page, max(begin - start, 0))
    return tuple(first.items())


def _short_keywords(block: Block) -> Block:
    """Text under a keywords heading that is too long to be keywords is text."""
    long = block.kind == SectionKind.KEYWORDS and len(block.text.split()) > LONGEST_KEYWORDS
    return Block(SectionKind.BODY, block.text) if long else block
