"""Print that is not running text: running heads, page numbers, cells of tables, formulas, labels in figures, code."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from keywright.core.word_lists import read_patterns, read_sections
from keywright.reading.formats.html_blocks import holds_sentence
from keywright.reading.layout.lines import CAPTION, Box, Line, Region
from keywright.reading.page_numbers import PRINT

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(read_patterns("reading/patterns.txt")["PAGE_NUMBERS"], re.IGNORECASE)


def find_running(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[set[int]]:
    """Return, for each page, places of the lines that are running heads, footers or page numbers.

    A line at an edge is one when the same words (any digits alike) or the fitting number are at the same height on
    another page; when it is apart and nothing but a number, or short and at the very edge; or when it is beside or
    beyond such a line.
    """
    confirmed = _find_confirmed(pages, heights)
    result: list[set[int]] = []
    for number, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        heads = set()
        for place, line in enumerate(lines):
            repeated = (number, place) in confirmed and _is_apart(line, lines, height, PRINT.repeated_gap)
            lone = _is_page_number(line, height) or _is_lone_head(line, height)
            if repeated or (lone and _is_apart(line, lines, height, PRINT.lone_gap)):
                heads.add(place)
        result.append(heads | _find_beside(lines, heads, height))
    return result


def _find_confirmed(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[tuple[int, int]]:
    """Return lines (page, place) at an edge that another page confirms: the same words, or numbers that rise."""
    groups: defaultdict[str | int, list[tuple[float, int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for place, line in enumerate(lines):
            if line.words and _edge_of(line, heights[number]):
                groups[_DIGITS.sub("#", line.text.casefold())].append((line.middle, number, place))
            if line.text.isdecimal() and _is_page_number(line, heights[number]):
                groups[int(line.text) - number].append((line.middle, number, place))
    confirmed: set[tuple[int, int]] = set()
    for places in groups.values():
        for (height, page, place), (other_height, other_page, other_place) in pairwise(sorted(places)):
            step = abs(pages[page][place].size - pages[other_page][other_place].size)
            if page != other_page and other_height - height < PRINT.head_height and step < PRINT.head_size:
                confirmed |= {(page, place), (other_page, other_place)}
    return confirmed


def _is_lone_head(line: Line, height: float) -> bool:
    """Return whether a line at the very edge is a head that no other page confirms: short, and not a sentence."""
    depth = min(line.middle, height - line.middle)
    sentence = line.text[0].islower() or line.text.endswith(".") or ". " in line.text
    small = len(line.text) <= PRINT.longest_head and line.size <= PRINT.largest_head
    return depth < PRINT.lone_edge * height and small and not sentence


def _is_page_number(line: Line, height: float) -> bool:
    return bool(_edge_of(line, height)) and bool(_PAGE_NUMBER.fullmatch(line.text))


def _edge_of(line: Line, height: float) -> int:
    """Return -1 at the top of the page, 1 at the bottom, else 0."""
    if line.middle < PRINT.edge * height:
        return -1
    return 1 if line.middle > (1 - PRINT.edge) * height else 0


def _is_apart(line: Line, lines: Sequence[Line], height: float, space: float) -> bool:
    """Return whether no line is within so many heights of a line on the side of the text."""
    side = _edge_of(line, height)
    space *= line.bottom - line.top
    inward = (other for other in lines if (line.middle - other.middle) * side > 0 and not other.beside(line))
    return all((line.top - other.bottom if side > 0 else other.top - line.bottom) >= space for other in inward)


def _find_beside(lines: Sequence[Line], heads: set[int], height: float) -> set[int]:
    """Return lines at the same edge that are beside a running line, or between it and the paper's edge."""
    return {
        place
        for head in [lines[at] for at in heads]
        for place, line in enumerate(lines)
        if _edge_of(line, height) == _edge_of(head, height)
        if head.beside(line) or (line.middle - head.middle) * _edge_of(head, height) > 0
    }


_LABEL = re.compile(r"(?:[•◦▪‣·*–—-]|\(?\w{1,4}[.)]|\[[\w+]{1,8}\]|\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.?)\s")
_MATHEMATICS = re.compile(r"[=<>≤≥≈≡∼∑∏∫√∈∉∂∇±×⋅·→←⇒↔⟶−+|{}^∞∀∃⊂⊆∪∩⊗⊕†‖∥Α-ω]|\(\d{1,3}[a-z]?\)$")
_FUNCTIONS: Final = frozenset(read_sections("reading/file_types.txt")["FUNCTIONS"].split())
_NUMBER = re.compile(r"[-−+±~≈<>]?[\d.,:/%±×()-]*\d[\d.,:/%±×()*†kKM-]*")


def classify_lines(region: Region, size: float, figures: Sequence[Box]) -> list[str | None]:
    """Return ``figure``, ``code``, ``table``, ``formula`` or None for each line; ``size``: of the document's text."""
    kinds: list[str | None] = []
    for place, line in enumerate(region.lines):
        before = region.lines[place - 1] if place else None
        if _is_in_figure(line, figures, size):
            kinds.append("figure")
        elif _is_spread(line) or (line.mono and (" " in line.text or (kinds and kinds[-1] == "code"))):
            kinds.append("code")
        elif _is_row(line, region) or _is_number_row(line, region):
            kinds.append("table")
        elif _is_formula(line, before, region, size):
            kinds.append("formula")
        elif line.size < PRINT.label_size * size and len(line.words) < PRINT.label_words and not line.text[0].isdigit():
            ends = before is not None and kinds[-1] is None and before.size == line.size and line.text[0].islower()
            kinds.append(None if ends else "figure")
        else:
            kinds.append(None)
    return _add_between_rows(region, kinds)


