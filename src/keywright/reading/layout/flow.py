"""Paragraphs of pages to blocks of a document: sentences joined over columns and pages, words over lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from keywright.core.documents import SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.blocks import Block, Heading, blocks_under
from keywright.reading.headings import run_in_heading
from keywright.reading.layout.lines import Paragraph
from keywright.reading.layout.paragraphs import ends_sentence
from keywright.reading.page_numbers import PRINT

_FLOATS: Final = frozenset({"caption", "footnote"})  # kinds of paragraphs that may be set in the middle of running text
_NEW_ITEM = re.compile(r"[•◦▪‣●○■]|[—–*-]\s?[A-Za-z]|\(?(?:\d{1,2}|[a-z])[.)]\s|\[\w[\w+, -]{0,12}\]")
_NOTICE = re.compile(read_patterns("reading/patterns.txt")["PRINTED_NOTICES"], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placed:
    """A block and, for each page that it has text of, where in it that text begins."""

    block: Block
    pages: tuple[tuple[int, int], ...]


def join_broken(regions: Sequence[Sequence[Paragraph]], floats: Sequence[bool] = ()) -> list[Paragraph]:
    """Return paragraphs in order, those joined that stop within a sentence at a column, a page or a float.

    ``floats``: which regions are boxes, which the text around them passes by; none without.
    """
    joined: list[Paragraph] = []
    open_at: int | None = None  # place of the paragraph that may continue
    for region, is_float in zip_longest(regions, floats):
        for place, paragraph in enumerate(region):
            if paragraph.kind in _FLOATS or is_float:
                joined.append(paragraph)
            elif place == 0 and joined and _caption_continues(joined, open_at, paragraph):
                joined[-1] = _extend(joined[-1], paragraph)
            elif open_at is not None and _continues(joined[open_at], paragraph, new_column=place == 0):
                joined[open_at] = _extend(joined[open_at], paragraph)
            else:
                joined.append(paragraph)
                open_at = len(joined) - 1 if paragraph.kind in {"body", SectionKind.ABSTRACT} else None
    return joined


def _extend(paragraph: Paragraph, more: Paragraph) -> Paragraph:
    return replace(paragraph, lines=paragraph.lines + more.lines, right=more.right)


def _caption_continues(before: Sequence[Paragraph], open_at: int | None, paragraph: Paragraph) -> bool:
    """Return whether a caption that stopped within a sentence continues in the next column, in its own size of type."""
    caption, first = before[-1], paragraph.lines[0]
    if caption.kind != "caption" or ends_sentence(caption.text) or paragraph.kind != "body":
        return False
    text_size = before[open_at].lines[-1].size if open_at is not None else 0.0
    same = abs(first.size - caption.lines[-1].size) < PRINT.caption_size
    return same and first.text[0].islower() and abs(text_size - first.size) >= PRINT.caption_size


def _continues(before: Paragraph, paragraph: Paragraph, *, new_column: bool) -> bool:
    if paragraph.kind != before.kind:
        return False
    last, first = before.lines[-1], paragraph.lines[0]
    if _NEW_ITEM.match(first.text):
        return False
    if first.text[0].islower():
        return True
    full = last.right > before.right - PRINT.column_end * last.size or not first.text[0].isupper()
    return (new_column or first.page != last.page) and full and not ends_sentence(last.text)


def place_blocks(paragraphs: Sequence[Paragraph]) -> list[Placed]:
    """Return blocks of the document with their kinds, words broken at line ends rejoined."""
    vocabulary = Vocabulary(line.text for paragraph in paragraphs for line in paragraph.lines)
    parts: list[Heading | Block] = []
    pages: list[tuple[tuple[int, int], ...]] = []
    for paragraph in paragraphs:
        text, begins = rejoin_lines([line.text for line in paragraph.lines], vocabulary)
        for part, start in _parts(paragraph, text):
            parts.append(part)
            first: dict[int, int] = {}
            for line, begin in zip(paragraph.lines, begins, strict=True):
                if begin < start + len(part.text):
                    first.setdefault(line.page, max(begin - start, 0))
            pages.append(tuple(first.items()))
    # Text under a keywords heading that is too long to be keywords is body.
    long = [len(part.text.split()) > PRINT.longest_keywords for part in parts]
    blocks = [
        Block(SectionKind.BODY, block.text) if block.kind == SectionKind.KEYWORDS and is_long else block
        for block, is_long in zip(blocks_under(parts), long, strict=True)
    ]
    return [Placed(block, where) for block, where in zip(blocks, pages, strict=True)]


def _parts(paragraph: Paragraph, text: str) -> Iterator[tuple[Heading | Block, int]]:
    """Yield a paragraph as one block, or two for a run-in heading, each with its place in the paragraph's text."""
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


