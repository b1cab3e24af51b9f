"""Running heads, footers and page numbers at the edges of pages. Pure functions on lines."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from keywright.reading.layout.lines import Line

# Arbitrary, as all numbers of this room.
_EDGE: Final = 0.1  # share of a page's height, at its top and at its bottom, with running heads and page numbers
_LONE_EDGE: Final = 0.065  # the same for a head that only one page has
_LONGEST_HEAD, _LARGEST_HEAD = 90, 12.0  # characters of such a head, and points of its type, at most
_SAME_HEIGHT, _SAME_SIZE = 8.0, 1.0  # points by which height and type of a head differ from page to page, at most
_REPEATED_GAP, _LONE_GAP = 0.5, 1.2  # heights of white space between the text and a repeated head, or any other

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(
    r"(?:page|p\.|seite|s\.)?\s*[-–—|]?\s*(?:[A-Z]?\d{1,5}|[ivxl]{1,6})\s*(?:(?:of|/|von)\s*\d{1,5})?\s*[-–—|]?",
    re.IGNORECASE,
)


def running(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[set[int]]:
    """Return, for each page, places of the lines that are running heads, footers or page numbers.

    A line at an edge is one when the same words (any digits alike) or the fitting number are at the same height on
    another page; when it is apart and nothing but a number, or short and at the very edge; or when it is beside or
    beyond such a line.

    >>> number = Line("1", 0, 300, 305, 800, 810, 9)
    >>> running([[Line("Some text", 0, 50, 200, 100, 110, 9), number]], [842.0])
    [{1}]
    """
    confirmed = _repeated(pages, heights) | _counted(pages, heights)
    result: list[set[int]] = []
    for number, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        heads = set()
        for place, line in enumerate(lines):
            repeated = (number, place) in confirmed and _apart(line, lines, height, _REPEATED_GAP)
            lone = _page_number(line, height) or _lone(line, height)
            if repeated or (lone and _apart(line, lines, height, _LONE_GAP)):
                heads.add(place)
        result.append(heads | _beside(lines, heads, height))
    return result


def _repeated(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[tuple[int, int]]:
    """Return lines (page, place) at an edge whose words are at the same height on another page."""
    by_words: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if line.words and _edge(line, heights[number]):
                by_words[_DIGITS.sub("#", line.text.casefold())].append((number, place))
    return {entry for places in by_words.values() for entry in _confirmed(pages, places)}


def _counted(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[tuple[int, int]]:
    """Return numbers (page, place) that rise with the pages: those of two pages confirm each other."""
    offsets: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if line.text.isdecimal() and _page_number(line, heights[number]):
                offsets[int(line.text) - number].append((number, place))
    return {entry for places in offsets.values() for entry in _confirmed(pages, places)}


def _confirmed(pages: Sequence[Sequence[Line]], places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those of some lines that are as high, in type as large, as another of them on another page."""
    by_height = sorted((pages[page][place].middle, page, place) for page, place in places)
    confirmed: set[tuple[int, int]] = set()
    for (_, page, place), (_, other_page, other_place) in pairwise(by_height):
        if page != other_page and _alike(pages[page][place], pages[other_page][other_place]):
            confirmed |= {(page, place), (other_page, other_place)}
    return sorted(confirmed)


def _lone(line: Line, height: float) -> bool:
    """Return whether a line at the very edge is a head that no other page confirms: short, and not a sentence."""
    depth = min(line.middle, height - line.middle)
    sentence = line.text[0].islower() or line.text.endswith(".") or ". " in line.text
    small = len(line.text) <= _LONGEST_HEAD and line.size <= _LARGEST_HEAD
    return depth < _LONE_EDGE * height and small and not sentence


def _page_number(line: Line, height: float) -> bool:
    return bool(_edge(line, height)) and bool(_NUMBER.fullmatch(line.text))


def _edge(line: Line, height: float) -> int:
    """Return -1 at the top of the page, 1 at the bottom, else 0."""
    if line.middle < _EDGE * height:
        return -1
    return 1 if line.middle > (1 - _EDGE) * height else 0


def _alike(line: Line, other: Line) -> bool:
    return abs(line.middle - other.middle) < _SAME_HEIGHT and abs(line.size - other.size) < _SAME_SIZE


def _apart(line: Line, lines: Sequence[Line], height: float, space: float) -> bool:
    """Return whether no line is within so many heights of a line on the side of the text."""
    side = _edge(line, height)
    space *= line.bottom - line.top
    for other in lines:
        gap = line.top - other.bottom if side > 0 else other.top - line.bottom
        inward = (line.middle - other.middle) * side > 0
        if other is not line and inward and not other.beside(line) and gap < space:
            return False
    return True


def _beside(lines: Sequence[Line], heads: set[int], height: float) -> set[int]:
    """Return lines at the same edge that are beside a running line, or between it and the paper's edge."""
    return {
        place
        for head in [lines[at] for at in heads]
        for place, line in enumerate(lines)
        if _edge(line, height) == _edge(head, height)
        if head.beside(line) or (line.middle - head.middle) * _edge(head, height) > 0
    }
