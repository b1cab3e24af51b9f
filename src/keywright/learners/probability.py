"""Scores to probabilities: a rising line with few bends, learned by isotonic regression.

Isotonic regression (Zadrozny and Elkan 2002: Transforming classifier scores into accurate multiclass probability
estimates) cuts the scores into blocks with a rising share of yes. As it is, it says 0 and 1 at the ends, may take
hundreds of blocks, and gives all scores of a block one probability. Here:

* a yes at the lowest and a no at the highest score are added to the training rows, as in the rule of succession: a
  block is never pure, and few rows at an end prove little;
* the two neighbouring blocks whose joining adds least to the squared error are joined until few enough are left;
* inside a block the line rises through the block's mean, by part of the way to the neighbouring blocks: better scores
  have better probabilities, and every block stays calibrated.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.errors import BadParameter

_SHARE: Final = 0.45
"""How much of the gap to a neighbouring block the line may climb inside a block; below half, so that none meet."""


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilityMap:
    """Line from a score to a probability: straight between knots, never falling, level beyond the outermost knots.

    Attributes:
        scores: of the knots, rising, (knots,).
        probabilities: of the knots, rising, above 0 and below 1, (knots,).
    """

    scores: Floats
    probabilities: Floats

    @classmethod
    def fit(cls, scores: Floats, answers: Bools, knots: int = 64) -> Self:
        """Learn from scores that the scorer gave to rows it was not trained on.

        Every probability lies in [1 / (n + 2), 1 - 1 / (n + 2)] for n rows. Over these rows and the two added ones the
        mean probability is the share of yes; the rows alone have a sum of probabilities less than one away from the
        number of yes.

        Args:
            scores: higher is better, (rows,).
            answers: whether the row is a yes, (rows,).
            knots: most knots, at least 2.

        Raises:
            BadParameter: no rows, rows of one class only, a score that is no finite number, lengths that differ, or too
                few knots.
        """
        from scipy.optimize import isotonic_regression  # noqa: PLC0415  (heavy, only training needs it)

        scores, answers = np.asarray(scores, float), np.asarray(answers, bool)
        _check(scores, answers, knots)
        scores = np.concatenate((scores, [scores.min(), scores.max()]))
        answers = np.concatenate((answers, [True, False]))
        values, which, rows = np.unique(scores, return_inverse=True, return_counts=True)
        yes = np.bincount(which, answers)
        starts = isotonic_regression(yes / rows, weights=rows).blocks[:-1]
        starts = _joined(starts, rows, yes, knots // 2)
        return cls(*_line(starts, values, rows, yes))

    def of(self, scores: Floats) -> Floats:
        """Probabilities of scores, (scores,).

        Raises:
            BadParameter: a score is not a number.
        """
        if np.isnan(scores).any():
            raise BadParameter("a score is nan, and has no probability", "expected numbers")
        after = np.searchsorted(self.scores, scores).clip(max=len(self.scores) - 1)
        # Rounding may lift a score just before a knot above it, by the last digit.
        found: Floats = np.minimum(np.interp(scores, self.scores, self.probabilities), self.probabilities[after])
        return found


def _check(scores: Floats, answers: Bools, knots: int) -> None:
    """Refuse what nothing can be learned from."""
    if scores.ndim != 1 or scores.shape != answers.shape:
        raise BadParameter(f"scores {scores.shape} and answers {answers.shape}", "expected one answer for each score")
    if not np.isfinite(scores).all():
        raise BadParameter("a score is nan or infinite", "expected finite numbers")
    if answers.all() or not answers.any():  # true of no rows, too
        raise BadParameter(
            f"a probability map needs rows of both classes, not {len(scores)} rows with {answers.sum()} yes",
            "do gold keyphrases occur in the documents?",
        )
    if knots < 2:  # noqa: PLR2004  (the two ends of a line)
        raise BadParameter(f"knots {knots}", "expected a number from 2")


def _joined(starts: Ints, rows: Numbers, yes: Numbers, most: int) -> Ints:
    """Where blocks start, neighbours joined until there are at most so many, (blocks,)."""
    starts = np.asarray(starts)
    while len(starts) > most:
        size = np.add.reduceat(rows, starts)
        share = np.add.reduceat(yes, starts) / size
        added = np.diff(share) ** 2 * size[1:] * size[:-1] / (size[1:] + size[:-1])
        starts = np.delete(starts, 1 + np.argmin(added))
    return starts


def _line(starts: Ints, values: Floats, rows: Numbers, yes: Numbers) -> tuple[Floats, Floats]:
    """Knots at the lowest and highest score of each block, as scores (knots,) and probabilities (knots,).

    Args:
        starts: where each block starts among the values, (blocks,).
        values: distinct scores, rising, (values,).
        rows: with each value, (values,).
        yes: among them, (values,).
    """
    sizes = np.add.reduceat(rows, starts)
    share = np.add.reduceat(yes, starts) / sizes
    lowest, highest = values[starts], values[np.append(starts[1:], len(values)) - 1]
    above_lowest = values - np.repeat(lowest, np.diff(np.append(starts, len(values))))
    below = np.add.reduceat(above_lowest * rows, starts) / sizes  # from the lowest score to the mean one
    above = highest - lowest - below
    room = _SHARE * np.diff(share, prepend=1 / sizes.sum(), append=1 - 1 / sizes.sum())
    apart = highest > lowest
    slope = np.zeros(len(starts))
    slope[apart] = np.minimum(room[:-1][apart] / below[apart], room[1:][apart] / above[apart])
    knots = np.column_stack((lowest, highest)).ravel()
    probabilities = np.column_stack((share - slope * below, share + slope * above)).ravel()
    kept = np.column_stack((np.ones(len(starts), bool), apart)).ravel()
    return knots[kept], probabilities[kept]
