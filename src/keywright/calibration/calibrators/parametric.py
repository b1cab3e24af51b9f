"""Parametric calibrators: Platt scaling, beta calibration, temperature, shift, and the logistic correctness model.

Each takes confidences between 0 and 1; the rank transform makes them of scores. Present and absent phrases have weights
of their own, near each other with few absent ones. The shift is a correction that ten labelled documents can bear: away
from the documents of training, most of the error is one number for each collection, how many phrases people accept
there, so that one constant is added to all log-odds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np

from keywright.calibration.phrases import PhraseFeatures
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.learners.probability import sigmoid

CLIP: Final = 1e-6  # confidences stay this far from 0 and 1, so that their logarithms are finite; arbitrary
PENALTY: Final = 0.1  # penalty of squared weights: weak, the inverse of C = 10; arbitrary
_MAX_STEPS: Final = 2000  # steps of L-BFGS-B; more than any fit here needs
_GRADIENT: Final = 1e-9  # gradient per row at which a fit has converged; arbitrary, far below what moves a probability
_LOSS: Final = 1e-14  # relative change of the loss at which a fit has converged; near the precision of floats
SHIFT: Final = "shift"  # name of the method
STRENGTH: Final = 1.0
"""Inverse variance of the prior of a shift, whose mean is 0: the best of five on development collections (the study of
calibrators), also where any of them but one is left out of the choice."""


def fit_weights(
    rows: Floats, outcomes: Bools, penalty: Floats, rising: Sequence[int] = (), offset: Floats | float = 0.0
) -> Floats:
    """Return the weights of least log loss (the sum over rows) plus half the penalty, (weights,).

    Rows are (rows, weights), the penalty a matrix, (weights, weights); weights at ``rising`` are not below 0;
    ``offset``: (rows,).
    """
    with needs_extra("train", "fitting a calibrator needs scipy"):
        from scipy.optimize import minimize  # noqa: PLC0415  (heavy, only fitting needs it)

    yes = outcomes.astype(float)

    def loss(weights: Floats) -> tuple[float, Floats]:
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
        hint = "expected correct and wrong ones: is this the gold?"
        raise BadParameter(f"no calibrator can be fitted: {message}", hint)


def compute_log_sides(confidence: Floats) -> tuple[Floats, Floats]:
    """Return ln c and -ln(1 - c) of confidences c, clipped at ``CLIP`` from 0 and 1; their sum is the log odds."""
    clipped = np.clip(confidence, CLIP, 1 - CLIP)
    return np.asarray(np.log(clipped)), np.asarray(-np.log1p(-clipped))


def compute_logit(confidence: Floats) -> Floats:
    """Return the log odds of clipped confidences."""
    log_confidence, minus_log_rest = compute_log_sides(confidence)
    return log_confidence + minus_log_rest


def split_by_class(columns: Sequence[Floats], present: Bools) -> Floats:
    """Return an intercept and columns for present phrases, and the same for absent ones, (rows, 2 + 2 columns)."""
    block = np.column_stack((np.ones(len(present)), *columns))
    return np.concatenate((block * present[:, None], block * ~present[:, None]), axis=1)


def make_class_penalty(columns: int) -> Floats:
    """Return a penalty on weights of present phrases, but the intercept, and on differences of absent ones."""
    size = columns + 1
    differences = np.block([[np.eye(size), np.zeros((size, size))], [-np.eye(size), np.eye(size)]])
    cost = np.full(2 * size, PENALTY)
    cost[0] = 0.0
    return np.asarray(differences.T @ np.diag(cost) @ differences)


@dataclass(frozen=True, slots=True)
class LogisticMap:
    """A logistic model of phrases; each calibrator says of which columns."""

    weights: tuple[float, ...]  # one for each column of ``rows``

    title: ClassVar[str]
    rows: ClassVar[Any]  # function of features that returns the columns of the model, (phrases, weights)
    penalty: ClassVar[Floats]  # penalty of the weights, (weights, weights)
    rising: ClassVar[Sequence[int]] = ()  # weights that are not below 0
    shifts: ClassVar[bool] = False  # the model is added to the log-odds of the confidence; outcomes may be all equal

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.penalty):
            raise BadParameter(f"{len(self.weights)} weights of {self.title}", f"expected {len(self.penalty)}")

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases."""
        if not cls.shifts:
            check_outcomes(correct)
        weights = fit_weights(cls.rows(features), correct, cls.penalty, cls.rising, cls._offset(features))
        return cls(tuple(weights.tolist()))

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        return sigmoid(self.rows(features) @ np.array(self.weights) + self._offset(features))

    @classmethod
    def _offset(cls, features: PhraseFeatures) -> Floats | float:
        return compute_logit(features.confidence) if cls.shifts else 0.0


