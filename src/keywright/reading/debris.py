"""Print that is no running text: cells of tables, formulas, labels in figures, code. Pure functions on lines."""

import re
from collections.abc import Sequence
from typing import Final

from keywright.reading.layout import Region
from keywright.reading.lines import Line

Box = tuple[float, float, float, float]

TINY: Final = 0.78
"""Type below this share of the text's size, a few words of it alone, labels something in a drawing."""

ROW_CELLS: Final = 3
"""Cells that make a line a row of a table; fewer do beside other rows."""

FEW_WORDS: Final = 4

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
        elif line.mono and (_code(line) or (kinds and kinds[-1] == "code")):
            kinds.append("code")
        elif _row(line) or _numbers(line):
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


def _code(line: Line) -> bool:
    """A line of type of one width, unless it is a single word: an address at the end of a paragraph."""
    return " " in line.text


def _row(line: Line) -> bool:
    return cells(line) >= ROW_CELLS


def _numbers(line: Line) -> bool:
    """Two or more numbers and no word: a row of a table that was set close. Ends of references have a full stop."""
    parts = line.text.split()
    numbers = sum(bool(_NUMBER.fullmatch(part)) for part in parts)
    return len(parts) > 1 and numbers > 0.6 * len(parts) and not line.words and line.text[-1] not in ".,;"


def _formula(line: Line, before: Line | None, region: Region, size: float) -> bool:
    """Signs and single letters, set apart; the same at the left edge under a full line is the end of a sentence."""
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


def _between_rows(region: Region, kinds: list[str | None]) -> list[str | None]:
    """Lines of two cells beside rows, and short lines between two rows, belong to the table too."""
    lines = region.lines
    wide = region.right - region.left
    for step in (1, -1):
        places = range(len(lines))[::step]
        for place in places:
            near = place - step
            if kinds[place] is None and 0 <= near < len(lines) and kinds[near] == "table":
                close = abs(lines[place].middle - lines[near].middle) < 2.2 * lines[place].size
                if close and cells(lines[place]) > 1 and lines[place].width < 0.95 * wide:
                    kinds[place] = "table"
    rows = [place for place, kind in enumerate(kinds) if kind == "table"]
    for first, last in zip(rows, rows[1:], strict=False):
        between = range(first + 1, last)
        near = lines[last].middle - lines[first].middle < 4 * lines[first].size
        if near and all(lines[place].width < 0.6 * wide for place in between):
            for place in between:
                kinds[place] = kinds[place] or "table"
    return kinds
