"""Tests and bounds for a mean risk over documents, of losses from 0 to 1; whole documents are drawn, alike and apart.

Learn then test (Angelopoulos, Bates, Candes, Jordan and Lei 2021: Learn then test: calibrating predictive algorithms to
achieve risk control) tests for each setting whether its risk is above a limit. Conformal risk control (Angelopoulos,
Bates, Fisch, Lei and Schuster 2022: Conformal risk control) bounds the mean of a risk that can only fall.
"""

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints


def hoeffding_bentkus(risk: Floats, documents: Ints, limit: float) -> Floats:
    """P-values of the hypotheses that the true risk is above a limit, (settings,), 0 to 1.

    The smaller of Hoeffding's and Bentkus's bound: exp(-n kl(risk, limit)), and e times the chance of a binomial of n
    and the limit to come to n risk, rounded up. Where there are no documents the p-value is 1.

    Args:
        risk: mean loss, 0 to 1, (settings,).
        documents: of which it is the mean, (settings,).
        limit: above 0 and below 1.
    """
    from scipy.special import bdtr, kl_div  # noqa: PLC0415  (only guarantees need it)

    low = np.minimum(risk, limit)
    divergence = kl_div(low, limit) + kl_div(1 - low, 1 - limit)
    hoeffding = np.exp(-documents * divergence)
    total = np.ceil(documents * risk - 1e-9)  # sums of fractions may lie a rounding above a whole number
    bentkus = np.e * bdtr(total, documents, limit)
    found: Floats = np.where(documents > 0, np.minimum(1.0, np.minimum(hoeffding, bentkus)), 1.0)
    return found


def fixed_sequence(p_values: Floats, level: float) -> int:
    """How many hypotheses, tested in their order until one stays, are rejected; 0 when the first stays.

    The order has to be fixed before the data are seen; then the chance to reject any true one is at most the level.
    """
    return _leading(p_values <= level)


def conformal(losses: Floats, limit: float) -> int:
    """How many settings, from the safest on, keep the expected loss of a new document at or below a limit.

    Args:
        losses: of each document, never falling along the settings, 0 to 1, (documents, settings).
        limit: 0 to 1.

    Returns:
        0 when none does; the loss of the new document is counted as 1.
    """
    bound = (losses.sum(0) + 1) / (len(losses) + 1)
    return _leading(bound <= limit)


def _leading(passed: Bools) -> int:
    """How many are true before the first that is not."""
    return len(passed) if passed.all() else int(np.argmin(passed))
