"""Longest common subsequences of token ids, 30 cells of the table at a time.

A row of the table of lengths is one whole number: bit p is 0 where the length grows from the first p tokens of one
text to its first p + 1. A row follows from the one before by an addition and three bit operations (Hyyrö, *Bit-parallel
LCS-length computation revisited*, 2004), which Python does fast on numbers of any size.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
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
        self._places: dict[int, list[int]] = defaultdict(list)
        self._masks: dict[int, int] = {}
        if self.length <= _SHORT:
            for place, token in enumerate(tokens):
                self._masks[token] = self._masks.get(token, 0) | (1 << place)
            return
        for place, token in enumerate(tokens):
            self._places[token].append(place)
        self._made = lru_cache(maxsize=_CACHED_BITS // self.length + 1)(self._make)

    def masks(self, tokens: Sequence[int]) -> Iterator[int]:
        """Yield the masks of tokens, in order; one 0 for each run of tokens that the text does not have.

        All rows within such a run are equal.
        """
        places, masks = self._places, self._masks
        gap = False
        for token in tokens:
            if token in masks:
                yield masks[token]
            elif token in places:
                yield self._made(token)
            elif not gap:
                yield 0
                gap = True
                continue
            else:
                continue
            gap = False

    def _make(self, token: int) -> int:
        bits = np.zeros(self.length, np.uint8)
        bits[self._places[token]] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def lcs_length(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two texts; 0 if one is empty."""
    short, long = sorted((first, second), key=len)
    row = start = (1 << len(long)) - 1
    for mask in Positions(long).masks(short):
        both = row & mask
        row = (row + both) | (row - both)
    return len(long) - (row & start).bit_count()


def matched(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the places of one longest common subsequence in the first text, as a bit mask.

    The trace-back takes the match at a cell that has one, else goes up, to one token fewer of the first text, if that
    costs no length, else to one token fewer of the second: as ROUGE-1.5.5 and rouge-score do.

    Args:
        positions: of the tokens of the first text, the reference.
        tokens: the second text.
    """
    row = (1 << positions.length) - 1
    # Rows of very long texts do not fit in memory: some are kept, and those between are made again on the way back.
    step = isqrt(len(tokens)) if len(tokens) * positions.length > _ROW_BITS else len(tokens) or 1
    checkpoints = [(0, row)]
    for start in range(step, len(tokens), step):
        row = _rows(row, positions.masks(tokens[start - step : start]))[-1][1]
        checkpoints.append((start, row))
    marks, left = 0, positions.length
    for start, checkpoint in reversed(checkpoints):
        for mask, row in reversed(_rows(checkpoint, positions.masks(tokens[start : start + step]))):
            # All steps up at once: to the last place that matches, or from which a step up would cost length.
            place = ((mask | ~row) & ((1 << left) - 1)).bit_length() - 1
            if place < 0:
                return marks
            if mask >> place & 1:
                marks |= 1 << place
                left = place
            else:
                left = place + 1
    return marks


def _rows(row: int, masks: Iterable[int]) -> list[tuple[int, int]]:
    """Return each mask with the row that follows from it."""
    rows = []
    for mask in masks:
        both = row & mask
        row = (row + both) | (row - both)  # carries set bits above the text, at most one a match; nobody reads them
        rows.append((mask, row))
    return rows
