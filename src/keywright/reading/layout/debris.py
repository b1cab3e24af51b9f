"""Print that is no running text: cells of tables, formulas, labels in figures, code. Pure functions on lines."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from keywright.reading.layout.columns import Region
from keywright.reading.layout.lines import CAPTION, Line

Box = tuple[float, float, float, float]

TINY: Final = 0.78
"""Type below this share of the text's size, a few words of it alone, labels something in a drawing."""

ROW_CELLS: Final = 3
"""Cells that make a line a row of a table; fewer do beside other rows."""

FEW_WORDS: Final = 4
LONGEST_SYMBOL: Final = 12
MOST_TEXT_NUMBERS: Final = 2

_LABEL = re.compile(r"(?:[•◦▪‣·*–—-]|\(?\w{1,4}[.)]|\[[\w+]{1,8}\]|\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.?)\s")
_MATHEMATICS = re.compile(r"[=<>≤≥≈≡∼∑∏∫√∈∉∂∇±×⋅·→←⇒↔⟶−+|{}^∞∀∃⊂⊆∪∩⊗⊕†‖∥Α-ω]|\(\d{1,3}[a-z]?\)$")
_FUNCTIONS: Final = frozenset(
    ("sin cos tan log exp max min arg lim sup inf det rank diag tanh softmax argmax argmin mod gcd "
     "for all where with otherwise and such that and").split()
)  # fmt: skip
_NUMBER = re.compile(r"[-−+±~≈<>]?[\d.,:/%±×()-]*\d[\d.,:/%±×()*†kKM-]*")


def debris(region: Region, size: float, figures: Sequence[Box]) -> list[str | None]:
    """For each line of a region what it is (``figure``, ``code``, ``table`` or ``formula``), None for running text.

    Args:
        region: lines read one after the other.
        size: size of the document's text.
        figures: boxes of the page's pictures.
    """
    kinds: list[str | None] = []
    for place, line in enumerate(region.lines):
        before = region.lines[place - 1] if place else None
        if _inside(line, figures, size):
            kinds.append("figure")
        elif _spread(line) or (line.mono and (" " in line.text or (kinds and kinds[-1] == "code"))):
            kinds.append("code")
        elif _row(line, region) or _numbers(line, region):
            kinds.append("table")
        elif _formula(line, before, region, size):
            kinds.append("formula")
        elif line.size < TINY * size and len(line.words) < FEW_WORDS and not line.text[0].isdigit():
            kinds.append("figure")
        else:
            kinds.append(None)
    return _between_rows(region, kinds)


def cells(line: Line) -> int:
    """Cells of a line without the number, bullet or label that it may begin with."""
    return line.cells - 1 if line.cells > 1 and _LABEL.match(line.text) else line.cells


def _inside(line: Line, figures: Sequence[Box], size: float) -> bool:
    """Whether a line is a label in a picture; whole lines of the text's own size never are."""
    if line.size > 0.95 * size and len(line.words) > 2 * FEW_WORDS:
        return False
    across = (line.left + line.right) / 2
    return any(left <= across <= right and top <= line.middle <= bottom for left, top, right, bottom in figures)


def _spread(line: Line) -> bool:
    """Letters set one by one, as some listings are."""
    parts = line.text.split()
    return len(parts) > 2 * FEW_WORDS and sum(len(part) == 1 for part in parts) > 0.7 * len(parts)


def _row(line: Line, region: Region) -> bool:
    """Three cells or more. A full line or an end of a sentence with loose blanks is none."""
    numbers = sum(bool(_NUMBER.fullmatch(part)) for part in line.text.split())
    words = len(line.words)
    at_edge = abs(line.left - region.left) < line.size
    full = at_edge and line.width > 0.9 * (region.right - region.left) and words >= FEW_WORDS
    ends = line.text.endswith(".") and words >= FEW_WORDS - 1
    return cells(line) >= ROW_CELLS and not ((full or ends) and numbers < ROW_CELLS)


