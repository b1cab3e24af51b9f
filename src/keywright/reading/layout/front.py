"""What stands before the first section of a paper: title, authors, abstract, keywords. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.headings import kind_of_heading, run_in_heading
from keywright.reading.layout.lines import Line
from keywright.reading.layout.paragraphs import Paragraph

TITLE_HEIGHT: Final = 0.6
"""Share of the first page, from its top, where its title is looked for."""

TITLE_SIZE: Final = 1.15
"""Type of a title, as a multiple of the text's size, at least."""

FEWEST_LETTERS: Final = 4
DECLARED_LETTERS: Final = 10
"""Letters of the shortest title, and of the shortest that is believed because the file declares it."""

PROSE_WORDS: Final = 40
"""Words of the shortest paragraph before the first heading that is taken for an abstract."""

FEWEST_VERBS: Final = 2
"""Verbs or pronouns that prose of that length has at least; addresses have none."""

LONGEST_KEYWORDS: Final = 80
"""Words of the longest list of author keywords; more under such a heading is text."""

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


def title_lines(lines: Sequence[Line], size: float, height: float, declared: str = "") -> tuple[Line, ...]:
    """Lines of the title among those of the first page; none when nothing is set larger than text.

    Args:
        lines: of the first page, in reading order.
        size: size of the document's text.
        height: of the page, in points.
        declared: title in the file's metadata; lines that say the same are the title, however they are set.
    """
    upper = [line for line in lines if line.middle < TITLE_HEIGHT * height]
    wanted = _bare(declared)
    for first in range(len(upper)):
        said = ""
        for last in range(first, min(first + 5, len(upper))):
            said += _bare(upper[last].text)
            if len(wanted) >= DECLARED_LETTERS and said == wanted:
                return tuple(upper[first : last + 1])
    large = [line for line in upper if line.size > TITLE_SIZE * size and len("".join(line.words)) >= FEWEST_LETTERS]
    if not large:
        return ()
    largest = max(line.size for line in large)
    start = next(place for place, line in enumerate(upper) if line in large and line.size > 0.97 * largest)
    end = start + 1
    while end < len(upper) and upper[end].size > 0.95 * largest:
        end += 1
    return tuple(upper[start:end])


def _bare(text: str) -> str:
    return "".join(_LETTERS.findall(text.casefold()))


def front_matter(found: Sequence[Paragraph], title: Sequence[Line]) -> list[Paragraph]:
    """Paragraphs with those before the first section named: title, authors, abstract where it has no heading.

    What stands between title and first section is about the authors, but for running prose, which is an abstract.
    """
    named = set(title)
    marked: list[Paragraph] = []
    for paragraph in found:
        own = tuple(line for line in paragraph.lines if line in named)
        if not own:
            marked.append(paragraph)
        elif marked and marked[-1].kind == SectionKind.TITLE:
            marked[-1] = replace(marked[-1], lines=marked[-1].lines + own)
        else:
            marked.append(replace(paragraph, kind=SectionKind.TITLE, lines=own))
        rest = tuple(line for line in paragraph.lines if line not in named)
        if own and rest:
            marked.append(replace(paragraph, kind="body", lines=rest))
    start = next((place for place, paragraph in enumerate(marked) if paragraph.kind == SectionKind.TITLE), None)
    if start is None:
        return marked
    end = _first_section(marked, start + 1)
    for place in range(start + 1, end):
        paragraph = marked[place]
        if paragraph.kind in {"heading", "body", "footnote"}:
            kind = SectionKind.ABSTRACT if prose(paragraph.text) else SectionKind.AUTHORS
            marked[place] = replace(paragraph, kind=kind)
    return marked


def _first_section(found: Sequence[Paragraph], start: int) -> int:
    """Place of the first known heading, heading number 1 or abstract run in, or of prose before it; else ``start``."""
    prose_at = None
    for place in range(start, len(found)):
        paragraph = found[place]
        if run_in_heading(paragraph.lines[0].text):
            return place
        if paragraph.kind == "heading":
            if kind_of_heading(paragraph.text) not in {None, SectionKind.AUTHORS} or _FIRST.match(paragraph.text):
                return place
            if prose_at is not None:
                return place
        if paragraph.kind == "body" and prose(paragraph.text):
            if prose_at is not None or paragraph.lines[0].page > found[start - 1].lines[0].page:
                return prose_at if prose_at is not None else place
            prose_at = place
    return prose_at if prose_at is not None else start


def prose(text: str) -> bool:
    """Whether a text is sentences rather than names and addresses: long, a fifth function words, some of them verbs."""
    words = text.lower().split()
    functional = sum(word in _FUNCTION_WORDS for word in words)
    verbs = sum(word in _VERBS_AND_PRONOUNS for word in words)
    return len(words) >= PROSE_WORDS and functional >= 0.2 * len(words) and verbs >= FEWEST_VERBS