class Platt(LogisticMap):
    """A line through log odds for each class (Platt 1999: Probabilistic outputs for support vector machines)."""

    __slots__ = ()
    title = "Platt scaling"
    rows = staticmethod(lambda features: split_by_class((compute_logit(features.confidence),), features.present))
    penalty = make_class_penalty(1)
    rising = (1, 3)


class Beta(LogisticMap):
    """Separate slopes for ln c and -ln(1 - c) (Kull, Silva Filho and Flach 2017: Beta calibration), for each class.

    The slopes may fall below 0, unlike the paper's: generators in a loop are most confident, and wrong. Weights:
    intercept and the two slopes for present phrases, then for absent ones.
    """

    __slots__ = ()
    title = "beta calibration"
    rows = staticmethod(lambda features: split_by_class(compute_log_sides(features.confidence), features.present))
    penalty = make_class_penalty(2)


class Temperature(LogisticMap):
    """Log odds over one temperature (Guo et al. 2017: On calibration of modern neural networks), its inverse."""

    __slots__ = ()
    title = "temperature"
    rows = staticmethod(lambda features: compute_logit(features.confidence)[:, None])
    penalty = np.zeros((1, 1))
    rising = (0,)


def _list_correctness_columns(features: PhraseFeatures) -> Floats:
    counts = np.log(features.rank), np.log(np.maximum(features.count, 1)), np.log1p(features.mentions)
    return np.column_stack((Beta.rows(features), *counts, features.first, features.words))


class Correctness(LogisticMap):
    """A logistic model of the columns of ``Beta``, ln rank, ln count, ln (1 + mentions), first mention, and words."""

    __slots__ = ()
    title = "the correctness model"
    rows = staticmethod(_list_correctness_columns)
    penalty = PENALTY * np.eye(11)
    penalty[:6, :6] = Beta.penalty


def _list_rank_columns(features: PhraseFeatures) -> Floats:
    absent, rank = (~features.present).astype(float), np.log(features.rank)
    columns = (np.ones(len(features)), features.standard, rank, np.log(np.maximum(features.count, 1)))
    return np.column_stack((*columns, features.words, absent, absent * features.standard, absent * rank))


class RankTransform(LogisticMap):
    """Logistic model of standardised score, rank, number of phrases, words and class.

    Weights: of 1, which has no penalty, score, ln rank, ln count, words, [absent], its products with score and ln rank.
    """

    __slots__ = ()
    title = "places in lists"
    rows = staticmethod(_list_rank_columns)
    penalty = PENALTY * np.diag([0.0, *np.ones(7)])


class Shift(LogisticMap):
    """One constant added to the log-odds of a system's own probabilities (the prior correction of King and Zeng 2001).

    Normal priors of mean 0 draw the shift of present phrases to none, and that of absent ones to that of present ones.
    """

    __slots__ = ()
    title = "shift"
    rows = staticmethod(lambda features: split_by_class((), features.present))
    penalty = STRENGTH * np.array([[2.0, -1.0], [-1.0, 1.0]])
    shifts = True
