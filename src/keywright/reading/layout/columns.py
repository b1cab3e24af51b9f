"""Layout of a page: where its columns part, and in which order its lines are read. Pure functions on lines."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from keywright.reading.layout.lines import Line, joined

NARROWEST_GUTTER: Final = 5.0
"""Width in points below which white space between columns is taken for the space between words."""

GUTTER_SHARE: Final = 0.3
"""Lines that may cross a gutter (titles, wide tables), as a share of those at the page's fullest place."""

LONGEST_NUMBER: Final = 4
"""Digits of the number of a line."""

FEWEST_LINES: Final = 4
"""Lines that must stand on each side of a gutter for a page to have columns."""

SHORT_PIECE: Final = 0.25
"""Share of the text's width below which a piece beside a line over both columns belongs to it."""

MOST_STEPS: Final = 5000
"""Steps across a page: of one point each, unless a damaged file has a page of absurd width."""

MARGIN_SHARE: Final = 0.15
"""Share of the text's width, at either side, where no gutter is looked for."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of one column that are read one after the other, and the edges of that column."""

    lines: tuple[Line, ...]
    left: float
    right: float


def touching(pieces: Iterable[Line]) -> list[Line]:
    """Pieces with those joined that follow each other without a blank: a word and the sign raised after it."""
    found: list[Line] = []
    for piece in pieces:
        last = found[-1] if found else None
        near = last is not None and -0.2 * piece.size < piece.left - last.right < 0.4 * max(piece.size, last.size)
        if last is not None and near and last.beside(piece):
            found[-1] = joined((last, piece))
        else:
            found.append(piece)
    return found


def numbers_of_lines(pieces: Sequence[Line]) -> set[int]:
    """Places of the numbers that listings and manuscripts print before their lines: a column of numbers that rise.

    >>> numbers_of_lines([Line(str(row), 0, 40, 45, 20 * row, 20 * row + 10, 6) for row in (1, 2, 4, 5, 6)])
    {0, 1, 2, 3, 4}
    """
    columns: dict[int, list[int]] = {}
    for place, piece in enumerate(pieces):
        if piece.text.isdecimal() and len(piece.text) <= LONGEST_NUMBER:
            columns.setdefault(round(piece.right / 2), []).append(place)
    found: set[int] = set()
    for places in columns.values():
        ordered = sorted(places, key=lambda place: pieces[place].middle)
        values = [int(pieces[place].text) for place in ordered]
        if len(values) >= FEWEST_LINES and all(one < two for one, two in pairwise(values)):
            found.update(places)
    return found


def gutters(pieces: Sequence[Line]) -> tuple[float, ...]:
    """Middles of the white bands between the columns of one page, from left to right; none when it has one column.

    >>> left = [Line("left column", 0, 50, 290, 20 * row, 20 * row + 10, 10) for row in range(6)]
    >>> right = [Line("right column", 0, 310, 550, 20 * row, 20 * row + 10, 10) for row in range(6)]
    >>> gutters(left + right)
    (300.0,)
    """
    if len(pieces) < 2 * FEWEST_LINES:
        return ()
    edges = np.array([(piece.left, piece.right) for piece in pieces])
    start, end = float(edges[:, 0].min()), float(edges[:, 1].max())
    step = max(1.0, (end - start) / MOST_STEPS)
    begins = np.ceil((edges[:, 0] - start) / step).astype(int)
    ends = np.maximum(np.floor((edges[:, 1] - start) / step).astype(int), begins)
    change = np.zeros(int((end - start) / step) + 3)
    np.add.at(change, begins, 1)
    np.add.at(change, ends, -1)
    crossing = np.cumsum(change)
    margin = int(MARGIN_SHARE * (end - start) / step)
    low = crossing <= GUTTER_SHARE * crossing.max()
    low[:margin] = False
    low[len(low) - margin :] = False
    found = []
    for band_start, band_end in _runs(low):
        if (band_end - band_start) * step >= NARROWEST_GUTTER:
            inside = crossing[band_start:band_end]
            emptiest = np.flatnonzero(inside == inside.min()) + band_start
            middle = start + step * (float(emptiest[0]) + float(emptiest[-1]) + 1) / 2
            if parts(pieces, middle):
                found.append(middle)
    return tuple(found)


