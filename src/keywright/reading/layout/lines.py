"""Lines of printed text, and what they are gathered into."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from keywright.core.word_lists import read_patterns
from keywright.reading.page_numbers import PRINT

DEFAULT_SIZE: Final = 10.0  # points of type without lines
CAPTION = re.compile(read_patterns("reading/patterns.txt")["PRINTED_CAPTIONS"], re.IGNORECASE)

_WORDS: Final = frozenset("AIO")  # words of one letter, which a large initial may be
_find_words: Final = lru_cache(maxsize=1 << 12)(re.compile(r"[^\W\d_]{3,}").findall)  # lines are asked several times

Box = tuple[float, float, float, float]  # Left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a piece of one, on a page. Measures are in points; ``top`` and ``bottom`` grow downwards.

    ``page`` counts from 0; ``size``: of most of its type; bold, mono and italic are so from end to end; ``cells``:
    stretches parted by gaps far wider than a blank, as the cells of a table are; at least 1.
    """

    text: str
    page: int
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool = False
    mono: bool = False
    italic: bool = False
    cells: int = 1

    @property
    def middle(self) -> float:
        """Return the height of the middle of the line on its page."""
        return (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        """Return the distance from the first to the last letter."""
        return self.right - self.left

    @property
    def characters(self) -> int:
        """Return the number of characters without blanks, which coverage counts."""
        return len(self.text) - self.text.count(" ")

    @property
    def words(self) -> list[str]:
        """Return the words of three letters or more, which names of variables and units do not have."""
        return list(_find_words(self.text))

    def beside(self, other: "Line") -> bool:
        """Return whether both are at the same height."""
        shared = min(self.bottom, other.bottom) - max(self.top, other.top)
        return shared > PRINT.shared_height * min(self.bottom - self.top, other.bottom - other.top)


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of one column that are read one after the other, its edges, and whether text goes on behind it."""

    lines: tuple[Line, ...]
    left: float
    right: float
    is_float: bool = False

    @property
    def top(self) -> float:
        """Return the top of the first line."""
        return self.lines[0].top

    @property
    def bottom(self) -> float:
        """Return the bottom of the last line."""
        return self.lines[-1].bottom

    @property
    def width(self) -> float:
        """Return the width of the column."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines together: ``body``, ``heading`` of a level, ``caption``, ``footnote``, later a ``SectionKind``."""

    kind: str
    lines: tuple[Line, ...]
    level: int = 1
    right: float = 0.0

    @property
    def text(self) -> str:
        """Return the lines with blanks between them; words broken at line ends stay broken."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Setting:
    """How a document's text is set: size of type, and distance of lines as a multiple of it."""

    size: float
    pitch: float = field(default_factory=lambda: PRINT.usual_pitch)


def measure_text_size(lines: Iterable[Line]) -> float:
    """Return the size of type that most characters are set in, to half a point; ``DEFAULT_SIZE`` without lines."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round_to_half_points(line.size)] += line.characters
    return sizes.most_common(1)[0][0] if sizes else DEFAULT_SIZE


def round_to_half_points(size: float) -> float:
    """Return a size rounded to half a point: files write one size in slightly different ways."""
    return round(size * 2) / 2


def measure_setting(regions: Iterable[Region], size: float) -> Setting:
    """Return the setting of text of a given size; its pitch is the median of neighbouring lines of that size."""
    steps = sorted(
        (after.middle - line.middle) / size
        for region in regions
        for line, after in pairwise(region.lines)
        if max(abs(line.size - size), abs(after.size - size)) < PRINT.text_size_step and after.page == line.page
        if PRINT.shortest_step * size < after.middle - line.middle < PRINT.longest_step * size
    )
    return Setting(size, steps[len(steps) // 2]) if steps else Setting(size)


def join_pieces(pieces: Iterable[Line]) -> Line:
    """Join pieces at the same height, at least one, to a line, close ones without a blank, as the longest looks."""
    ordered = sorted(pieces, key=lambda piece: piece.left)
    longest = max(ordered, key=lambda piece: piece.characters)
    text, right, cells = ordered[0].text, ordered[0].right, ordered[0].cells
    for piece in ordered[1:]:
        gap = piece.left - right
        is_initial = len(text) == 1 and text.isalpha() and text not in _WORDS and piece.text[0].isalpha()
        is_initial = is_initial and ordered[0].size > PRINT.initial * piece.size
        text += ("" if gap < PRINT.no_blank * longest.size or is_initial else " ") + piece.text
        cells += piece.cells - (gap < longest.size)
        right = max(right, piece.right)
    bold, italic = all(piece.bold for piece in ordered), all(piece.italic for piece in ordered)
    return replace(longest, text=text, left=ordered[0].left, right=right, bold=bold, italic=italic, cells=cells)


def join_touching(pieces: Iterable[Line]) -> list[Line]:
    """Join pieces that follow each other without a blank: a word and the sign raised after it."""
    lines: list[Line] = []
    for piece in pieces:
        last = lines[-1] if lines else piece
        least, most = PRINT.touching_overlap * piece.size, PRINT.touching_gap * max(piece.size, last.size)
        if lines and least < piece.left - last.right < most and last.beside(piece):
            lines[-1] = join_pieces((last, piece))
        else:
            lines.append(piece)
    return lines


def find_line_numbers(pieces: Sequence[Line]) -> set[int]:
    """Return places of the numbers that listings and manuscripts print before lines: a column of rising numbers."""
    columns: dict[int, list[int]] = {}
    for place, piece in enumerate(pieces):
        if piece.text.isdecimal() and len(piece.text) <= PRINT.number_digits:
            columns.setdefault(round(piece.right / 2), []).append(place)  # right edges equal to about two points
    numbers: set[int] = set()
    for places in columns.values():
        values = [int(pieces[place].text) for place in sorted(places, key=lambda place: pieces[place].middle)]
        if len(values) >= PRINT.fewest_lines and all(above < below for above, below in pairwise(values)):
            numbers.update(places)
    return numbers