def _numbers(line: Line, region: Region) -> bool:
    """A row of a table that was set close: numbers and no word, or a short line, two fifths of it numbers.

    Ends of references, which may look so, have a full stop.
    """
    parts = line.text.split()
    numbers = sum(bool(_NUMBER.fullmatch(part)) for part in parts)
    if numbers < MOST_TEXT_NUMBERS or line.text[-1] in ".,;":
        return False
    narrow = line.width < 0.8 * (region.right - region.left)
    mostly = numbers > 0.6 * len(parts) and not line.words
    return mostly or (narrow and numbers >= 0.4 * len(parts))


def _formula(line: Line, before: Line | None, region: Region, size: float) -> bool:
    """Signs and single letters, set apart; the same at the left edge under a full line is the end of a sentence."""
    if not any(sign.isalnum() for sign in line.text):
        return True
    if " " not in line.text and len(line.text) > LONGEST_SYMBOL:
        return False  # the rest of an address
    words = [word for word in line.words if word.lower() not in _FUNCTIONS]
    if len(words) > 1 or (words and len(line.text) < 2 * FEW_WORDS * len(words)):
        return False
    if line.left < region.left + 0.5 * size and line.size > 0.9 * size and before is not None:
        full = before.right > region.right - 2 * size and before.bottom > line.top - size
        if full or words:
            return False
    signs = len(_MATHEMATICS.findall(line.text))
    if words:
        return signs > FEW_WORDS
    short = len(line.text) <= FEW_WORDS and not line.text.endswith(".")
    return bool(signs) or short


def _pair(pair: Sequence[Line], wide: float) -> bool:
    """Two narrow lines of two cells under each other, one of which ends with a number: a small table."""
    numbers = any(_NUMBER.fullmatch(line.text.rsplit(" ", 1)[-1]) for line in pair)
    narrow = all(cells(line) > 1 and line.width < 0.8 * wide and line.text[-1] not in ".,;" for line in pair)
    return numbers and narrow and pair[1].middle - pair[0].middle < 2.2 * pair[0].size


def _head(line: Line, region: Region) -> bool:
    """Whether a line next to a row may belong to the table: two cells, or a few words that stand by themselves."""
    wide = region.right - region.left
    if CAPTION.match(line.text) or line.text[-1] in ".,;":
        return False
    alone = line.left > region.left + line.size and line.width < 0.75 * wide and len(line.words) <= 2 * FEW_WORDS - 2
    return alone or (cells(line) > 1 and line.width < 0.95 * wide)


def _between_rows(region: Region, kinds: list[str | None]) -> list[str | None]:
    """Lines of two cells beside rows, and short lines between two rows, belong to the table too."""
    lines = region.lines
    wide = region.right - region.left
    for first, pair in enumerate(pairwise(lines)):
        if not any(kinds[first : first + 2]) and _pair(pair, wide):
            kinds[first : first + 2] = ["table", "table"]
    if len(lines) < ROW_CELLS and all(cells(line) > 1 and _head(line, region) for line in lines):
        kinds = [kind or "table" for kind in kinds]
    places = range(len(lines))
    for near, place in [*pairwise(places), *pairwise(reversed(places))]:  # rows take in their feet, then their heads
        if kinds[place] is None and kinds[near] == "table" and _close(lines[place], lines[near], 2.2):
            kinds[place] = "table" if _head(lines[place], region) else None
    rows = [place for place in places if kinds[place] == "table"]
    for first, last in pairwise(rows):
        between = range(first + 1, last)
        if _close(lines[last], lines[first], 4) and all(lines[place].width < 0.6 * wide for place in between):
            for place in between:
                kinds[place] = kinds[place] or "table"
    return kinds


def _close(line: Line, other: Line, heights: float) -> bool:
    return abs(line.middle - other.middle) < heights * other.size
