"""Logistic models of a few numbers: fitted by their convex loss, predicting with numpy alone."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter
from keywright.core.extras import needs_extra
from keywright.learners.probability import sigmoid

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


def fitted_weights(
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


def clipped(confidence: Floats) -> Floats:
    """Return confidences clipped at ``CLIP`` from 0 and 1."""
    return np.asarray(np.clip(confidence, CLIP, 1 - CLIP))


def logit(confidence: Floats) -> Floats:
    """Return the log odds of clipped confidences."""
    return np.asarray(np.log(clipped(confidence)) - np.log1p(-clipped(confidence)))


def by_class(columns: Sequence[Floats], present: Bools) -> Floats:
    """Return an intercept and columns for present phrases, and the same for absent ones, (rows, 2 + 2 columns)."""
    block = np.column_stack((np.ones(len(present)), *columns))
    return np.concatenate((block * present[:, None], block * ~present[:, None]), axis=1)


def class_penalty(columns: int) -> Floats:
    """Return a penalty for ``by_class`` that draws weights of absent phrases to those of present ones, these to 0.

    It is the penalty of weights for all phrases and of the differences for absent ones; the intercept of present
    phrases has none.
    """
    size = columns + 1
    differences = np.block([[np.eye(size), np.zeros((size, size))], [-np.eye(size), np.eye(size)]])
    cost = np.full(2 * size, PENALTY)
    cost[0] = 0.0
    return np.asarray(differences.T @ np.diag(cost) @ differences)
