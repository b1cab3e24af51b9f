"""Front matter of a paper: title, authors, abstract, keywords. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.headings import kind_of_heading, run_in_heading
from keywright.reading.layout.lines import Line, Paragraph, Region

# Arbitrary, as all numbers of this room.
LONGEST_KEYWORDS: Final = 80  # words of a list of author keywords; more under such a heading is text
_TITLE_HEIGHT: Final = 0.6  # share of the first page, from its top, where its title is looked for
_TITLE_SIZE: Final = 1.15  # type of a title, as a multiple of the text's size
_LARGEST, _NEARLY_LARGEST = 0.97, 0.95  # type of a title's first and further lines, as a share of the largest
_FEWEST_LETTERS, _DECLARED_LETTERS = 4, 10  # letters of a title, and of one that the file declares, at least
_DECLARED_LINES: Final = 5  # lines of a declared title, at most
_PROSE_WORDS: Final = 40  # words of the shortest abstract without heading
_FUNCTION_SHARE: Final = 0.2  # share of function words in prose, at least
_FEWEST_VERBS: Final = 2  # verbs or pronouns in prose; addresses have none

_FIRST = re.compile(r"(?:[01]|I)[.:]?\s+\S")  # a first section's number; "A. Author" is none
_LETTERS = re.compile(r"[^\W\d_]+")
_FUNCTION_WORDS: Final = frozenset(
    ("the of and to in is are we this that for with by on as an be it from which has have was were can our not "
     "der die das und ist wir ein le la les et est nous un une el los las y es en que del").split()
)  # fmt: skip
_VERBS_AND_PRONOUNS: Final = frozenset(
    ("is are was were be been has have had can may we our this that these which it they not "
     "ist sind wird werden wir est sont nous qui es son que se").split()
)  # fmt: skip


def find_title_lines(lines: Sequence[Line], size: float, height: float, declared: str = "") -> tuple[Line, ...]:
    """Return the lines of the title among those of the first page; none when nothing is set larger than text.

    Args:
        lines: of the first page, in reading order.
        size: size of the document's text.
        height: of the page, in points.
        declared: title in the file's metadata; lines with the same letters are the title, however they are set.
    """
    upper = [line for line in lines if line.middle < _TITLE_HEIGHT * height]
    wanted = _letters(declared)
    for first in range(len(upper)) if len(wanted) >= _DECLARED_LETTERS else ():
        letters = ""
        for last in range(first, min(first + _DECLARED_LINES, len(upper))):
            letters += _letters(upper[last].text)
            if letters == wanted:
                return tuple(upper[first : last + 1])
    large = [line for line in upper if line.size > _TITLE_SIZE * size and len("".join(line.words)) >= _FEWEST_LETTERS]
    if not large:
        return ()
    largest = max(line.size for line in large)
    start = next(place for place, line in enumerate(upper) if line in large and line.size > _LARGEST * largest)
    end = start + 1
    while end < len(upper) and upper[end].size > _NEARLY_LARGEST * largest:
        end += 1
    return tuple(upper[start:end])


def _letters(text: str) -> str:
    return "".join(_LETTERS.findall(text.casefold()))


def find_front_lines(page: Sequence[Region], title: Sequence[Line]) -> set[Line]:
    """Return lines from the title to the first known heading: names in columns there are not a table."""
    front: set[Line] = set(title)
    started = not title
    for line in (line for region in page for line in region.lines):
        started = started or line in front
        opens_section = kind_of_heading(line.text) not in {None, SectionKind.AUTHORS} or run_in_heading(line.text)
        if started and opens_section:
            return front
        if started:
            front.add(line)
    return set(title)


def mark_front_matter(paragraphs: Sequence[Paragraph], title: Sequence[Line]) -> list[Paragraph]:
    """Return paragraphs, those before the first section named: title, authors, abstract where it has no heading.

    Between title and first section, running prose is the abstract, and all else is about the authors.
    """
    marked = _with_title(paragraphs, set(title))
    start = next((place for place, paragraph in enumerate(marked) if paragraph.kind == SectionKind.TITLE), None)
    if start is None:
        return marked
    for place in range(start + 1, _first_section(marked, start + 1)):
        paragraph = marked[place]
        if paragraph.kind in {"heading", "body", "footnote"}:
            kind = SectionKind.ABSTRACT if is_prose(paragraph.text) else SectionKind.AUTHORS
            marked[place] = replace(paragraph, kind=kind)
    return marked


def _with_title(paragraphs: Sequence[Paragraph], title: set[Line]) -> list[Paragraph]:
    """Return paragraphs with the lines of the title as one paragraph, if no other is between them."""
    marked: list[Paragraph] = []
    for paragraph in paragraphs:
        inside = tuple(line for line in paragraph.lines if line in title)
        if not inside:
            marked.append(paragraph)
            continue
        if marked and marked[-1].kind == SectionKind.TITLE:
            marked[-1] = replace(marked[-1], lines=marked[-1].lines + inside)
        else:
            marked.append(replace(paragraph, kind=SectionKind.TITLE, lines=inside))
        if rest := tuple(line for line in paragraph.lines if line not in title):
            marked.append(replace(paragraph, kind="body", lines=rest))
    return marked


def _first_section(paragraphs: Sequence[Paragraph], start: int) -> int:
    """Return the place of the first known heading, heading number 1 or run-in abstract, or of prose above it.

    Without any of these, ``start``.
    """
    prose_at = None
    for place in range(start, len(paragraphs)):
        paragraph = paragraphs[place]
        if run_in_heading(paragraph.lines[0].text):
            return place
        if paragraph.kind == "heading":
            ordinary = kind_of_heading(paragraph.text) in {None, SectionKind.AUTHORS}
            if not ordinary or _FIRST.match(paragraph.text) or prose_at is not None:
                return place
        if paragraph.kind == "body" and is_prose(paragraph.text):
            if prose_at is not None:
                return prose_at
            if paragraph.lines[0].page > paragraphs[start - 1].lines[0].page:
                return place
            prose_at = place
    return start if prose_at is None else prose_at


def is_prose(text: str) -> bool:
    """Return whether a text is sentences rather than names and addresses: long, with function words and verbs."""
    words = text.lower().split()
    functional = sum(word in _FUNCTION_WORDS for word in words)
    verbs = sum(word in _VERBS_AND_PRONOUNS for word in words)
    return len(words) >= _PROSE_WORDS and functional >= _FUNCTION_SHARE * len(words) and verbs >= _FEWEST_VERBS
