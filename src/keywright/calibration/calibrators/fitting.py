"""Logistic models of a few numbers: fitted by their convex loss, predicting with numpy alone."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter

LEAST: Final = 1e-6
"""Confidences are kept so far from 0 and 1 that their logarithms say something."""

PENALTY: Final = 0.1
"""Of squared weights: weak, the inverse of the usual C = 10."""

_STEPS: Final = 2000
_FLAT: Final = 1e-9


def fitted(rows: Floats, answers: Bools, penalty: Floats, rising: Sequence[int] = ()) -> Floats:
    """Weights of least log loss (the sum over rows) plus half the penalty, (weights,).

    Args:
        rows: (rows, weights).
        answers: (rows,).
        penalty: matrix of the quadratic form, (weights, weights).
        rising: places of weights that may not be below 0.

    Raises:
        BadParameter: rows of one class only.
    """
    from scipy.optimize import minimize  # noqa: PLC0415  (heavy, only fitting needs it)

    check_answers(answers)
    yes = answers.astype(float)

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds, pull = rows @ weights, penalty @ weights
        value = np.logaddexp(0, odds).sum() - yes @ odds + weights @ pull / 2
        return float(value), rows.T @ (probability(odds) - yes) + pull

    bounds = [(0.0 if place in rising else None, None) for place in range(rows.shape[1])]
    options = {"maxiter": _STEPS, "ftol": 1e-14, "gtol": _FLAT * len(rows)}
    start = np.zeros(rows.shape[1])
    weights: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    return weights


def check_answers(answers: Bools) -> None:
    """That there is something to learn.

    Raises:
        BadParameter: all phrases are right, or none is.
    """
    if answers.all() or not answers.any():  # true of no rows, too
        what = f"none of {len(answers)} phrases is right" if len(answers) and not answers.any() else "all are right"
        message = what if len(answers) else "there are no phrases"
        raise BadParameter(
            f"no calibrator can be fitted: {message}", "expected right and wrong ones: is this the gold?"
        )


def probability(odds: Floats) -> Floats:
    """Of log odds."""
    found: Floats = np.exp(-np.logaddexp(0, -odds))
    return found


def inside(confidence: Floats) -> Floats:
    """Confidences, kept away from 0 and 1."""
    found: Floats = np.clip(confidence, LEAST, 1 - LEAST)
    return found


def log_odds(confidence: Floats) -> Floats:
    """Logarithm of c / (1 - c)."""
    found: Floats = np.log(inside(confidence)) - np.log1p(-inside(confidence))
    return found


def by_class(columns: Sequence[Floats], present: Bools) -> Floats:
    """An intercept and columns for present phrases, and the same again for absent ones, (rows, 2 + 2 columns)."""
    block = np.column_stack((np.ones(len(present)), *columns))
    return np.concatenate((block * present[:, None], block * ~present[:, None]), axis=1)


def class_penalty(columns: int) -> Floats:
    """For ``by_class``: absent phrases are drawn to the weights of present ones, and these to 0, but no intercept is.

    It is the penalty of weights for all phrases and of their differences for absent ones.
    """
    size = columns + 1
    differences = np.block([[np.eye(size), np.zeros((size, size))], [-np.eye(size), np.eye(size)]])
    cost = np.full(2 * size, PENALTY)
    cost[0] = 0.0
    found: Floats = differences.T @ np.diag(cost) @ differences
    return found
