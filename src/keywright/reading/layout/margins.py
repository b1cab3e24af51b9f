"""Running heads, footers and page numbers: lines at the edges of pages that belong to no text. Pure functions."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from keywright.reading.layout.lines import Line

EDGE: Final = 0.1
"""Share of a page's height, at its top and at its bottom, where running heads and page numbers stand."""

LONE_EDGE: Final = 0.065
LONGEST_HEAD: Final = 90
LARGEST_HEAD: Final = 12.0
"""Where a running head stands that only one page has, its most characters, and its largest type in points."""

SAME_HEIGHT: Final = 8.0
"""Points by which a running head may stand higher or lower from page to page."""

CLOSE: Final = 0.5
FAR: Final = 1.2
"""White space, in heights of a line, that sets one known from other pages apart from the text, and any other number."""

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(
    r"(?:page|p\.|seite|s\.)?\s*[-–—|]?\s*(?:[A-Z]?\d{1,5}|[ivxl]{1,6})\s*(?:(?:of|/|von)\s*\d{1,5})?\s*[-–—|]?",
    re.IGNORECASE,
)


def running(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[set[int]]:
    """For each page, which of its lines are running heads, footers or page numbers (places in the page's sequence).

    A line at an edge is one when the same words (any digits alike) or the fitting number stand at the same height on
    another page; when it stands apart and is nothing but a number, or is short and at the very edge; or when it stands
    beside or beyond such a line.

    >>> number = Line("1", 0, 300, 305, 800, 810, 9)
    >>> running([[Line("Some text", 0, 50, 200, 100, 110, 9), number]], [842.0])
    [{1}]
    """
    confirmed = _repeated(pages, heights) | _counted(pages, heights)
    found: list[set[int]] = []
    for number, lines in enumerate(pages):
        height = heights[number]
        own = set()
        for place, line in enumerate(lines):
            lone = _page_number(line, height) or _lone(line, height)
            known = (number, place) in confirmed
            if (known and _apart(line, lines, height, CLOSE)) or (lone and _apart(line, lines, height, FAR)):
                own.add(place)
        found.append(own | _beside(lines, own, height))
    return found


def _repeated(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[tuple[int, int]]:
    """Lines (page, place) at an edge whose words stand at the same height on another page."""
    seen: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if line.words and _edge(line, heights[number]):
                seen[_DIGITS.sub("#", line.text.casefold())].append((number, place))
    return {entry for places in seen.values() for entry in _confirmed(pages, places)}


def _counted(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[tuple[int, int]]:
    """Numbers (page, place) that rise with the pages: what one page's number says, another's confirms."""
    offsets: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if line.text.isdecimal() and _page_number(line, heights[number]):
                offsets[int(line.text) - number].append((number, place))
    return {entry for places in offsets.values() for entry in _confirmed(pages, places)}


def _confirmed(pages: Sequence[Sequence[Line]], places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of some lines that stand as high, in type as large, as another of them on another page."""
    by_height = sorted(places, key=lambda entry: pages[entry[0]][entry[1]].middle)
    kept = set()
    for one, two in pairwise(by_height):
        if one[0] != two[0] and _alike(pages[one[0]][one[1]], pages[two[0]][two[1]]):
            kept |= {one, two}
    return sorted(kept)


def _lone(line: Line, height: float) -> bool:
    """Whether a line at the very edge is a running head that no other page confirms: short, and no sentence."""
    depth = min(line.middle, height - line.middle)
    sentence = line.text[0].islower() or line.text.endswith(".") or ". " in line.text
    small = len(line.text) <= LONGEST_HEAD and line.size <= LARGEST_HEAD
    return depth < LONE_EDGE * height and small and not sentence


def _page_number(line: Line, height: float) -> bool:
    return bool(_edge(line, height)) and bool(_NUMBER.fullmatch(line.text))


def _edge(line: Line, height: float) -> int:
    """-1 at the top of the page, 1 at the bottom, else 0."""
    if line.middle < EDGE * height:
        return -1
    return 1 if line.middle > (1 - EDGE) * height else 0


def _alike(line: Line, other: Line) -> bool:
    return abs(line.middle - other.middle) < SAME_HEIGHT and abs(line.size - other.size) < 1


def _apart(line: Line, lines: Sequence[Line], height: float, space: float) -> bool:
    """Whether no line stands within so many heights of a line on the side of the text."""
    side = _edge(line, height)
    space *= line.bottom - line.top
    for other in lines:
        gap = line.top - other.bottom if side > 0 else other.top - line.bottom
        inward = (line.middle - other.middle) * side > 0
        if other is not line and inward and not other.beside(line) and gap < space:
            return False
    return True


def _beside(lines: Sequence[Line], found: set[int], height: float) -> set[int]:
    """Lines at the same edge that stand beside a running line, or between it and the paper's edge."""
    more = set()
    for place in found:
        known = lines[place]
        side = _edge(known, height)
        for other, line in enumerate(lines):
            if _edge(line, height) == side and (known.beside(line) or (line.middle - known.middle) * side > 0):
                more.add(other)
    return more
