"""A line of printed text: what it says, where it stands, and how it is set."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

TEXT_SIZE: Final = 10.0
"""Size of type in points that a document without any text is said to have."""

CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|algorithm|listing|code|scheme|plate|chart|box|abbildung|tabelle|figura|tabla"
    r"|tableau)\s*(?:[A-Z]?\d+(?:\.\d+)?|[IVX]+)[a-z]?\s*(?:[.:|—–]|$)",
    re.IGNORECASE,
)
"""Beginnings of captions: what the text calls what it shows, and a number."""

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a piece of one, on a page. Measures are in points; ``top`` and ``bottom`` grow downwards.

    Attributes:
        text: its words with single blanks between them.
        page: number of the page, from 0.
        size: size of most of its type.
        bold: set in bold type from end to end.
        mono: set in type of one width from end to end, as listings are.
        italic: set in italic type from end to end.
        cells: stretches parted by gaps far wider than a blank, as the cells of a table are; at least 1.
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
        """Height of the middle of the line on its page."""
        return (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        """From the first to the last letter."""
        return self.right - self.left

    @property
    def characters(self) -> int:
        """Characters without blanks: what coverage counts."""
        return len(self.text) - self.text.count(" ")

    @property
    def words(self) -> list[str]:
        """Words of three letters or more: names of variables and units are none."""
        return _WORD.findall(self.text)

    def beside(self, other: "Line") -> bool:
        """Whether both stand at the same height: they share half of the lower one's height."""
        shared = min(self.bottom, other.bottom) - max(self.top, other.top)
        return shared > 0.5 * min(self.bottom - self.top, other.bottom - other.top)


def text_size(lines: Iterable[Line]) -> float:
    """Size of type that most characters are set in, to half a point; ``TEXT_SIZE`` without lines."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += line.characters
    return sizes.most_common(1)[0][0] if sizes else TEXT_SIZE


def joined(pieces: Iterable[Line]) -> Line:
    """One line made of pieces that stand at the same height; needs at least one piece.

    Pieces closer than a blank (a raised figure after a word) are set together; the look is that of the longest piece.
    """
    ordered = sorted(pieces, key=lambda piece: piece.left)
    main = max(ordered, key=lambda piece: piece.characters)
    text, right, cells = ordered[0].text, ordered[0].right, ordered[0].cells
    for piece in ordered[1:]:
        gap = piece.left - right
        text += ("" if gap < 0.15 * main.size else " ") + piece.text
        cells += piece.cells - (gap < main.size)
        right = max(right, piece.right)
    return Line(
        text,
        main.page,
        ordered[0].left,
        right,
        main.top,
        main.bottom,
        main.size,
        bold=all(piece.bold for piece in ordered),
        mono=main.mono,
        italic=all(piece.italic for piece in ordered),
        cells=cells,
    )
