"""Calibrators with a few numbers: Platt scaling, beta calibration, temperature, and the logistic correctness model.

Each takes confidences between 0 and 1. Present and absent phrases have weights of their own, and where there are few
absent ones, their weights stay near those of the present ones. With Platt scaling and temperature, probability never
falls where confidence rises.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.calibration.calibrators.features import Described
from keywright.calibration.calibrators.fitting import (
    PENALTY,
    by_class,
    class_penalty,
    fitted,
    inside,
    log_odds,
    probability,
)
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True)
class Platt:
    """A line through log odds, one for each class (Platt 1999: Probabilistic outputs for support vector machines).

    Attributes:
        weights: intercept and slope for present phrases, then for absent ones.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse weights that are not of these columns."""
        _check(self.weights, 4, "Platt scaling")

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases; likewise in all classes here.

        Raises:
            BadParameter: all are right, or none is.
        """
        return cls(tuple(fitted(cls.rows(seen), correct, class_penalty(1), rising=(1, 3)).tolist()))

    def of(self, seen: Described) -> Floats:
        """Probabilities, (phrases,); likewise in all classes here."""
        return probability(self.rows(seen) @ np.array(self.weights))

    @staticmethod
    def rows(seen: Described) -> Floats:
        """What the weights are of, (phrases, weights); likewise in all classes here."""
        return by_class((log_odds(seen.confidence),), seen.present)


@dataclass(frozen=True, slots=True)
class Beta:
    """ln c and -ln(1 - c) apart (Kull, Silva Filho and Flach 2017: Beta calibration), for each class.

    It bends where confidences pile up near 1. The slopes are free, unlike the paper's, which may not be below 0:
    generators that have run into a loop are surest of all, and wrong, so that probability may have to fall near 1.

    Attributes:
        weights: intercept and the two slopes for present phrases, then for absent ones.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse weights that are not of these columns."""
        _check(self.weights, 6, "beta calibration")

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases."""
        return cls(tuple(fitted(cls.rows(seen), correct, class_penalty(2)).tolist()))

    def of(self, seen: Described) -> Floats:
        """Probabilities, (phrases,)."""
        return probability(self.rows(seen) @ np.array(self.weights))

    @staticmethod
    def rows(seen: Described) -> Floats:
        """What the weights are of, (phrases, weights)."""
        return by_class(_both_ends(seen.confidence), seen.present)


@dataclass(frozen=True, slots=True)
class Temperature:
    """Log odds over one temperature (Guo et al. 2017: On calibration of modern neural networks).

    It has no intercept, so that .5 stays .5: confidences that are all too high cannot become right. It is here to show
    that.

    Attributes:
        weights: the inverse of the temperature.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse weights that are not of these columns."""
        _check(self.weights, 1, "temperature")

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases."""
        return cls(tuple(fitted(cls.rows(seen), correct, np.zeros((1, 1)), rising=(0,)).tolist()))

    def of(self, seen: Described) -> Floats:
        """Probabilities, (phrases,)."""
        return probability(self.rows(seen) @ np.array(self.weights))

    @staticmethod
    def rows(seen: Described) -> Floats:
        """What the weight is of, (phrases, 1)."""
        return log_odds(seen.confidence)[:, None]


@dataclass(frozen=True, slots=True)
class Correctness:
    """A logistic model of nine features: both ends of confidence in each class, and five that say more.

    Attributes:
        weights: those of ``Beta``, then of ln rank, ln count, ln (1 + mentions), place of the first mention, and words.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse weights that are not of these columns."""
        _check(self.weights, 11, "the correctness model")

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases."""
        penalty = PENALTY * np.eye(11)
        penalty[:6, :6] = class_penalty(2)
        return cls(tuple(fitted(cls.rows(seen), correct, penalty).tolist()))

    def of(self, seen: Described) -> Floats:
        """Probabilities, (phrases,)."""
        return probability(self.rows(seen) @ np.array(self.weights))

    @staticmethod
    def rows(seen: Described) -> Floats:
        """What the weights are of, (phrases, weights)."""
        more = np.log(seen.rank), np.log(np.maximum(seen.count, 1)), np.log1p(seen.mentions), seen.first, seen.words
        return np.column_stack((by_class(_both_ends(seen.confidence), seen.present), *more))


def _both_ends(confidence: Floats) -> tuple[Floats, Floats]:
    """What beta calibration weighs: ln c and -ln(1 - c)."""
    return np.log(inside(confidence)), -np.log1p(-inside(confidence))


def _check(weights: tuple[float, ...], number: int, name: str) -> None:
    if len(weights) != number:
        raise BadParameter(f"{len(weights)} weights of {name}", f"expected {number}")
