"""Effect size: how large a difference between two runs is, from the scores of documents."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats

EQUAL: Final = 1e-12
"""Difference up to which values are equal: rounding errors of values of order 1 are some 1e-16; arbitrary."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Two runs, document by document.

    Attributes:
        wins, ties, losses: documents where the first run scores higher, equal, lower.
        cohens_d: mean of the differences over their standard deviation, documents paired (Cohen 1988 calls it d_z): .2
            is small, .8 large. None where undefined: fewer than two documents, or all differences equal.
        cliffs_delta: probability that a document of the first run scores higher than one of the second, over all pairs
            of documents, minus that of the reverse (Cliff 1993); from -1 to 1. None without documents.
    """

    wins: int
    ties: int
    losses: int
    cohens_d: float | None
    cliffs_delta: float | None


def effect(first: Floats, second: Floats) -> Effect:
    """Compute the effect on document scores, each (documents,); documents where either is nan are left out."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    differences = first - second
    wins, losses = int(np.count_nonzero(differences > EQUAL)), int(np.count_nonzero(differences < -EQUAL))
    ties = len(differences) - wins - losses
    return Effect(wins, ties, losses, _cohens_d(differences), _cliffs_delta(first, second))


def relative(first: float, second: float) -> float | None:
    """Return the difference as a share of the second value; None where that is 0."""
    return None if second == 0 else (first - second) / second


def _cohens_d(differences: Floats) -> float | None:
    """Divide the mean of paired differences, (documents,), by their standard deviation."""
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return None if spread <= EQUAL else float(differences.mean()) / spread


def _cliffs_delta(first: Floats, second: Floats) -> float | None:
    """Compute the dominance of one set of scores over another; sorting one side makes it n log n instead of n²."""
    if not len(first):
        return None
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first - EQUAL, side="left")
    above = len(ordered) - np.searchsorted(ordered, first + EQUAL, side="right")
    return float((below.sum() - above.sum()) / (len(first) * len(second)))
