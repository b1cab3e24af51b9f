"""Lines of printed text, what they are gathered into, and the columns of a page, in which they are read."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter
from typing import Final

import numpy as np

from keywright.reading.page_numbers import PRINT

DEFAULT_SIZE: Final = 10.0  # points of type without lines
CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|algorithm|listing|code|scheme|plate|chart|box|abbildung|tabelle|figura|tabla"
    r"|tableau)\s*(?:[A-Z]?\d+(?:\.\d+)?|[IVX]+)[a-z]?\s*(?:[.:|—–]|$)",
    re.IGNORECASE,
)  # beginnings of captions: the kind of thing shown, and a number

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


_MOST_STEPS: Final = 5000  # steps across a page, of one point unless a damaged file has a page of absurd width


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
        ordered = sorted(places, key=lambda place: pieces[place].middle)
        values = [int(pieces[place].text) for place in ordered]
        if len(values) >= PRINT.fewest_lines and all(above < below for above, below in pairwise(values)):
            numbers.update(places)
    return numbers


def find_gutters(pieces: Sequence[Line]) -> tuple[float, ...]:
    """Return middles of the white bands between the columns of a page, from left to right; none for one column."""
    if len(pieces) < 2 * PRINT.fewest_lines:
        return ()
    edges = np.array([(piece.left, piece.right) for piece in pieces])
    start, end = float(edges[:, 0].min()), float(edges[:, 1].max())
    step = max(1.0, (end - start) / _MOST_STEPS)
    # Difference array: +1 where a line begins, -1 where it ends; the running sum counts the lines at each step.
    begins = np.ceil((edges[:, 0] - start) / step).astype(int)
    ends = np.maximum(np.floor((edges[:, 1] - start) / step).astype(int), begins)
    change = np.zeros(int((end - start) / step) + 3)
    np.add.at(change, begins, 1)
    np.add.at(change, ends, -1)
    crossing = np.cumsum(change)
    margin = int(PRINT.margin_share * (end - start) / step)
    low = crossing <= PRINT.gutter_share * crossing.max()
    low[:margin] = False
    low[len(low) - margin :] = False
    middles = []
    changes = np.flatnonzero(np.diff(np.pad(low.astype(int), 1)))  # run-length encoding: where neighbours differ
    for band_start, band_end in changes.reshape(-1, 2).tolist():
        if (band_end - band_start) * step >= PRINT.narrowest_gutter:
            inside = crossing[band_start:band_end]
            emptiest = np.flatnonzero(inside == inside.min()) + band_start
            middle = start + step * (float(emptiest[0]) + float(emptiest[-1]) + 1) / 2
            if divides_lines(pieces, middle):
                middles.append(middle)
    return tuple(middles)


def divides_lines(pieces: Iterable[Line], gutter: float) -> bool:
    """Return whether a gutter parts the lines: enough of them beside each other on both sides."""
    left = [piece for piece in pieces if piece.right <= gutter]
    right = [piece for piece in pieces if piece.left >= gutter]
    if min(len(left), len(right)) < PRINT.fewest_lines:
        return False
    top, bottom = min(piece.top for piece in right), max(piece.bottom for piece in right)
    return (
        sum(top - PRINT.beside_column <= piece.middle <= bottom + PRINT.beside_column for piece in left)
        >= PRINT.fewest_lines // 2
    )


def find_common_gutters(pages: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Return the gutters that most pages with columns have, for sparse pages; none when few pages have any."""
    with_columns = sorted((page for page in pages if page), key=lambda page: (len(page), page))
    if not with_columns or len(with_columns) < PRINT.common_gutters * len(pages):
        return ()
    counts = [len(page) for page in with_columns]
    usual = max(set(counts), key=counts.count)
    alike = np.array([page for page in with_columns if len(page) == usual])
    return tuple(np.median(alike, axis=0).tolist()) if len(alike) else ()


def divide_page(pieces: Sequence[Line], gutters: tuple[float, ...]) -> tuple[Region, ...]:
    """Return the columns of one page as they are read; lines across a gutter cut the page into bands."""
    if not pieces:
        return ()
    columns = _widen_rows(pieces, [_column(piece, gutters) for piece in pieces])
    across = sorted(piece.middle for piece, column in zip(pieces, columns, strict=True) if column < 0)
    groups: dict[tuple[int, int], list[Line]] = {}
    for piece, column in zip(pieces, columns, strict=True):
        band = 2 * int(np.searchsorted(across, piece.middle)) + (1 if column < 0 else 0)
        groups.setdefault((band, column), []).append(piece)
    edges = {}
    for column in set(columns):
        lines = [piece for piece, place in zip(pieces, columns, strict=True) if place == column]
        longest = max(piece.width for piece in lines)
        long = [piece for piece in lines if piece.width > PRINT.long_line * longest]
        lefts, rights = sorted(piece.left for piece in long), sorted(piece.right for piece in long)
        edges[column] = (lefts[len(lefts) // PRINT.overrun], rights[-1 - len(rights) // PRINT.overrun])
    merged: list[tuple[int, list[Line]]] = []
    for (_, column), group in sorted(groups.items(), key=lambda entry: entry[0]):
        if merged and merged[-1][0] == column < 0:
            merged[-1][1].extend(group)
        else:
            merged.append((column, group))
    return tuple(Region(join_rows(group), *edges[column]) for column, group in merged)


def _column(piece: Line, gutters: tuple[float, ...]) -> int:
    """Return the number of the column that holds a piece; -1 when it goes well over a gutter on both sides."""
    reach = max(PRINT.reach_points, PRINT.reach_sizes * piece.size)
    if any(piece.left < gutter - reach and piece.right > gutter + reach for gutter in gutters):
        return -1
    middle = (piece.left + piece.right) / 2
    return sum(middle > gutter for gutter in gutters)


def _widen_rows(pieces: Sequence[Line], columns: list[int]) -> list[int]:
    """Return columns, -1 also for short pieces beside a wide one: a row of a wide table, or of authors."""
    wide = sorted(
        (piece for piece, column in zip(pieces, columns, strict=True) if column < 0), key=attrgetter("middle")
    )
    if not wide:
        return columns
    short = PRINT.short_piece * (max(piece.right for piece in pieces) - min(piece.left for piece in pieces))
    whole = []
    for piece, column in zip(pieces, columns, strict=True):
        place = bisect_left(wide, piece.middle, key=attrgetter("middle"))
        beside = piece.width < short and any(near.beside(piece) for near in wide[max(place - 1, 0) : place + 1])
        whole.append(-1 if beside else column)
    return whole


def join_rows(pieces: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines from top to bottom, pieces at the same height joined into one."""
    rows: list[list[Line]] = []
    length = attrgetter("characters")
    for piece in sorted(pieces, key=lambda piece: (piece.middle, piece.left)):
        row = next((row for row in reversed(rows[-PRINT.near_rows :]) if max(row, key=length).beside(piece)), None)
        if row is None:
            rows.append([piece])
        else:
            row.append(piece)
    lines = [join_pieces(row) if len(row) > 1 else row[0] for row in rows]
    return tuple(sorted(lines, key=lambda line: (line.middle, line.left)))
