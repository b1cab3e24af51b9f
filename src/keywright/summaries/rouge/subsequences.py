"""Longest common subsequences of token ids: of two texts, united over sentences (Lin 2004, section 3.2), or weighted.

A row of the table of lengths is one whole number: bit p is 0 where the length grows from the first p tokens to p + 1
(Hyyrö, *Bit-parallel LCS-length computation revisited*, 2004), which Python does fast on numbers of any size.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, repeat
from math import isqrt
from typing import Final

import numpy as np

from keywright.core.errors import TooLarge

_SHORT: Final = 4096  # tokens of a text whose masks are all kept in memory; arbitrary
_CACHED_BITS: Final = 1 << 28  # bits of the masks of a longer text that are kept in memory: 32 MB; arbitrary
_ROW_BITS: Final = 1 << 28  # bits of rows that are kept in memory for the way back; arbitrary


class Positions:
    """Places of each token in a text of so many tokens (``length``), as bit masks."""

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


def measure_longest(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two texts; 0 if one is empty."""
    row = start = (1 << positions.length) - 1
    for mask in filter(None, positions.masks(tokens)):
        both = row & mask
        row = (row + both) | (row - both)  # carries set bits above the text, at most one a match; nobody reads them
    return positions.length - (row & start).bit_count()


def match_longest(positions: Positions, tokens: Sequence[int]) -> int:
    """Return the positions of one longest common subsequence in the first text, the reference, as a bit mask.

    The trace-back takes a match, else goes up where that costs no length, else left: as both ROUGE programs do.
    """
    row = (1 << positions.length) - 1
    if len(tokens) * positions.length <= _ROW_BITS:
        return _trace_back(_compute_rows(row, positions.masks(tokens)), positions.length)[0]
    # Rows of very long texts do not fit in memory: some are kept, and those between are made again on the way back.
    step = isqrt(len(tokens))
    checkpoints = [(0, row)]
    for start in range(step, len(tokens), step):
        row = _compute_rows(row, positions.masks(tokens[start - step : start]))[-1][1]
        checkpoints.append((start, row))
    marks, left = 0, positions.length
    for start, checkpoint in reversed(checkpoints):
        more, left = _trace_back(_compute_rows(checkpoint, positions.masks(tokens[start : start + step])), left)
        marks |= more
    return marks


def _trace_back(rows: Sequence[tuple[int, int]], left: int) -> tuple[int, int]:
    """Return the matches on the way from the last row, and the tokens of the first text that are left at its end."""
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


def _compute_rows(row: int, masks: Iterable[int]) -> list[tuple[int, int]]:
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


_MANY: Final = 16  # sentences of a text above which it is worth while to look up those that hold a token; arbitrary


class Sentences:
    """Sentences of a text, as token ids, with what comparisons need; each is made when it is first asked for."""

    def __init__(self, sentences: Sequence[Sequence[int]]) -> None:
        self.sentences = sentences

    @cached_property
    def counts(self) -> Counter[int]:
        """The number of occurrences of each token."""
        return Counter(chain.from_iterable(self.sentences))

    @cached_property
    def positions(self) -> tuple[Positions, ...]:
        """The positions of each sentence's tokens."""
        return tuple(map(Positions, self.sentences))

    @cached_property
    def _distinct(self) -> dict[tuple[int, ...], int]:
        """The number of each distinct sentence; repeated ones add nothing to a union."""
        return {sentence: number for number, sentence in enumerate(dict.fromkeys(map(tuple, self.sentences)))}

    @cached_property
    def _holders(self) -> dict[int, list[tuple[int, ...]]]:
        holders: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for sentence in self._distinct:
            for token in set(sentence):
                holders[token].append(sentence)
        return dict(holders)

    def union(self, sentence: Sequence[int], match: Callable[[Sequence[int]], int]) -> int:
        """Return the positions of a sentence that ``match`` finds with any sentence of this text, as a bit mask."""
        if tuple(sentence) in self._distinct:  # all of it: the usual case of summaries that copy sentences
            return (1 << len(sentence)) - 1
        marks = 0
        if len(self._distinct) <= _MANY:
            for tokens in self._distinct:
                marks |= match(tokens)
            return marks
        compared = set()
        # A sentence is compared only while a position that it may add is open: long texts need few comparisons.
        for position, token in enumerate(sentence):
            for tokens in self._holders.get(token, ()):
                if marks >> position & 1:
                    break
                number = self._distinct[tokens]
                if number not in compared:
                    compared.add(number)
                    marks |= match(tokens)
        return marks


WEIGHT: Final = 1.2  # exponent of the length of a run; the usual value of ``-w`` (Lin 2004, section 5)
_MOST_CELLS: Final = 1 << 25
"""Cells of the table, a byte each, above which a comparison is refused; arbitrary, about half a minute."""
_DIAGONAL, _UP, _LEFT = range(3)
"""Steps of the way back: a match, one token fewer of the first text, one fewer of the second."""


def weigh_run(length: float) -> float:
    """Return the weight of a run of matches.

    >>> round(weigh_run(4), 6)
    5.278032
    """
    return float(length**WEIGHT)


def invert_weight(value: float) -> float:
    """Return the length that has a weight."""
    return float(value ** (1 / WEIGHT))


def match_weighted(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the places of a weighted longest common subsequence in the first text, as a mask; raises ``TooLarge``."""
    if len(first) * len(second) > _MOST_CELLS:
        message = f"ROUGE-W of sentences of {len(first)} and {len(second)} words needs too much memory"
        raise TooLarge(message, "divide the texts into sentences")
    moves = _fill_moves(first, second)
    marks, row, column = 0, len(first), len(second)
    while row and column:
        move = moves[row - 1][column - 1]
        row, column = row - (move != _LEFT), column - (move != _UP)
        if move == _DIAGONAL:
            marks |= 1 << row
    return marks


def _fill_moves(first: Sequence[int], second: Sequence[int]) -> list[bytearray]:
    """Return the way back from each cell of the table, by rows."""
    weights = [weigh_run(length) for length in range(min(len(first), len(second)) + 1)]
    scores, runs = [0.0] * (len(second) + 1), [0] * (len(second) + 1)
    moves = []
    for token in first:
        above, above_runs = scores, runs
        scores, runs, line = [0.0], [0], bytearray()
        for column, other in enumerate(second):
            if token == other:
                run = above_runs[column]
                # In this order, as ROUGE-1.5.5: rounding decides between equal ways.
                scores.append(above[column] + weights[run + 1] - weights[run])
                runs.append(run + 1)
                line.append(_DIAGONAL)
            else:
                up, left = above[column + 1], scores[column]
                scores.append(max(up, left))
                runs.append(0)
                line.append(_UP if up >= left else _LEFT)
        moves.append(line)
    return moves
