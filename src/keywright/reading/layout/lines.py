"""Lines of printed text, and what they are gathered into: regions and paragraphs."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from keywright.reading.page_numbers import PRINT

DEFAULT_SIZE: Final = 10.0  # points of type without lines


CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|algorithm|listing|code|scheme|plate|chart|box|abbildung|tabelle|figura|tabla"
    r"|tableau)\s*(?:[A-Z]?\d+(?:\.\d+)?|[IVX]+)[a-z]?\s*(?:[.:|—–]|$)",
    re.IGNORECASE,
)
"""Beginnings of captions: the kind of thing shown, and a number."""

_WORD = re.compile(r"[^\W\d_]{3,}")

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
        return _WORD.findall(self.text)

    def beside(self, other: "Line") -> bool:
        """Return whether both are at the same height."""
        shared = min(self.bottom, other.bottom) - max(self.top, other.top)
        return shared > PRINT.shared_height * min(self.bottom - self.top, other.bottom - other.top)


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of one column that are read one after the other, and the edges of that column."""

    lines: tuple[Line, ...]
    left: float
    right: float

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
        for line, after in zip(region.lines, region.lines[1:], strict=False)
        if abs(line.size - size) < PRINT.text_size_step
        and abs(after.size - size) < PRINT.text_size_step
        and after.page == line.page
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
        text += ("" if gap < PRINT.no_blank * longest.size else " ") + piece.text
        cells += piece.cells - (gap < longest.size)
        right = max(right, piece.right)
    return replace(
        longest,
        text=text,
        left=ordered[0].left,
        right=right,
        bold=all(piece.bold for piece in ordered),
        italic=all(piece.italic for piece in ordered),
        cells=cells,
    )
