"""Weighted longest common subsequences of ROUGE-W: runs of matches count more than scattered ones."""

from collections.abc import Sequence
from typing import Final

from keywright.core.errors import TooLarge

WEIGHT: Final = 1.2
"""Exponent of the length of a run; the usual value of ``-w`` (Lin 2004, section 5)."""
_MOST_CELLS: Final = 1 << 25
"""Cells of the table, a byte each, above which a comparison is refused; arbitrary, about half a minute."""
_DIAGONAL, _UP, _LEFT = range(3)
"""Steps of the way back: a match, one token fewer of the first text, one fewer of the second."""


def weight(length: float) -> float:
    """Return the weight of a run of matches.

    >>> round(weight(4), 6)
    5.278032
    """
    return float(length**WEIGHT)


def unweighted(value: float) -> float:
    """Return the length that has a weight."""
    return float(value ** (1 / WEIGHT))


def weighted_matched(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the places of a weighted longest common subsequence in the first text, as a bit mask.

    Raises:
        TooLarge: the product of the lengths is above 33 million.
    """
    if len(first) * len(second) > _MOST_CELLS:
        message = f"ROUGE-W of sentences of {len(first)} and {len(second)} words needs too much memory"
        raise TooLarge(message, "divide the texts into sentences")
    moves = _moves(first, second)
    marks, row, column = 0, len(first), len(second)
    while row and column:
        move = moves[row - 1][column - 1]
        row, column = row - (move != _LEFT), column - (move != _UP)
        if move == _DIAGONAL:
            marks |= 1 << row
    return marks


def _moves(first: Sequence[int], second: Sequence[int]) -> list[bytearray]:
    """Return the way back from each cell of the table, by rows."""
    weights = [weight(length) for length in range(min(len(first), len(second)) + 1)]
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
