"""Probability models: a calibrator for confidences, behind a rank transform for scores of any size.

Isotonic regression and histogram binning need some 2,000 phrases of a class. A class without phrases takes the map of
the other one; one with equal outcomes has the probability (right + 1) / (phrases + 2), the rule of succession.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.parametric import (
    SHIFT,
    Beta,
    Correctness,
    Platt,
    RankTransform,
    Shift,
    Temperature,
    check_outcomes,
)
from keywright.calibration.phrases import PhraseFeatures
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter, unknown_name
from keywright.extraction.learners.examples import assign_folds
from keywright.extraction.learners.probability import ProbabilityMap

BINS: Final = 10  # bins of a histogram; the usual number
FOLDS: Final = 5  # folds of cross-fitting; a usual number
_Points: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]


def find_equal_mass_edges(confidence: Floats, bins: int = BINS) -> Floats:
    """Return the inner edges of bins of equal mass, rising; equal rows share a bin, so that there may be fewer."""
    if not len(confidence):
        return np.zeros(0)
    inner = np.quantile(confidence, np.arange(1, bins) / bins, method="higher")
    return np.asarray(np.unique(inner[inner > confidence.min()]))


def _apply_succession(correct: Bools) -> float:
    """Return the probability by the rule of succession."""
    return float((correct.sum() + 1) / (len(correct) + 2))


def _fit_line(confidence: Floats, correct: Bools) -> _Points:
    if correct.all() or not correct.any():
        return (0.5,), (_apply_succession(correct),)  # one knot, wherever it is, makes a constant line
    line = ProbabilityMap.fit(confidence, correct)
    return tuple(line.scores.tolist()), tuple(line.probabilities.tolist())


def _fit_bins(confidence: Floats, correct: Bools) -> _Points:
    edges = np.zeros(0) if correct.all() or not correct.any() else find_equal_mass_edges(confidence)
    bin_of = np.searchsorted(edges, confidence, side="right")
    shares = (_apply_succession(correct[bin_of == place]) for place in range(len(edges) + 1))
    return tuple(edges.tolist()), tuple(shares)


class _ClassMap:
    """A map of confidences for present phrases and one for absent ones; its four fields are ends and probabilities."""

    __slots__ = ()
    title: ClassVar[str]
    more: ClassVar[int]  # probabilities beyond one for each end
    fit_points: ClassVar[Any]  # function of confidences and outcomes that returns ends and probabilities
    read_points: ClassVar[Any]  # function of ends, probabilities and confidences that returns their probabilities

    def __post_init__(self) -> None:
        for ends, probabilities in self._points():
            sound = all(a < b for a, b in itertools.pairwise(ends)) and all(0 <= p <= 1 for p in probabilities)
            if not sound or not probabilities or len(probabilities) != len(ends) + self.more:
                message = f"{self.title} with {len(ends)} places and {len(probabilities)} probabilities"
                raise BadParameter(message, f"expected rising places and {self.more} more probabilities, 0 to 1")

    def _points(self) -> tuple[_Points, _Points]:
        present, of_present, absent, of_absent = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]  # subclasses are dataclasses
        return (present, of_present), (absent, of_absent)

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases: of both classes where one has no phrase."""
        check_outcomes(correct)
        classes = (rows if rows.any() else ~rows for rows in (features.present, ~features.present))
        present, absent = (cls.fit_points(features.confidence[rows], correct[rows]) for rows in classes)
        return cls(*present, *absent)

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        maps = ((np.array(ends), np.array(points)) for ends, points in self._points())
        present, absent = (self.read_points(ends, points, features.confidence) for ends, points in maps)
        return np.asarray(np.where(features.present, present, absent))


@dataclass(frozen=True, slots=True)
class Isotonic(_ClassMap):
    """Isotonic regression as a rising line with few bends (``learners.probability``), for each class."""

    present_knots: tuple[float, ...]  # confidences at the bends, rising
    present: tuple[float, ...]  # probabilities there, as many
    absent_knots: tuple[float, ...]
    absent: tuple[float, ...]

    title = "isotonic regression"
    more = 0
    fit_points = staticmethod(_fit_line)
    read_points = staticmethod(lambda ends, probabilities, scores: ProbabilityMap(ends, probabilities).of(scores))