def parts(pieces: Iterable[Line], gutter: float) -> bool:
    """Whether a gutter really parts the lines: enough of them beside each other on both sides."""
    left = [piece for piece in pieces if piece.right <= gutter]
    right = [piece for piece in pieces if piece.left >= gutter]
    if min(len(left), len(right)) < FEWEST_LINES:
        return False
    top, bottom = min(piece.top for piece in right), max(piece.bottom for piece in right)
    return sum(top - 2 <= piece.middle <= bottom + 2 for piece in left) >= FEWEST_LINES // 2


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Stretches of true values, half-open."""
    padded = np.concatenate(([0], flags.astype(int), [0]))
    changes = np.flatnonzero(np.diff(padded))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True))


def common_gutters(pages: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """The gutters that most pages with columns have, to stand in on sparse pages; none when few pages have any."""
    with_columns = sorted((page for page in pages if page), key=lambda page: (len(page), page))
    if not with_columns or len(with_columns) < 0.3 * len(pages):
        return ()
    counts = [len(page) for page in with_columns]
    usual = max(set(counts), key=counts.count)
    alike = np.array([page for page in with_columns if len(page) == usual])
    return tuple(np.median(alike, axis=0).tolist()) if len(alike) else ()


def regions(pieces: Sequence[Line], gutters: tuple[float, ...]) -> tuple[Region, ...]:
    """Columns of one page in the order they are read.

    Lines that cross a gutter (a title, an author block, the caption of a wide figure) cut the page into bands; within
    a band the columns are read from left to right, each from top to bottom.
    """
    if not pieces:
        return ()
    columns = _across_rows(pieces, [_column(piece, gutters) for piece in pieces])
    across = sorted(piece.middle for piece, column in zip(pieces, columns, strict=True) if column < 0)
    groups: dict[tuple[int, int], list[Line]] = {}
    for piece, column in zip(pieces, columns, strict=True):
        band = 2 * int(np.searchsorted(across, piece.middle)) + (1 if column < 0 else 0)
        groups.setdefault((band, column), []).append(piece)
    edges = _edges(pieces, columns)
    merged: list[tuple[int, list[Line]]] = []
    for (_, column), group in sorted(groups.items(), key=lambda entry: entry[0]):
        if merged and merged[-1][0] == column < 0:
            merged[-1][1].extend(group)
        else:
            merged.append((column, group))
    return tuple(Region(in_rows(group), *edges[column]) for column, group in merged)


def _column(piece: Line, gutters: tuple[float, ...]) -> int:
    """Number of the column that holds a piece; -1 when it goes well over a gutter on both of its sides."""
    reach = max(10.0, 1.2 * piece.size)
    if any(piece.left < gutter - reach and piece.right > gutter + reach for gutter in gutters):
        return -1
    middle = (piece.left + piece.right) / 2
    return sum(middle > gutter for gutter in gutters)


def _across_rows(pieces: Sequence[Line], columns: list[int]) -> list[int]:
    """Columns with -1 for short pieces beside a wide one: together they are a row of a wide table, or of authors."""
    wide = sorted((piece for piece, column in zip(pieces, columns, strict=True) if column < 0), key=_middle)
    if not wide:
        return columns
    short = SHORT_PIECE * (max(piece.right for piece in pieces) - min(piece.left for piece in pieces))
    whole = []
    for piece, column in zip(pieces, columns, strict=True):
        place = bisect_left(wide, piece.middle, key=_middle)
        beside = piece.width < short and any(near.beside(piece) for near in wide[max(place - 1, 0) : place + 1])
        whole.append(-1 if beside else column)
    return whole


def _middle(line: Line) -> float:
    return line.middle


def _edges(pieces: Sequence[Line], columns: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Left and right edge of each column: where most of its long lines begin and end."""
    edges = {}
    for column in set(columns):
        own = [piece for piece, where in zip(pieces, columns, strict=True) if where == column]
        longest = max(piece.width for piece in own)
        long = [piece for piece in own if piece.width > 0.6 * longest]
        lefts, rights = sorted(piece.left for piece in long), sorted(piece.right for piece in long)
        edges[column] = (lefts[len(lefts) // 10], rights[-1 - len(rights) // 10])
    return edges


def in_rows(pieces: Iterable[Line]) -> tuple[Line, ...]:
    """Lines from top to bottom, pieces at the same height joined into one."""
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.middle, piece.left)):
        row = next((row for row in reversed(rows[-3:]) if _main(row).beside(piece)), None)
        if row is None:
            rows.append([piece])
        else:
            row.append(piece)
    lines = [joined(row) if len(row) > 1 else row[0] for row in rows]
    return tuple(sorted(lines, key=lambda line: (line.middle, line.left)))


def _main(row: list[Line]) -> Line:
    return max(row, key=lambda piece: piece.characters)
