"""Tests and bounds for a mean risk over documents, of losses from 0 to 1; documents are independent and alike.

Learn then test (Angelopoulos, Bates, Candes, Jordan and Lei 2021: Learn then test: calibrating predictive algorithms to
achieve risk control) tests for each setting whether its risk is above a limit. Conformal risk control (Angelopoulos,
Bates, Fisch, Lei and Schuster 2022: Conformal risk control) bounds the mean of a risk that can only fall.
"""

from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints

_ROUNDING: Final = 1e-9
"""Sums of fractions may lie a rounding error above a whole number."""


def hoeffding_bentkus(risk: Floats, documents: Ints, limit: float) -> Floats:
    """Return the p-values of the hypotheses that the true risk is above a limit, (settings,), 0 to 1.

    The smaller of Hoeffding's and Bentkus's bound: exp(-n kl(risk, limit)), and e times the chance of a binomial of n
    and the limit to come to n risk, rounded up. Where there are no documents the p-value is 1. ``risk`` is the mean
    loss of so many ``documents``, 0 to 1, (settings,).
    """
    from scipy.special import bdtr, kl_div  # noqa: PLC0415  (only guarantees need it)

    low = np.minimum(risk, limit)
    divergence = kl_div(low, limit) + kl_div(1 - low, 1 - limit)
    hoeffding = np.exp(-documents * divergence)
    bentkus = np.e * bdtr(np.ceil(documents * risk - _ROUNDING), documents, limit)
    p_values: Floats = np.where(documents > 0, np.minimum(1.0, np.minimum(hoeffding, bentkus)), 1.0)
    return p_values


def fixed_sequence(p_values: Floats, level: float) -> int:
    """Return how many hypotheses, tested in order until the first that is not rejected, are rejected.

    The order has to be fixed before the data are seen; then the chance to reject any true one is at most the level.
    """
    return _count_leading(p_values <= level)


def conformal(losses: Floats, limit: float) -> int:
    """Return how many settings, from the safest on, keep the expected loss of a new document at or below a limit.

    Args:
        losses: of each document, never falling along the settings, 0 to 1, (documents, settings); the loss of the new
            document is counted as 1.
        limit: 0 to 1.
    """
    bound = (losses.sum(0) + 1) / (len(losses) + 1)
    return _count_leading(bound <= limit)


def _count_leading(passed: Bools) -> int:
    """Return how many are true before the first that is not."""
    return len(passed) if passed.all() else int(np.argmin(passed))