def count_cells(line: Line) -> int:
    """Return the number of cells of a line, the number, bullet or label in front not counted."""
    return line.cells - 1 if line.cells > 1 and _LABEL.match(line.text) else line.cells


def _is_in_figure(line: Line, figures: Sequence[Box], size: float) -> bool:
    """Return whether a line is a label in a picture; long lines of the text's own size are not."""
    if line.size > PRINT.text_over_picture * size and len(line.words) > 2 * PRINT.label_words:
        return False
    return any(is_inside(line, figure) for figure in figures)


def is_inside(line: Line, box: Box) -> bool:
    """Return whether the middle of a line is in a box."""
    return box[0] <= (line.left + line.right) / 2 <= box[2] and box[1] <= line.middle <= box[3]


def _is_spread(line: Line) -> bool:
    parts = line.text.split()
    letters = sum(len(part) == 1 for part in parts)
    return len(parts) > 2 * PRINT.label_words and letters > PRINT.lone_letters * len(parts)


def _is_row(line: Line, region: Region) -> bool:
    """Return whether a line has the cells of a table's row; full lines and sentences may have wide blanks."""
    if count_cells(line) < PRINT.row_cells:
        return False
    words = len(line.words)
    at_edge = abs(line.left - region.left) < line.size
    full = at_edge and line.width > PRINT.full_line * region.width and words >= PRINT.label_words
    ends = (line.text.endswith(".") and words >= PRINT.label_words - 1) or holds_sentence(line.text)
    return not ((full or ends) and _count_numbers(line) < PRINT.row_cells)


def _is_number_row(line: Line, region: Region) -> bool:
    """Return whether a line, not an end of a reference, is a closely set row of a table with many numbers."""
    parts, numbers = len(line.text.split()), _count_numbers(line)
    if numbers < PRINT.row_numbers or line.text[-1] in ".,;":
        return False
    narrow = line.width < PRINT.narrow_row * region.width
    mostly = numbers > PRINT.mostly_numbers * parts and not line.words
    return mostly or (narrow and numbers >= PRINT.many_numbers * parts)


def _count_numbers(line: Line) -> int:
    return sum(bool(_NUMBER.fullmatch(part)) for part in line.text.split())


def _is_formula(line: Line, before: Line | None, region: Region, size: float) -> bool:
    """Return whether a line is signs and single letters; at the left edge under a full line they end a sentence."""
    if not any(sign.isalnum() for sign in line.text):
        return True
    if " " not in line.text and len(line.text) > PRINT.longest_symbol:
        return False
    words = [word for word in line.words if word.lower() not in _FUNCTIONS]
    if len(words) > 1 or (words and len(line.text) < PRINT.letters_of_word * len(words)):
        return False
    at_left = line.left < region.left + PRINT.formula_at_left * size and line.size > PRINT.formula_size * size
    if at_left and before is not None:
        full = before.right > region.right - PRINT.formula_at_right * size and before.bottom > line.top - size
        if full or words:
            return False
    signs = len(_MATHEMATICS.findall(line.text))
    if words:
        return signs > PRINT.word_signs
    short = len(line.text) <= PRINT.short_formula and not line.text.endswith(".")
    return bool(signs) or short


def _is_small_table(pair: Sequence[Line], width: float) -> bool:
    """Return whether two lines make a small table: narrow, of two cells, and one of them ends with a number."""
    numbers = any(_NUMBER.fullmatch(line.text.rsplit(" ", 1)[-1]) for line in pair)
    narrow = all(
        count_cells(line) > 1 and line.width < PRINT.narrow_row * width and line.text[-1] not in ".,;" for line in pair
    )
    return numbers and narrow and pair[1].middle - pair[0].middle < PRINT.row_pitch * pair[0].size


def _is_table_head(line: Line, region: Region) -> bool:
    """Return whether a line next to a row may belong to the table: two cells, or a few words alone."""
    if CAPTION.match(line.text) or line.text[-1] in ".,;":
        return False
    few_words = len(line.words) <= 2 * PRINT.label_words - 2
    alone = line.left > region.left + line.size and line.width < PRINT.head_width * region.width and few_words
    return alone or (count_cells(line) > 1 and line.width < PRINT.cells_width * region.width)


def _add_between_rows(region: Region, kinds: list[str | None]) -> list[str | None]:
    """Return kinds with lines of two cells beside rows, and short lines between two rows, taken into the table."""
    lines = region.lines
    for first, pair in enumerate(pairwise(lines)):
        if not any(kinds[first : first + 2]) and _is_small_table(pair, region.width):
            kinds[first : first + 2] = ["table", "table"]
    if len(lines) < PRINT.row_cells and all(count_cells(line) > 1 and _is_table_head(line, region) for line in lines):
        kinds = [kind or "table" for kind in kinds]
    places = range(len(lines))
    for near, place in [*pairwise(places), *pairwise(reversed(places))]:  # rows take in their feet, then their heads
        if kinds[place] is None and kinds[near] == "table" and _are_close(lines[place], lines[near], PRINT.row_pitch):
            kinds[place] = "table" if _is_table_head(lines[place], region) else None
    rows = [place for place in places if kinds[place] == "table"]
    for first, last in pairwise(rows):
        between = range(first + 1, last)
        narrow = all(lines[place].width < PRINT.between_width * region.width for place in between)
        if narrow and _are_close(lines[last], lines[first], PRINT.gap_pitch):
            for place in between:
                kinds[place] = kinds[place] or "table"
    return kinds


def _are_close(line: Line, other: Line, heights: float) -> bool:
    return abs(line.middle - other.middle) < heights * other.size
