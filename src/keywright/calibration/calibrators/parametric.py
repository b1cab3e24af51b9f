"""Parametric calibrators: Platt scaling, beta calibration, temperature, shift, and the logistic correctness model.

Each takes confidences between 0 and 1; the rank transform makes them of scores of any size. Present and absent phrases
have weights of their own; with few absent ones, their weights stay near those of the present ones. With Platt scaling
and temperature, probability never falls where confidence rises. All are logistic models of a few numbers, fitted by
their convex loss, predicting with numpy alone.

The shift is a correction that a few labelled documents can bear: away from the documents that a system was trained on,
most of the error of its probabilities is one number for each collection, how many phrases people accept there. One
constant added to all log-odds corrects it, and ten documents estimate it; the slopes of other calibrators take more.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np

from keywright.calibration.phrases import PhraseFeatures
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.learners.probability import sigmoid

CLIP: Final = 1e-6
"""Confidences are clipped this far from 0 and 1, so that their logarithms are finite; arbitrary."""
PENALTY: Final = 0.1
"""Penalty of squared weights: weak, the inverse of C = 10; arbitrary."""
_MAX_STEPS: Final = 2000
"""Steps of L-BFGS-B; more than any fit here needs."""
_GRADIENT: Final = 1e-9
"""Gradient per row at which a fit has converged; arbitrary, far below what moves a probability."""
_LOSS: Final = 1e-14
"""Relative change of the loss at which a fit has converged; near the precision of floats."""


def fit_weights(
    rows: Floats, outcomes: Bools, penalty: Floats, rising: Sequence[int] = (), offset: Floats | float = 0.0
) -> Floats:
    """Return the weights of least log loss (the sum over rows) plus half the penalty, (weights,).

    Rows are (rows, weights), the penalty is the matrix of a quadratic form, (weights, weights); weights at the
    positions ``rising`` are not below 0. The offset is added to the log-odds of each row, (rows,).
    """
    with needs_extra("train", "fitting a calibrator needs scipy"):
        from scipy.optimize import minimize  # noqa: PLC0415  (heavy, only fitting needs it)

    yes = outcomes.astype(float)

    def loss(weights: Floats) -> tuple[float, Floats]:
        """Return loss and gradient."""
        log_odds, gradient = rows @ weights + offset, penalty @ weights
        value = np.logaddexp(0, log_odds).sum() - yes @ log_odds + weights @ gradient / 2
        return float(value), rows.T @ (sigmoid(log_odds) - yes) + gradient

    bounds = [(0.0 if place in rising else None, None) for place in range(rows.shape[1])]
    options = {"maxiter": _MAX_STEPS, "ftol": _LOSS, "gtol": _GRADIENT * len(rows)}
    start = np.zeros(rows.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)


def check_outcomes(outcomes: Bools) -> None:
    """Check that some outcomes are right and some wrong."""
    if outcomes.all() or not outcomes.any():  # both hold for no rows
        message = "all are correct" if outcomes.all() else f"none of {len(outcomes)} phrases is correct"
        message = message if len(outcomes) else "there are no phrases"
        raise BadParameter(
            f"no calibrator can be fitted: {message}", "expected correct and wrong ones: is this the gold?"
        )


def clip_confidence(confidence: Floats) -> Floats:
    """Return confidences clipped at ``CLIP`` from 0 and 1."""
    return np.asarray(np.clip(confidence, CLIP, 1 - CLIP))


def compute_logit(confidence: Floats) -> Floats:
    """Return the log odds of clipped confidences."""
    return np.asarray(np.log(clip_confidence(confidence)) - np.log1p(-clip_confidence(confidence)))


def split_by_class(columns: Sequence[Floats], present: Bools) -> Floats:
    """Return an intercept and columns for present phrases, and the same for absent ones, (rows, 2 + 2 columns)."""
    block = np.column_stack((np.ones(len(present)), *columns))
    return np.concatenate((block * present[:, None], block * ~present[:, None]), axis=1)


def make_class_penalty(columns: int) -> Floats:
    """Return a penalty for ``by_class`` that draws weights of absent phrases to those of present ones, these to 0.

    It is the penalty of weights for all phrases and of the differences for absent ones; the intercept of present
    phrases has none.
    """
    size = columns + 1
    differences = np.block([[np.eye(size), np.zeros((size, size))], [-np.eye(size), np.eye(size)]])
    cost = np.full(2 * size, PENALTY)
    cost[0] = 0.0
    return np.asarray(differences.T @ np.diag(cost) @ differences)


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
        return cls(tuple(fit_weights(cls.rows(features), correct, cls.penalty(), cls.rising).tolist()))

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
        return split_by_class((compute_logit(features.confidence),), features.present)

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the weights, (weights, weights)."""
        return make_class_penalty(1)


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
        confidence = clip_confidence(features.confidence)
        return split_by_class((np.log(confidence), -np.log1p(-confidence)), features.present)

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the weights, (weights, weights)."""
        return make_class_penalty(2)


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
        return compute_logit(features.confidence)[:, None]

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


SHIFT: Final = "shift"
"""Name of the method."""
STRENGTH: Final = 1.0
"""Inverse variance of the prior of a shift, whose mean is 0: the best of five on development collections (the study of
calibrators), also where any of them but one is left out of the choice."""


class Shift(LogisticMap):
    """One constant added to the log-odds of a system's own probabilities (the prior correction of King and Zeng 2001).

    The order of phrases of a class stays as it is. Normal priors of mean 0 draw the shift of present phrases to none,
    and that of absent phrases to that of present ones, so that outcomes may all be wrong, or all right.

    Weights: shift of present phrases, then of absent ones, in log-odds.
    """

    __slots__ = ()
    title: ClassVar[str] = "shift"
    size: ClassVar[int] = 2

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases whose confidence is a probability."""
        offset = compute_logit(features.confidence)
        return cls(tuple(fit_weights(cls.rows(features), correct, cls.penalty(), offset=offset).tolist()))

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        return sigmoid(compute_logit(features.confidence) + self.rows(features) @ np.array(self.weights))

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        return split_by_class((), features.present)

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the shift of present phrases, and of the difference of the shifts, (2, 2)."""
        return STRENGTH * np.array([[2.0, -1.0], [-1.0, 1.0]])
