"""Parametric calibrators: Platt scaling, beta calibration, temperature, and the logistic correctness model.

Each takes confidences between 0 and 1; the rank transform makes them of scores of any size. Present and absent phrases
have weights of their own; with few absent ones, their weights stay near those of the present ones. With Platt scaling
and temperature, probability never falls where confidence rises.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.fitting import (
    PENALTY,
    by_class,
    check_outcomes,
    class_penalty,
    clipped,
    fitted_weights,
    logit,
)
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter
from keywright.learners.probability import sigmoid


@dataclass(frozen=True, slots=True)
class LogisticMap(ABC):
    """A logistic model of phrases; each calibrator says of which columns.

    Attributes:
        weights: of the columns of ``rows``.
    """

    weights: tuple[float, ...]

    title: ClassVar[str]
    size: ClassVar[int]
    rising: ClassVar[Sequence[int]] = ()

    def __post_init__(self) -> None:
        if len(self.weights) != self.size:
            raise BadParameter(f"{len(self.weights)} weights of {self.title}", f"expected {self.size}")

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases."""
        check_outcomes(correct)
        return cls(tuple(fitted_weights(cls.rows(features), correct, cls.penalty(), cls.rising).tolist()))

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        return sigmoid(self.rows(features) @ np.array(self.weights))

    @staticmethod
    @abstractmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""

    @staticmethod
    @abstractmethod
    def penalty() -> Floats:
        """Return the penalty of the weights, (weights, weights)."""


class Platt(LogisticMap):
    """A line through log odds, one for each class (Platt 1999: Probabilistic outputs for support vector machines).

    Weights: intercept and slope for present phrases, then for absent ones.
    """

    __slots__ = ()
    title = "Platt scaling"
    size = 4
    rising = (1, 3)

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        return by_class((logit(features.confidence),), features.present)

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the weights, (weights, weights)."""
        return class_penalty(1)


class Beta(LogisticMap):
    """Separate slopes for ln c and -ln(1 - c) (Kull, Silva Filho and Flach 2017: Beta calibration), for each class.

    It bends where confidences pile up near 1. The slopes are free, unlike the paper's, which may not be below 0:
    generators in a loop are most confident, and wrong, so that probability may have to fall near 1.

    Weights: intercept and the two slopes for present phrases, then for absent ones.
    """

    __slots__ = ()
    title = "beta calibration"
    size = 6

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        confidence = clipped(features.confidence)
        return by_class((np.log(confidence), -np.log1p(-confidence)), features.present)

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the weights, (weights, weights)."""
        return class_penalty(2)


class Temperature(LogisticMap):
    """Log odds over one temperature (Guo et al. 2017: On calibration of modern neural networks).

    Without an intercept .5 stays .5, so that confidences that are all too high cannot be corrected; it is here to show
    that. Weight: the inverse of the temperature.
    """

    __slots__ = ()
    title = "temperature"
    size = 1
    rising = (0,)

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the column of the model, (phrases, 1)."""
        return logit(features.confidence)[:, None]

    @staticmethod
    def penalty() -> Floats:
        """Return no penalty, (1, 1)."""
        return np.zeros((1, 1))


class Correctness(LogisticMap):
    """A logistic model of the columns of ``Beta`` and five that tell more of a phrase.

    Weights: those of ``Beta``, then of ln rank, ln count, ln (1 + mentions), place of the first mention, and words.
    """

    __slots__ = ()
    title = "the correctness model"
    size = 11

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        return np.column_stack(
            (
                Beta.rows(features),
                np.log(features.rank),
                np.log(np.maximum(features.count, 1)),
                np.log1p(features.mentions),
                features.first,
                features.words,
            )
        )

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the weights, (weights, weights)."""
        penalty = PENALTY * np.eye(Correctness.size)
        penalty[: Beta.size, : Beta.size] = Beta.penalty()
        return penalty


class RankTransform(LogisticMap):
    """Logistic model of standardised score, rank, number of phrases, words and class.

    Weights: of 1, the standardised score, ln rank, ln count, words, [absent], and [absent] times standardised score and
    ln rank.
    """

    __slots__ = ()
    title: ClassVar[str] = "places in lists"
    size: ClassVar[int] = 8

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        absent, rank = (~features.present).astype(float), np.log(features.rank)
        columns = (np.ones(len(features)), features.standard, rank, np.log(np.maximum(features.count, 1)))
        return np.column_stack((*columns, features.words, absent, absent * features.standard, absent * rank))

    @staticmethod
    def penalty() -> Floats:
        """Return a penalty for all weights but the intercept, (weights, weights)."""
        return PENALTY * np.diag([0.0, *np.ones(RankTransform.size - 1)])
