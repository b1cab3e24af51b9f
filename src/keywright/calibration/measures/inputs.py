"""Validation of probabilities or scores paired with outcomes, the input of every measure of calibration."""

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter


def checked_probabilities(probabilities: Floats, outcomes: Bools) -> tuple[Floats, Bools]:
    """Return both as columns of numbers and truth values, (rows,), possibly empty.

    Raises:
        BadParameter: lengths that differ, a probability outside 0 to 1 or nan, or an outcome that is not yes or no.
    """
    numbers, truths = checked_scores(probabilities, outcomes)
    outside = ~((numbers >= 0) & (numbers <= 1))  # nan is neither
    if outside.any():
        example = float(numbers[outside][0])
        message = f"{int(outside.sum())} of {len(numbers)} probabilities are not between 0 and 1, such as {example}"
        raise BadParameter(message, "expected fractions; fit a calibrator to turn scores into probabilities")
    return numbers, truths


def checked_scores(scores: Floats, outcomes: Bools) -> tuple[Floats, Bools]:
    """Return scores of any range as numbers, and outcomes as truth values, (rows,), possibly empty."""
    numbers, raw_outcomes = np.asarray(scores, float), np.asarray(outcomes)
    truths = raw_outcomes.astype(bool)
    if numbers.shape != truths.shape or numbers.ndim != 1:
        message = f"scores of shape {numbers.shape} and outcomes of shape {truths.shape}"
        raise BadParameter(message, "expected one outcome for each score")
    if np.isnan(numbers).any():
        raise BadParameter(f"{int(np.isnan(numbers).sum())} of {len(numbers)} scores are nan", "expected numbers")
    if not np.array_equal(truths, raw_outcomes):
        raise BadParameter("an outcome is neither yes nor no", "expected booleans, or 0 and 1")
    return numbers, truths


def non_empty(numbers: Floats, outcomes: Bools) -> tuple[Floats, Bools]:
    """Return both unchanged."""
    if not len(numbers):
        raise BadParameter("there are no probabilities", "a measure needs at least one")
    return numbers, outcomes
