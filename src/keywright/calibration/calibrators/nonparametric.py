"""Calibrators that follow the data: isotonic regression and histogram binning, each class apart.

They need some 2,000 phrases; with fewer a calibrator of few numbers is better. A class without a phrase to learn from
is read like the other one, and one whose phrases are all right or all wrong has one probability by the rule of
succession, (right + 1) / (phrases + 2).
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.features import Described
from keywright.calibration.calibrators.fitting import check_answers
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter
from keywright.learners.probability import ProbabilityMap

BINS: Final = 10

_Points: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A rising line with few bends (``learners.probability``), for each class.

    Attributes:
        present_knots, absent_knots: confidences at the bends, rising.
        present, absent: probabilities there, as many.
    """

    present_knots: tuple[float, ...]
    present: tuple[float, ...]
    absent_knots: tuple[float, ...]
    absent: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse lines that are none."""
        for knots, probabilities in ((self.present_knots, self.present), (self.absent_knots, self.absent)):
            _check_line(knots, probabilities, "isotonic regression", more=0)

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases.

        Raises:
            BadParameter: all are right, or none is.
        """
        (knots, present), (others, absent) = _of_classes(seen, correct, _line)
        return cls(knots, present, others, absent)

    def of(self, seen: Described) -> Floats:
        """Probabilities, (phrases,)."""
        lines = (
            ProbabilityMap(np.array(self.present_knots), np.array(self.present)),
            ProbabilityMap(np.array(self.absent_knots), np.array(self.absent)),
        )
        present, absent = (line.of(seen.confidence) for line in lines)
        return np.where(seen.present, present, absent)


@dataclass(frozen=True, slots=True)
class Histogram:
    """The share that is right in bins of equally many phrases (Zadrozny and Elkan 2001), for each class.

    Attributes:
        present_edges, absent_edges: where one bin ends and the next begins, rising; an edge belongs to the upper bin.
        present, absent: probabilities of the bins, one more than edges.
    """

    present_edges: tuple[float, ...]
    present: tuple[float, ...]
    absent_edges: tuple[float, ...]
    absent: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse bins that are none."""
        for edges, probabilities in ((self.present_edges, self.present), (self.absent_edges, self.absent)):
            _check_line(edges, probabilities, "histogram binning", more=1)

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases.

        Raises:
            BadParameter: all are right, or none is.
        """
        (edges, present), (others, absent) = _of_classes(seen, correct, _bins)
        return cls(edges, present, others, absent)

    def of(self, seen: Described) -> Floats:
        """Probabilities, (phrases,)."""
        present, absent = (
            np.array(shares)[np.searchsorted(np.array(edges), seen.confidence, side="right")]
            for edges, shares in ((self.present_edges, self.present), (self.absent_edges, self.absent))
        )
        found: Floats = np.where(seen.present, present, absent)
        return found


def edges_of(confidence: Floats, bins: int = BINS) -> Floats:
    """Where bins of about equally many rows end, rising; rows that are equal are in one bin, so there may be fewer."""
    if not len(confidence):
        return np.zeros(0)
    inner = np.quantile(confidence, np.arange(1, bins) / bins, method="higher")
    found: Floats = np.unique(inner[inner > confidence.min()])
    return found


def _of_classes(seen: Described, correct: Bools, learn: Callable[[Floats, Bools], _Points]) -> tuple[_Points, _Points]:
    """What is learnt from present phrases, and from absent ones; of all of them where a class has none."""
    check_answers(correct)
    rows = (one if one.any() else ~one for one in (seen.present, ~seen.present))
    present, absent = (learn(seen.confidence[one], correct[one]) for one in rows)
    return present, absent


def _line(confidence: Floats, correct: Bools) -> _Points:
    if correct.all() or not correct.any():
        return (0.5,), (_succession(correct),)
    line = ProbabilityMap.fit(confidence, correct)
    return tuple(line.scores.tolist()), tuple(line.probabilities.tolist())


def _bins(confidence: Floats, correct: Bools) -> _Points:
    edges = np.zeros(0) if correct.all() or not correct.any() else edges_of(confidence)
    place = np.searchsorted(edges, confidence, side="right")
    shares = (_succession(correct[place == one]) for one in range(len(edges) + 1))
    return tuple(edges.tolist()), tuple(shares)


def _succession(correct: Bools) -> float:
    return float((correct.sum() + 1) / (len(correct) + 2))


def _check_line(ends: tuple[float, ...], probabilities: tuple[float, ...], name: str, *, more: int) -> None:
    rising = all(a < b for a, b in itertools.pairwise(ends))
    inside = all(0 <= one <= 1 for one in probabilities)
    if len(probabilities) != len(ends) + more or not probabilities or not rising or not inside:
        message = f"{name} with {len(ends)} places and {len(probabilities)} probabilities"
        raise BadParameter(message, f"expected rising places and {more} more probabilities, 0 to 1")
