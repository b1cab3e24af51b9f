"""Counts of judged phrases at or above each threshold of probability, and tests and bounds for a mean risk.

A risk is a mean over documents, independent and alike, of losses from 0 to 1. Learn then test (Angelopoulos, Bates,
Candes, Jordan and Lei 2021: Learn then test: calibrating predictive algorithms to achieve risk control) tests for each
setting whether its risk is above a limit. Conformal risk control (Angelopoulos, Bates, Fisch, Lei and Schuster 2022:
Conformal risk control) bounds the mean of a risk that can only fall.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.inputs import checked_probabilities
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.core.extras import needs_extra

THRESHOLDS: Final = tuple(step / 100 for step in range(99, -1, -1))
"""Thresholds, strictest first: fixed in steps of .01, so that no data choose them."""


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCounts:
    """Counts of the phrases of each document at each of ``THRESHOLDS``.

    Attributes:
        sizes: phrases shown, (documents, thresholds).
        hits: right phrases shown, (documents, thresholds).
        reachable: right phrases in the whole list, (documents,).
    """

    sizes: Ints
    hits: Ints
    reachable: Ints

    @classmethod
    def from_judged(cls, judged: JudgedPhrases, most: int | None = None) -> Self:
        """Return the counts of judged phrases, of which the ``most`` best ranked that pass a threshold are shown."""
        check_most(most)
        probabilities, correct = checked_probabilities(judged.confidence, judged.correct)
        passing = probabilities[:, None] >= np.array(THRESHOLDS)  # (phrases, thresholds)
        if most is not None:
            # The running count less that at the start of the document ranks the passing phrases of each document.
            before = _running_sums(passing)
            at_start = before[judged.offsets[:-1]][judged.document]
            passing &= before[1:] - at_start <= most
        return cls(
            _by_document(passing, judged.offsets),
            _by_document(passing & correct[:, None], judged.offsets),
            np.bincount(judged.document[correct], minlength=len(judged.ids)),
        )

    def __len__(self) -> int:
        return len(self.reachable)

    def where(self, documents: Bools) -> Self:
        """Return the counts of some documents, by truth values (documents,)."""
        return type(self)(self.sizes[documents], self.hits[documents], self.reachable[documents])

    @property
    def non_empty(self) -> Ints:
        """Number of documents with a non-empty list, (thresholds,)."""
        return np.asarray((self.sizes > 0).sum(0))

    @property
    def wrong(self) -> Floats:
        """Share of wrong phrases in each list; 0 for an empty one, (documents, thresholds)."""
        return np.asarray((self.sizes - self.hits) / np.maximum(self.sizes, 1))

    @property
    def missed(self) -> Floats:
        """Share of a document's right phrases that is not shown; 0 where there are none, (documents, thresholds)."""
        return np.asarray((self.reachable[:, None] - self.hits) / np.maximum(self.reachable, 1)[:, None])


def check_most(most: int | None) -> None:
    """Check that a list has room for a phrase."""
    if most is not None and most < 1:
        raise BadParameter(f"lists of {most} phrases", "expected a number from 1")


def _running_sums(rows: Bools) -> Ints:
    """Return the sums of the rows before each, and of all, (rows + 1, columns)."""
    return np.concatenate([np.zeros((1, rows.shape[1]), np.int32), np.cumsum(rows, axis=0, dtype=np.int32)])


def _by_document(rows: Bools, offsets: Ints) -> Ints:
    """Return the sums of the rows of each document, (documents, columns): differences of running sums."""
    return np.diff(_running_sums(rows)[offsets], axis=0)


_ROUNDING: Final = 1e-9
"""Sums of fractions may lie a rounding error above a whole number."""


def hoeffding_bentkus(risk: Floats, documents: Ints, limit: float) -> Floats:
    """Return the p-values of the hypotheses that the true risk is above a limit, (settings,), 0 to 1.

    The smaller of Hoeffding's and Bentkus's bound: exp(-n kl(risk, limit)), and e times the chance of a binomial of n
    and the limit to come to n risk, rounded up. Where there are no documents the p-value is 1. ``risk`` is the mean
    loss of so many ``documents``, 0 to 1, (settings,).
    """
    with needs_extra("train", "guarantees need scipy"):
        from scipy.special import bdtr, kl_div  # noqa: PLC0415  (only guarantees need it)

    low = np.minimum(risk, limit)
    divergence = kl_div(low, limit) + kl_div(1 - low, 1 - limit)
    hoeffding = np.exp(-documents * divergence)
    bentkus = np.e * bdtr(np.ceil(documents * risk - _ROUNDING), documents, limit)
    return np.asarray(np.where(documents > 0, np.minimum(1.0, np.minimum(hoeffding, bentkus)), 1.0))


def fixed_sequence(p_values: Floats, level: float) -> int:
    """Return how many hypotheses, tested in order until the first that is not rejected, are rejected.

    The order has to be fixed before the data are seen; then the chance to reject any true one is at most the level.
    """
    return _count_leading(p_values <= level)


def conformal(losses: Floats, limit: float) -> int:
    """Return how many settings, from the safest on, keep the expected loss of a new document at or below a limit.

    ``losses``: of each document, never falling along the settings, 0 to 1, (documents, settings); the loss of the new
    document is counted as 1; ``limit``: 0 to 1.
    """
    bound = (losses.sum(0) + 1) / (len(losses) + 1)
    return _count_leading(bound <= limit)


def _count_leading(passed: Bools) -> int:
    """Return how many are true before the first that is not."""
    return len(passed) if passed.all() else int(np.argmin(passed))
