"""How large a difference between two runs is, whatever its p: from the scores of documents."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats

_EQUAL: Final = 1e-12
"""Quotients computed in another order differ in their last digits; what is nearer than this is equal."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Two runs, document by document.

    Attributes:
        wins, ties, losses: documents where the first run scores higher, equal, lower.
        cohens_d: mean of the differences over their standard deviation, documents paired (Cohen 1988 calls it d_z): .2
            is small, .8 large. None where it is not defined: fewer than two documents, or all differences equal.
        cliffs_delta: chance that a document of the first run scores higher than one of the second, any two documents,
            less the chance of the reverse (Cliff 1993); from -1 to 1. None without documents.
    """

    wins: int
    ties: int
    losses: int
    cohens_d: float | None
    cliffs_delta: float | None


def effect(first: Floats, second: Floats) -> Effect:
    """Effect of document scores, each (documents,); documents where either is nan are left out."""
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    apart = first - second
    wins, losses = int(np.count_nonzero(apart > _EQUAL)), int(np.count_nonzero(apart < -_EQUAL))
    return Effect(wins, len(apart) - wins - losses, losses, _cohens_d(apart), _cliffs_delta(first, second))


def relative(first: float, second: float) -> float | None:
    """The difference as a share of the second value; None where that is 0."""
    return None if second == 0 else (first - second) / second


def _cohens_d(apart: Floats) -> float | None:
    """Standardised mean of paired differences, (documents,)."""
    spread = float(apart.std(ddof=1)) if len(apart) > 1 else 0.0
    return None if spread <= _EQUAL else float(apart.mean()) / spread


def _cliffs_delta(first: Floats, second: Floats) -> float | None:
    """Dominance of one set of scores over another, by sorting."""
    if not len(first):
        return None
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first - _EQUAL, side="left")
    above = len(ordered) - np.searchsorted(ordered, first + _EQUAL, side="right")
    return float((below.sum() - above.sum()) / (len(first) * len(second)))
