"""Probability maps: piecewise linear functions from scores to probabilities, fitted by isotonic regression.

Isotonic regression (Zadrozny and Elkan 2002: Transforming classifier scores into accurate multiclass probability
estimates) partitions the scores into blocks with increasing shares of yes. By itself it gives 0 and 1 at the ends, may
need hundreds of blocks, and gives all scores of a block one probability. Here:

* a yes at the lowest and a no at the highest score are added to the training rows, as in the rule of succession: a
  block is never pure, and few rows at an end are weak evidence;
* the two adjacent blocks whose union adds least to the squared error are merged until few enough remain;
* inside a block the line rises through the block's mean, by part of the way to the adjacent blocks: better scores have
  better probabilities, and every block stays calibrated.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.errors import BadParameter, needs_extra

_SHARE: Final = 0.45
"""Maximum share of the gap to an adjacent block that the line rises inside a block; arbitrary below half, where lines
of adjacent blocks would meet."""
_FEWEST_KNOTS: Final = 2  # ends of a line


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilityMap:
    """Function from a score to a probability, linear between increasing knots, (knots,), and constant beyond."""

    scores: Floats
    probabilities: Floats

    @classmethod
    def fit(cls, scores: Floats, answers: Bools, knots: int = 64) -> Self:
        """Learn from the scores of rows that the scorer was not trained on.

        Every probability is in [1 / (n + 2), 1 - 1 / (n + 2)] for n rows; their sum differs from the number of yes by
        less than one.
        """
        with needs_extra("train", "fitting probabilities needs scipy"):
            from scipy.optimize import isotonic_regression  # noqa: PLC0415  (heavy, only training needs it)

        scores, answers = np.asarray(scores, float), np.asarray(answers, bool)
        if scores.ndim != 1 or scores.shape != answers.shape:
            message = f"scores {scores.shape} and answers {answers.shape}"
            raise BadParameter(message, "expected one answer for each score")
        if not np.isfinite(scores).all():
            raise BadParameter("a score is nan or infinite", "expected finite numbers")
        if answers.all() or not answers.any():
            message = f"a probability map needs rows of both classes, not {len(scores)} rows with {answers.sum()} yes"
            raise BadParameter(message, "do gold keyphrases occur in the documents?")
        if knots < _FEWEST_KNOTS:
            raise BadParameter(f"knots {knots}", "expected a number from 2")
        scores = np.concatenate((scores, [scores.min(), scores.max()]))
        answers = np.concatenate((answers, [True, False]))
        values, which, rows = np.unique(scores, return_inverse=True, return_counts=True)
        yes = np.bincount(which, answers)
        starts = isotonic_regression(yes / rows, weights=rows).blocks[:-1]
        starts = _merge_blocks(starts, rows, yes, knots // 2)
        return cls(*_line(starts, values, rows, yes))

    def of(self, scores: Floats) -> Floats:
        """Return the probabilities of scores, (scores,)."""
        if np.isnan(scores).any():
            raise BadParameter("a score is nan, and has no probability", "expected numbers")
        after = np.searchsorted(self.scores, scores).clip(max=len(self.scores) - 1)
        # Rounding may lift a score just below a knot above it, by the last digit.
        return np.asarray(np.minimum(np.interp(scores, self.scores, self.probabilities), self.probabilities[after]))


def _merge_blocks(starts: Ints, rows: Numbers, yes: Numbers, most: int) -> Ints:
    """Return where blocks start after merging adjacent ones until at most ``most`` remain, (blocks,)."""
    # Greedy merging by Ward's criterion, all adjacent pairs at once: what the union adds to the squared error.
    starts = np.asarray(starts)
    while len(starts) > most:
        size = np.add.reduceat(rows, starts)
        share = np.add.reduceat(yes, starts) / size
        added = np.diff(share) ** 2 * size[1:] * size[:-1] / (size[1:] + size[:-1])
        starts = np.delete(starts, 1 + np.argmin(added))
    return starts


def _line(starts: Ints, values: Floats, rows: Numbers, yes: Numbers) -> tuple[Floats, Floats]:
    """Return knots at the lowest and highest score of each block, as scores (knots,) and probabilities (knots,)."""
    sizes = np.add.reduceat(rows, starts)
    share = np.add.reduceat(yes, starts) / sizes
    lowest, highest = values[starts], values[np.append(starts[1:], len(values)) - 1]
    above_lowest = values - np.repeat(lowest, np.diff(np.append(starts, len(values))))
    below = np.add.reduceat(above_lowest * rows, starts) / sizes  # from the lowest score to the mean one
    above = highest - lowest - below
    room = _SHARE * np.diff(share, prepend=1 / sizes.sum(), append=1 - 1 / sizes.sum())
    apart = highest > lowest  # a block of one score is one knot, all others are two
    slope = np.zeros(len(starts))
    slope[apart] = np.minimum(room[:-1][apart] / below[apart], room[1:][apart] / above[apart])
    knots = np.column_stack((lowest, highest)).ravel()
    probabilities = np.column_stack((share - slope * below, share + slope * above)).ravel()
    distinct = np.column_stack((np.ones(len(starts), bool), apart)).ravel()
    return knots[distinct], probabilities[distinct]


def sigmoid(log_odds: Floats) -> Floats:
    """Return the probability of log odds."""
    return np.asarray(np.exp(-np.logaddexp(0, -log_odds)))
