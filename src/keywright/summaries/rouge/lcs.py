"""Longest common subsequences of token ids, 30 cells of the table at a time.

A row of the table of lengths is one whole number: bit p is 0 where the length grows from the first p tokens of one
text to its first p + 1. A row follows from the one before by an addition and three bit operations (Hyyrö, *Bit-parallel
LCS-length computation revisited*, 2004), which Python does fast on numbers of any size.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from math import isqrt
from typing import Final

import numpy as np

_SHORT: Final = 4096
"""Tokens of a text whose masks are all kept in memory; arbitrary."""
_CACHED_BITS: Final = 1 << 28
"""Bits of the masks of a longer text that are kept in memory: 32 MB; arbitrary."""
_ROW_BITS: Final = 1 << 28
"""Bits of rows that are kept in memory for the way back; arbitrary."""


class Positions:
    """Places of each token in a text, as bit masks.

    Attributes:
        length: tokens of the text.
    """

    def __init__(self, tokens: Sequence[int]) -> None:
        """Index a text; masks of long texts are made when they are asked for, since all together need much memory."""
        self.length = len(tokens)
        self._masks: dict[int, int] = {}
        self._places: dict[int, list[int]] = {}
        if self.length <= _SHORT:
            bit = 1
            for token in tokens:
                self._masks[token] = self._masks.get(token, 0) | bit
                bit <<= 1
            return
        for place, token in enumerate(tokens):
            self._places.setdefault(token, []).append(place)
        self._made = lru_cache(maxsize=_CACHED_BITS // self.length + 1)(self._make)

    def masks(self, tokens: Iterable[int]) -> Iterator[int]:
        """Yield the masks of tokens, in order; 0 for a token that the text does not have."""
        if self._places:
            return (self._made(token) if token in self._places else 0 for token in tokens)
        return map(self._masks.get, tokens, repeat(0))

    def _make(self, token: int) -> int:
        bits = np.zeros(self.length, np.uint8)
        bits[self._places[token]] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def lcs_length(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two texts; 0 if one is empty.

    Args:
        positions: of the tokens of the first text.
        tokens: the second text.
    """
    row = start = (1 << positions.length) - 1
    for mask in filter(None, positions.masks(tokens)):
        both = row & mask
        row = (row + both) | (row - both)  # carries set bits above the text, at most one a match; nobody reads them
    return positions.length - (row & start).bit_count()


def matched(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the places of one longest common subsequence in the first text, as a bit mask.

    The trace-back takes the match at a cell that has one, else goes up, to one token fewer of the first text, if that
    costs no length, else to one token fewer of the second: as ROUGE-1.5.5 and rouge-score do.

    Args:
        positions: of the tokens of the first text, the reference.
        tokens: the second text.
    """
    row = (1 << positions.length) - 1
    if len(tokens) * positions.length <= _ROW_BITS:
        return _way_back(_rows(row, positions.masks(tokens)), positions.length)[0]
    # Rows of very long texts do not fit in memory: some are kept, and those between are made again on the way back.
    step = isqrt(len(tokens))
    checkpoints = [(0, row)]
    for start in range(step, len(tokens), step):
        row = _rows(row, positions.masks(tokens[start - step : start]))[-1][1]
        checkpoints.append((start, row))
    marks, left = 0, positions.length
    for start, checkpoint in reversed(checkpoints):
        more, left = _way_back(_rows(checkpoint, positions.masks(tokens[start : start + step])), left)
        marks |= more
    return marks


def _way_back(rows: Sequence[tuple[int, int]], left: int) -> tuple[int, int]:
    """Return the matches on the way from the last row, and the tokens of the first text that are left at its end.

    Args:
        rows: masks with the rows that follow from them.
        left: tokens of the first text that are left at the beginning.
    """
    marks = 0
    for mask, row in reversed(rows):
        # All steps up at once: to the last place that matches, or from which a step up would cost length.
        place = ((mask | ~row) & ((1 << left) - 1)).bit_length() - 1
        if place < 0:
            return marks, 0
        if mask >> place & 1:
            marks |= 1 << place
            left = place
        else:
            left = place + 1
    return marks, left


def _rows(row: int, masks: Iterable[int]) -> list[tuple[int, int]]:
    """Return each mask with the row that follows from it; one 0 for a run of tokens that the text does not have."""
    rows: list[tuple[int, int]] = []
    for mask in masks:
        if mask:
            both = row & mask
            row = (row + both) | (row - both)
            rows.append((mask, row))
        elif not rows or rows[-1][0]:
            rows.append((0, row))
    return rows