_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BROKEN = re.compile(r"\S+-$")
_LAST = re.compile(r"[\w'’-]+$")
_FIRST = re.compile(r"[\w'’-]+")
_DASHES: Final = ("–", "—")
_LONGEST: Final = 60  # characters of a word, more than any has: bounds the search at a line's end
_CONJUNCTIONS: Final = frozenset({"and", "or", "to", "und", "oder", "bis"})


class Vocabulary:
    """Number of times that a document uses each word, halves not counted: it tells a broken word from a compound."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.counts: Counter[str] = Counter()
        broken = False
        for line in lines:
            words = _WORD.findall(line.lower())
            if broken:
                words = words[1:]
            broken = bool(_BROKEN.search(line))
            self.counts.update(words[:-1] if broken else words)
        for word, count in list(self.counts.items()):
            if "-" in word:
                for part in word.split("-"):
                    self.counts[part] += count

    def keeps_hyphen(self, first: str, second: str) -> bool:
        """Return whether ``first-`` at a line's end and ``second`` on the next line are a compound.

        They are when the document has the hyphenated form more often than the joined one; when it has neither, if both
        halves are words of it, or if the second begins with a capital or digit (``CoNLL-2003``, ``non-Gaussian``).
        """
        if not second or not first or not (first[-1].isalpha() and second[0].isalpha()):
            return True
        before, after = first.lower(), second.lower()
        joined, hyphenated = self.counts[before + after], self.counts[f"{before}-{after}"]
        if joined or hyphenated:
            return hyphenated > joined
        if second[0].isupper() and not (first.isupper() and second.isupper()):
            return True
        last, next_ = before.rsplit("-", 1)[-1], after.split("-", 1)[0]
        if "-" in before:
            return self.counts[last] > 0
        if self.counts[before + next_] or len(last) <= PRINT.prefix or len(next_) <= PRINT.ending:
            return False
        return self.counts[last] > 0 and self.counts[next_] > 0


def rejoin_lines(lines: Iterable[str], vocabulary: Vocabulary) -> tuple[str, list[int]]:
    """Return lines as one running text, and where each begins in it; an empty one begins where the next does."""
    parts: list[str] = []
    begins: list[int] = []
    length = 0
    for line in lines:
        if parts and line:
            link, cut = link_lines(parts[-1], line, vocabulary)
            parts[-1] = parts[-1][: len(parts[-1]) - cut] + link
            length += len(link) - cut
        begins.append(length)
        if line:
            parts.append(line)
            length += len(line)
    return "".join(parts), begins


def link_lines(text: str, line: str, vocabulary: Vocabulary) -> tuple[str, int]:
    """Return the text between two lines, and the number of characters that it replaces at the end of the first."""
    if text.endswith(_DASHES) and not text.endswith((" –", " —")):
        return "", 0
    if not text.endswith("-") or text.endswith((" -", "--")):
        return " ", 0
    before, after = _LAST.search(text[-_LONGEST:]), _FIRST.match(line)
    if before is None or after is None:
        return " ", 0
    if after.group() in _CONJUNCTIONS and not vocabulary.counts[before.group()[:-1].lower() + after.group()]:
        return " ", 0  # pre- and post-processing
    return ("", 0) if vocabulary.keeps_hyphen(before.group()[:-1], after.group()) else ("", 1)
