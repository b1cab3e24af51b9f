"""Probabilities beside answers, as every measure of calibration takes them: what is refused, and why."""

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter


def checked(probabilities: Floats, answers: Bools) -> tuple[Floats, Bools]:
    """Both as columns of numbers and truth values, (rows,); none is allowed.

    Raises:
        BadParameter: lengths that differ, a probability outside 0 to 1 or nan, or an answer that is not yes or no.
    """
    numbers, truths = paired(probabilities, answers)
    outside = ~((numbers >= 0) & (numbers <= 1))  # nan is neither
    if outside.any():
        found = float(numbers[outside][0])
        message = f"{int(outside.sum())} of {len(numbers)} probabilities are not between 0 and 1, such as {found}"
        raise BadParameter(message, "expected fractions; scores become probabilities by a fitted calibrator")
    return numbers, truths


def paired(scores: Floats, answers: Bools) -> tuple[Floats, Bools]:
    """Scores of any range as numbers, and answers as truth values, (rows,).

    Raises:
        BadParameter: lengths that differ, a score that is nan, or an answer that is not yes or no.
    """
    numbers, given = np.asarray(scores, float), np.asarray(answers)
    truths = given.astype(bool)
    if numbers.shape != truths.shape or numbers.ndim != 1:
        message = f"scores {numbers.shape} and answers {truths.shape}"
        raise BadParameter(message, "expected one answer for each score")
    if np.isnan(numbers).any():
        raise BadParameter(f"{int(np.isnan(numbers).sum())} of {len(numbers)} scores are nan", "expected numbers")
    if not np.array_equal(truths, given):
        raise BadParameter("an answer is neither yes nor no", "expected booleans, or 0 and 1")
    return numbers, truths


def some(numbers: Floats, answers: Bools) -> tuple[Floats, Bools]:
    """Both as they are, if there is at least one row.

    Raises:
        BadParameter: there are no rows.
    """
    if not len(numbers):
        raise BadParameter("there are no probabilities", "a measure needs at least one")
    return numbers, answers