@dataclass(frozen=True, slots=True)
class Histogram(_ClassMap):
    """The share that is right in bins of equal mass (Zadrozny and Elkan 2001), for each class."""

    present_edges: tuple[float, ...]  # where one bin ends and the next begins, rising; an edge belongs to the upper bin
    present: tuple[float, ...]  # probabilities of the bins, one more than edges
    absent_edges: tuple[float, ...]
    absent: tuple[float, ...]

    title = "histogram binning"
    more = 1
    fit_points = staticmethod(_fit_bins)
    read_points = staticmethod(lambda edges, shares, scores: shares[np.searchsorted(edges, scores, side="right")])


Map: TypeAlias = Platt | Beta | Isotonic | Histogram | Correctness | Temperature | Shift

METHODS: Final[Mapping[str, type[Map]]] = MappingProxyType({
    "beta": Beta, "platt": Platt, "isotonic": Isotonic, "histogram": Histogram, "logistic": Correctness,
    "temperature": Temperature, SHIFT: Shift,
})  # fmt: skip
"""Calibrators by name, the usual one first."""


@dataclass(frozen=True, slots=True)
class ProbabilityModel:
    """A map from confidences to probabilities, behind a rank transform where a system gives scores only."""

    rank_transform: RankTransform | None  # makes confidences of scores; None where the system gives confidences
    map: Map  # makes probabilities of confidences

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools, method: str = "beta", *, confident: bool) -> Self:
        """Learn from judged phrases; ``confident``: confidences are 0 to 1, and comparable between documents."""
        rank_transform = None if confident else RankTransform.fit(features, correct)
        return cls(rank_transform, find_method(method).fit(_make_comparable(rank_transform, features), correct))

    def confidence(self, features: PhraseFeatures) -> Floats:
        """Return the input of the map, 0 to 1, (phrases,)."""
        return _make_comparable(self.rank_transform, features).confidence

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, 0 to 1, (phrases,)."""
        return np.asarray(np.clip(self.map.probabilities(_make_comparable(self.rank_transform, features)), 0.0, 1.0))


def _make_comparable(rank_transform: RankTransform | None, features: PhraseFeatures) -> PhraseFeatures:
    return features if rank_transform is None else replace(features, confidence=rank_transform.probabilities(features))


def find_method(name: str) -> type[Map]:
    """Return a calibrator by name."""
    if name not in METHODS:
        raise unknown_name("calibrator", name, METHODS, "keywright calibrate --help")
    return METHODS[name]


def assign_document_folds(ids: Sequence[str], number: int = FOLDS) -> Ints:
    """Return the fold of each document, (documents,), by the digest of its id: of equal sizes, in any order of ids."""
    if not 1 < number <= len(ids):
        raise BadParameter(f"{number} folds of {len(ids)} documents", "expected at least 2, and a document for each")
    return assign_folds(ids, number)


def cross_fit(features: PhraseFeatures, correct: Bools, fold: Ints, method: str, *, confident: bool) -> Floats:
    """Return the probability of each phrase by a model fitted on documents of the other folds, (phrases,)."""
    probabilities = np.zeros(len(features))
    for number in np.unique(fold):
        held_out = fold == number
        answers = correct[~held_out]
        if method != SHIFT and (answers.all() or not answers.any()):  # the shift has a prior, which suffices
            quantity = "all" if answers.all() else "none"
            message = f"without the documents of one fold {quantity} of {len(answers)} phrases are correct"
            raise BadParameter(message, "expected correct and wrong ones: label more documents")
        model = ProbabilityModel.fit(features.where(~held_out), answers, method, confident=confident)
        probabilities[held_out] = model.probabilities(features.where(held_out))
    return probabilities
