"""The columns of a page, and the boxes, notes and cells beside other text, in the order in which they are read."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Final

import numpy as np

from keywright.reading.layout.lines import Line, Region, join_pieces
from keywright.reading.layout.paragraphs import ends_sentence
from keywright.reading.page_numbers import PRINT

_OVER: Final = -2  # number of the column of a box over a gutter, which the columns pass by
_WIDER: Final = 1.2  # share by which text is wider than what it passes by; boxes of equal width may be cells. Arbitrary
_MOST_PAIRS: Final = 50_000  # stacks of running text times all stacks of a page; one with more is not read this way
_MOST_STEPS: Final = 5000  # steps across a page, of one point unless a damaged file has a page of absurd width


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
    """Return the columns of one page as they are read; lines across a gutter cut the page into bands.

    Boxes, notes and cells beside other text of their column are regions of their own.
    """
    widened = _widen_rows(pieces, [_column(piece, gutters) for piece in pieces])
    columns = dict(zip(map(id, pieces), widened, strict=True))
    stacks = _find_apart(_find_stacks(pieces), columns)
    inside = {id(line) for stack in stacks for line in stack.lines}
    over = [stack for stack in stacks if columns[id(stack.lines[0])] == _OVER]
    pieces = [piece for piece in pieces if columns[id(piece)] != _OVER]
    across = sorted(piece.middle for piece in pieces if columns[id(piece)] < 0)
    groups: dict[tuple[int, int], list[Line]] = {}
    for piece in pieces:
        column = columns[id(piece)]
        band = 2 * int(np.searchsorted(across, piece.middle)) + (1 if column < 0 else 0)
        groups.setdefault((band, column), []).append(piece)
    merged: list[tuple[int, list[Line]]] = []
    for (_, column), group in sorted(groups.items(), key=lambda entry: entry[0]):
        if merged and merged[-1][0] == column < 0:
            merged[-1][1].extend(group)
        else:
            merged.append((column, group))
    regions: list[Region] = []
    for column, group in merged:
        edges = _find_edges([piece for piece in pieces if columns[id(piece)] == column])
        members = set(map(id, group))
        text = Region(tuple(piece for piece in group if id(piece) not in inside), *edges)
        regions += _divide_column(text, [stack for stack in stacks if id(stack.lines[0]) in members])
    return tuple(replace(region, lines=join_rows(region.lines)) for region in (*regions, *over) if region.lines)


def _find_edges(pieces: Sequence[Line]) -> tuple[float, float]:
    """Return the left and right edge of a column: those of its long lines but for a few that overrun."""
    longest = max(piece.width for piece in pieces)
    long = [piece for piece in pieces if piece.width > PRINT.long_line * longest]
    lefts, rights = sorted(piece.left for piece in long), sorted(piece.right for piece in long)
    return lefts[len(lefts) // PRINT.overrun], rights[-1 - len(rights) // PRINT.overrun]


def _column(piece: Line, gutters: tuple[float, ...]) -> int:
    """Return the number of the column that holds a piece; -1 when it goes well over a gutter on both sides."""
    reach = max(PRINT.reach_points, PRINT.reach_sizes * piece.size)
    if any(piece.left < gutter - reach and piece.right > gutter + reach for gutter in gutters):
        return -1
    middle = (piece.left + piece.right) / 2
    return sum(middle > gutter for gutter in gutters)


def _widen_rows(pieces: Sequence[Line], columns: list[int]) -> list[int]:
    """Return columns, -1 also for short pieces beside a wide one: a row of a wide table, or of authors."""
    wide = sorted((each for each, column in zip(pieces, columns, strict=True) if column < 0), key=attrgetter("middle"))
    if not wide:
        return columns
    short = PRINT.short_piece * (max(piece.right for piece in pieces) - min(piece.left for piece in pieces))
    whole = []
    for piece, column in zip(pieces, columns, strict=True):
        place = bisect_left(wide, piece.middle, key=attrgetter("middle"))
        beside = piece.width < short and any(near.beside(piece) for near in wide[max(place - 1, 0) : place + 1])
        whole.append(-1 if beside else column)
    return whole


def _find_stacks(pieces: Sequence[Line]) -> list[Region]:
    """Return the pieces that a file draws one right below the other, in its order; most that are not text are alone."""
    stacks: list[list[Line]] = []
    for piece in pieces:
        last = stacks[-1][-1] if stacks else piece
        is_below = PRINT.shortest_step * piece.size < piece.middle - last.middle < PRINT.longest_step * piece.size
        is_alike = abs(piece.size - last.size) < PRINT.text_size_step
        if is_below and is_alike and piece.left < last.right and last.left < piece.right:
            stacks[-1].append(piece)
        else:
            stacks.append([piece])
    return list(map(_gather, stacks))


def _gather(pieces: Sequence[Line]) -> Region:
    return Region(tuple(pieces), min([piece.left for piece in pieces]), max([piece.right for piece in pieces]))


def _runs_on(stack: Region) -> bool:
    """Return whether a sentence goes on in the next line, as in running text and not in lists of names."""
    return any(
        after.text[0].isalpha() and not after.text[0].isupper() and "@" not in after.text
        for before, after in pairwise(stack.lines)
        if not ends_sentence(before.text)
    )


def _find_beside(text: Region, other: Region) -> tuple[Region, Region] | None:
    """Return the parts of two stacks that are beside each other; None where they are pieces of the same lines."""
    shared = min(text.bottom, other.bottom) - max(text.top, other.top)
    if shared < PRINT.shared_height * text.lines[0].size or sum(len(line.words) for line in other.lines) <= 1:
        return None
    if _are_apart(text, other):
        return text, other
    here = [line for line in text.lines if other.top < line.middle < other.bottom]
    there = [line for line in other.lines if text.top < line.middle < text.bottom]
    if len(here) <= 1 or not there:
        return None
    parts = _gather(here), _gather(there)
    return parts if _are_apart(*parts) else None


def _are_apart(first: Region, second: Region) -> bool:
    return first.right < second.left or second.right < first.left


def _find_apart(stacks: Sequence[Region], columns: dict[int, int]) -> list[Region]:
    """Return the stacks that are apart from the text of their columns, those that it passes by as floats.

    ``columns``: the column of each piece by its id, -1 across all, changed where a stack goes with those beside it.
    """
    apart: dict[int, Region] = {}  # by the id of the first line
    main: set[int] = set()
    for first, second in _pair_stacks(stacks):
        parts = _find_beside(first, second)
        column, other = (min(columns[id(line)] for line in part.lines) for part in parts or (first, second))
        if parts is None or (column != other and -1 not in {column, other}):
            continue
        if column != other:
            stack, side = (first, second) if column == -1 else (second, first)
            reach = PRINT.longest_step * stack.lines[0].size
            if side.top < stack.top - reach or side.bottom > stack.bottom + reach:
                apart[id(stack.lines[0])] = replace(stack, is_float=True)
                columns |= dict.fromkeys(map(id, stack.lines), _OVER)
                continue
            columns |= dict.fromkeys(map(id, first.lines + second.lines), -1)
        around = not _are_apart(first, parts[1]), not _are_apart(second, parts[0])
        text, box, part = (first, second, parts[0]) if around[0] else (second, first, parts[1])
        if around[0] != around[1] and box.width <= _WIDER * part.width:  # text over or under the other as well
            main.add(id(text.lines[0]))
            apart[id(box.lines[0])] = replace(box, is_float=True)
            continue
        narrow, wide = sorted(parts, key=attrgetter("width"))
        apart.setdefault(id(wide.lines[0]), wide)
        apart[id(narrow.lines[0])] = replace(narrow, is_float=wide.width > _WIDER * narrow.width)
    return _drop_overlaps(stacks, {line: region for line, region in apart.items() if line not in main})


def _pair_stacks(stacks: Sequence[Region]) -> Iterator[tuple[Region, Region]]:
    """Yield each pair of stacks at the same height, the first of running text; none on a page of very many."""
    texts = {place: stack for place, stack in enumerate(stacks) if len(stack.lines) > 1 and _runs_on(stack)}
    others = tuple(enumerate(stacks))
    pairs = ((text, other) for place, text in texts.items() for at, other in others if at > place or at not in texts)
    for first, second in pairs if len(texts) * len(stacks) < _MOST_PAIRS else ():
        if min(first.bottom, second.bottom) > max(first.top, second.top):
            yield first, second


def _drop_overlaps(stacks: Sequence[Region], apart: Mapping[int, Region]) -> list[Region]:
    """Return the regions apart, by the id of their first line, without those that share lines with an earlier one."""
    chosen: list[Region] = []
    inside: set[int] = set()
    for line in (line for stack in stacks for line in stack.lines) if apart else ():
        region = apart.get(id(line))
        if region and inside.isdisjoint(map(id, region.lines)):
            inside.update(map(id, region.lines))
            chosen.append(region)
    return chosen


def _divide_column(text: Region, stacks: Sequence[Region]) -> Iterator[Region]:
    """Yield the text of a column, and the stacks apart from it: where it makes room for them, else behind it."""
    lines = text.lines
    held: list[Region] = []
    rows = [
        (min(each.top for each in around), max(each.bottom for each in around), stack)
        for stack in stacks
        if (around := [each for each in stacks if min(each.bottom, stack.bottom) > max(each.top, stack.top)])
    ]
    for top, bottom, stack in sorted(rows, key=itemgetter(0)):
        if not any(top < line.middle < bottom for line in lines):
            yield replace(text, lines=tuple(line for line in lines if line.middle <= top))
            yield from (*held, stack)
            lines, held = tuple(line for line in lines if line.middle > top), []
        else:
            held.append(stack)
    yield replace(text, lines=lines)
    yield from held


def join_rows(pieces: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines from top to bottom, pieces at the same height joined into one."""
    rows: list[list[Line]] = []
    length = attrgetter("characters")
    for piece in sorted(pieces, key=lambda piece: (piece.middle, piece.left)):
        longest = (row[0] if len(row) == 1 else max(row, key=length) for row in reversed(rows[-PRINT.near_rows :]))
        row = next((place for place, line in enumerate(longest, 1) if line.beside(piece)), None)
        if row is None:
            rows.append([piece])
        else:
            rows[-row].append(piece)
    lines = [join_pieces(row) if len(row) > 1 else row[0] for row in rows]
    return tuple(sorted(lines, key=lambda line: (line.middle, line.left)))
