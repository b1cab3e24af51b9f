"""Running heads, footers and page numbers: lines at the edges of pages that belong to no text. Pure functions."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from keywright.reading.lines import Line

EDGE: Final = 0.1
"""Share of a page's height, at its top and at its bottom, where running heads and page numbers stand."""

SAME_HEIGHT: Final = 8.0
"""Points by which a running head may stand higher or lower from page to page."""

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(
    r"(?:page|p\.|seite|s\.)?\s*[-–—|]?\s*(?:[A-Z]?\d{1,5}|[ivxl]{1,6})\s*(?:(?:of|/|von)\s*\d{1,5})?\s*[-–—|]?",
    re.IGNORECASE,
)


def running(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[set[int]]:
    """For each page, which of its lines are running heads, footers or page numbers (places in the page's sequence).

    A line at an edge is one when the same words (any digits alike) stand at the same height on another page, when it is
    nothing but a page number that stands apart, or when it stands beside or beyond such a line.

    >>> number = Line("1", 0, 300, 305, 800, 810, 9)
    >>> running([[Line("Some text", 0, 50, 200, 100, 110, 9), number]], [842.0])
    [{1}]
    """
    seen: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if line.words and _edge(line, heights[number]):
                seen[_DIGITS.sub("#", line.text.casefold())].append((number, place))
    found: list[set[int]] = [set() for _ in pages]
    for places in seen.values():
        for number, place in places:
            line = pages[number][place]
            if any(other != number and _alike(line, pages[other][where]) for other, where in places):
                found[number].add(place)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if _edge(line, heights[number]) and _NUMBER.fullmatch(line.text) and _apart(line, lines):
                found[number].add(place)
        found[number] |= _beside(lines, found[number], heights[number])
    return found


def _edge(line: Line, height: float) -> int:
    """-1 at the top of the page, 1 at the bottom, else 0."""
    if line.middle < EDGE * height:
        return -1
    return 1 if line.middle > (1 - EDGE) * height else 0


def _alike(line: Line, other: Line) -> bool:
    return abs(line.middle - other.middle) < SAME_HEIGHT and abs(line.size - other.size) < 1


def _apart(line: Line, lines: Sequence[Line]) -> bool:
    """Whether no other line stands within one and a half heights above or below a line."""
    space = 1.5 * (line.bottom - line.top)
    return not any(
        other is not line
        and not other.beside(line)
        and other.top < line.bottom + space
        and other.bottom > line.top - space
        and other.left < line.right
        and other.right > line.left
        for other in lines
    )


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
