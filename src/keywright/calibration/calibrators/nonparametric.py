"""Nonparametric calibrators: isotonic regression and histogram binning, separately for each class.

They need some 2,000 phrases; with fewer a parametric calibrator is better. A class without phrases takes the map of the
other one; a class whose phrases are all right or all wrong has one probability by the rule of succession,
(right + 1) / (phrases + 2).
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.fitting import check_outcomes
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter
from keywright.learners.probability import ProbabilityMap

BINS: Final = 10
"""Bins of a histogram; the usual number."""
_Points: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Isotonic regression as a rising line with few bends (``learners.probability``), for each class.

    Attributes:
        present_knots, absent_knots: confidences at the bends, rising.
        present, absent: probabilities there, as many.
    """

    present_knots: tuple[float, ...]
    present: tuple[float, ...]
    absent_knots: tuple[float, ...]
    absent: tuple[float, ...]

    def __post_init__(self) -> None:
        for knots, probabilities in ((self.present_knots, self.present), (self.absent_knots, self.absent)):
            _check_points(knots, probabilities, "isotonic regression", more=0)

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases."""
        (knots, present), (absent_knots, absent) = _fit_classes(features, correct, _fit_line)
        return cls(knots, present, absent_knots, absent)

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        present, absent = (
            ProbabilityMap(np.array(knots), np.array(points)).of(features.confidence)
            for knots, points in ((self.present_knots, self.present), (self.absent_knots, self.absent))
        )
        return np.where(features.present, present, absent)


@dataclass(frozen=True, slots=True)
class Histogram:
    """The share that is right in bins of equal mass (Zadrozny and Elkan 2001), for each class.

    Attributes:
        present_edges, absent_edges: where one bin ends and the next begins, rising; an edge belongs to the upper bin.
        present, absent: probabilities of the bins, one more than edges.
    """

    present_edges: tuple[float, ...]
    present: tuple[float, ...]
    absent_edges: tuple[float, ...]
    absent: tuple[float, ...]

    def __post_init__(self) -> None:
        for edges, probabilities in ((self.present_edges, self.present), (self.absent_edges, self.absent)):
            _check_points(edges, probabilities, "histogram binning", more=1)

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases."""
        (edges, present), (absent_edges, absent) = _fit_classes(features, correct, _fit_bins)
        return cls(edges, present, absent_edges, absent)

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        present, absent = (
            np.array(shares)[np.searchsorted(np.array(edges), features.confidence, side="right")]
            for edges, shares in ((self.present_edges, self.present), (self.absent_edges, self.absent))
        )
        return np.where(features.present, present, absent)


def equal_mass_edges(confidence: Floats, bins: int = BINS) -> Floats:
    """Return the inner edges of bins of equal mass, rising; equal rows share a bin, so that there may be fewer."""
    if not len(confidence):
        return np.zeros(0)
    inner = np.quantile(confidence, np.arange(1, bins) / bins, method="higher")
    return np.asarray(np.unique(inner[inner > confidence.min()]))


def _fit_classes(
    features: PhraseFeatures, correct: Bools, fit: Callable[[Floats, Bools], _Points]
) -> tuple[_Points, _Points]:
    """Return the points fitted on present phrases, and on absent ones; on the other class where one has no phrase."""
    check_outcomes(correct)
    classes = (rows if rows.any() else ~rows for rows in (features.present, ~features.present))
    present, absent = (fit(features.confidence[rows], correct[rows]) for rows in classes)
    return present, absent


def _fit_line(confidence: Floats, correct: Bools) -> _Points:
    if correct.all() or not correct.any():
        return (0.5,), (_succession(correct),)  # one knot, wherever it is, makes a constant line
    line = ProbabilityMap.fit(confidence, correct)
    return tuple(line.scores.tolist()), tuple(line.probabilities.tolist())


def _fit_bins(confidence: Floats, correct: Bools) -> _Points:
    edges = np.zeros(0) if correct.all() or not correct.any() else equal_mass_edges(confidence)
    bin_of = np.searchsorted(edges, confidence, side="right")
    shares = (_succession(correct[bin_of == place]) for place in range(len(edges) + 1))
    return tuple(edges.tolist()), tuple(shares)


def _succession(correct: Bools) -> float:
    """Return the probability by the rule of succession."""
    return float((correct.sum() + 1) / (len(correct) + 2))


def _check_points(ends: tuple[float, ...], probabilities: tuple[float, ...], name: str, *, more: int) -> None:
    """Refuse ends that do not rise, and probabilities outside 0 to 1 or not ``more`` in number than ends."""
    rising = all(a < b for a, b in itertools.pairwise(ends))
    inside = all(0 <= probability <= 1 for probability in probabilities)
    if len(probabilities) != len(ends) + more or not probabilities or not rising or not inside:
        message = f"{name} with {len(ends)} places and {len(probabilities)} probabilities"
        raise BadParameter(message, f"expected rising places and {more} more probabilities, 0 to 1")
