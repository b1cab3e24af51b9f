"""Headings among printed lines, by their type, their wording and their place; and their levels."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from keywright.reading.headings import kind_of_heading
from keywright.reading.layout.lines import Line, Paragraph, Region, Setting, half_points

NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}(?=\.)|[A-Z](?=\.)|[A-Z]\.\d{1,2})\.?\s+\S")

# Arbitrary, as all numbers of this room. Sizes are multiples of the text's size, widths are shares of the column's.
SMALL_TYPE: Final = 0.93  # largest type of footnotes; a heading is larger unless its wording is known
MOST_LINES: Final = 3  # lines of one heading; more in large or bold type are a paragraph
_MOST_WORDS: Final = 16  # words of a heading's line; longer ones are text
_LARGE_TYPE, _LARGER = 1.07, 0.6  # size of large type, and points above the text's size at the same time
_VERY_LARGE_TYPE: Final = 1.15  # type that needs nothing else to be a heading
_NOT_FULL: Final = 0.9  # width of most headings, at most
_HALF_FULL: Final = (
    0.6  # width of known headings in plain type, at most; of a line that continues in a second, at least
)
_PITCH: Final = 1.7  # distance of two lines of one heading, in sizes of the larger type, at most


def is_heading(line: Line, region: Region, style: Setting, *, free: bool) -> bool:
    """Return whether a line, if a paragraph begins with it, is a heading.

    It is in large type; or in bold type; or of known wording or numbered, in capitals or italics, in plain type. If not
    large, it must be ``free``: nothing above continues in it.
    """
    text = line.text
    if len(text.split()) > _MOST_WORDS or not line.words or text[-1] in ",;-" or "@" in text:
        return False
    numbered = bool(NUMBERED.match(text))
    of_known_kind = kind_of_heading(text) is not None
    sentence = text.endswith(".")
    if line.size > _LARGE_TYPE * style.size and line.size - style.size > _LARGER:
        return not sentence and (line.bold or line.size > _VERY_LARGE_TYPE * style.size or numbered or of_known_kind)
    if not free or line.size < SMALL_TYPE * style.size:
        return of_known_kind and free and line.bold
    short = line.width < _NOT_FULL * region.width
    if line.bold:
        return (short or numbered) and (of_known_kind or not sentence)
    capitals = text.upper() == text
    if of_known_kind:
        return line.width < _HALF_FULL * region.width and (capitals or text[0].isupper() or numbered)
    return numbered and short and (capitals or line.italic) and not sentence


def heading_continues(before: Line, line: Line, region: Region, style: Setting) -> bool:
    """Return whether a heading goes on in a second line: the first was full, the second has no number of its own."""
    near = line.middle - before.middle < _PITCH * max(line.size, style.size)
    return before.width > _HALF_FULL * region.width and near and not NUMBERED.match(line.text)


def levels(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Give headings their levels: the depth of the number, else that of numbered ones set alike, else by size."""
    headings = [paragraph for paragraph in paragraphs if paragraph.kind == "heading"]
    by_look: dict[tuple[float, bool], int] = {}
    for heading in headings:
        if depth := _depth(heading):
            by_look[_look(heading)] = min(by_look.get(_look(heading), depth), depth)
    sizes = sorted({_look(heading)[0] for heading in headings}, reverse=True)
    return [
        replace(paragraph, level=_level(paragraph, by_look, sizes)) if paragraph.kind == "heading" else paragraph
        for paragraph in paragraphs
    ]


def _level(heading: Paragraph, by_look: dict[tuple[float, bool], int], sizes: list[float]) -> int:
    look = _look(heading)
    return _depth(heading) or by_look.get(look, 1 + sizes.index(look[0]))


def _depth(heading: Paragraph) -> int:
    """Return the depth of a heading's number; 0 without."""
    numbered = NUMBERED.match(heading.text)
    return numbered["number"].count(".") + 1 if numbered else 0


def _look(heading: Paragraph) -> tuple[float, bool]:
    return half_points(heading.lines[0].size), heading.lines[0].bold
