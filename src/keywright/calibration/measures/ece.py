"""Reliability: probabilities in equal bins beside the share that came true, their distance, and what chance does to it.

The expected calibration error (ECE; Naeini, Cooper and Hauskrecht 2015: Obtaining well calibrated probabilities using
Bayesian binning) cuts [0, 1] into equal bins and takes the mean distance between the mean probability and the share of
yes, weighed by the sizes of the bins. Of a finite number of rows it is above 0 even for probabilities that are exactly
right; how far is the noise floor (Broecker and Smith 2007: Increasing the reliability of reliability diagrams).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.measures.inputs import checked
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter

BINS: Final = 10
SAMPLES: Final = 1000
SEED: Final = 12345

_LEVEL: Final = 0.95
_AT_ONCE: Final = 1_000_000
"""Drawn numbers that are held at a time."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows whose probabilities are alike.

    Attributes:
        low, high: ends of the bin, 0 to 1; the high end belongs to the next bin, but 1 to the last.
        size: number of rows.
        probability: their mean probability, 0 to 1; None where there are no rows.
        share: how many of them are a yes, 0 to 1; None where there are no rows.
    """

    low: float
    high: float
    size: int
    probability: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The calibration error of probabilities that are exactly right.

    Attributes:
        error: on average, 0 to 1.
        low, high: between which it lies in 95 of 100 cases.
    """

    error: float
    low: float
    high: float


def bin_totals(probabilities: Floats, answers: Bools, number: int = BINS) -> Floats:
    """Rows, sum of probabilities and number of yes in each bin, (3, bins); totals of parts add up to the whole's.

    Args:
        probabilities: 0 to 1, (rows,); none gives zeros.
        answers: whether the row is a yes, (rows,).
        number: of equal bins.

    Raises:
        BadParameter: a probability outside 0 to 1 or nan, lengths that differ, or no bins.
    """
    probabilities, answers = checked(probabilities, answers)
    place = equal_bins(probabilities, number)
    columns = (np.ones(len(place)), probabilities, answers.astype(float))
    return np.stack([np.bincount(place, column, minlength=number) for column in columns])


def bins_of(totals: Floats) -> tuple[Bin, ...]:
    """The bins of totals (3, bins), lowest first; empty ones are there."""
    number = totals.shape[1]
    return tuple(
        Bin(place / number, (place + 1) / number, int(size), *((p / size, yes / size) if size else (None, None)))
        for place, (size, p, yes) in enumerate(totals.T.tolist())
    )


def error_of(totals: Floats) -> Floats:
    """Calibration error from totals (..., 3, bins): (...), 0 to 1; nan where there are no rows."""
    size, probability, yes = np.moveaxis(totals, -2, 0)
    with np.errstate(invalid="ignore"):
        found: Floats = np.abs(probability - yes).sum(-1) / size.sum(-1)
    return found


def calibration_error(probabilities: Floats, answers: Bools, number: int = BINS) -> float:
    """The expected calibration error over equal bins, 0 to 1.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        answers: whether the row is a yes, (rows,).
        number: of bins.

    Raises:
        BadParameter: there are no rows, or as for ``bin_totals``.
    """
    totals = bin_totals(probabilities, answers, number)
    if not totals[0].any():
        raise BadParameter("there are no probabilities", "an error needs at least one")
    return float(error_of(totals))


def noise_floor(probabilities: Floats, number: int = BINS, samples: int = SAMPLES, seed: int = SEED) -> NoiseFloor:
    """The calibration error if each row were a yes exactly with its probability, whatever the other rows are.

    Answers are drawn from the probabilities, ``samples`` times; rows that go together, as phrases of one document do,
    would make it larger, so it is a lower bound of what chance does.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        number: of bins.
        samples: how often is drawn.
        seed: of numpy's PCG64.

    Raises:
        BadParameter: there are no rows or samples, or a probability outside 0 to 1 or nan.
    """
    probabilities = np.asarray(probabilities, float)
    if not len(probabilities) or samples < 1:
        raise BadParameter(f"{len(probabilities)} probabilities, {samples} samples", "expected at least one of each")
    place = equal_bins(probabilities, number)
    member = np.eye(number)[place]  # (rows, bins)
    expected = probabilities @ member
    chance = np.random.Generator(np.random.PCG64(seed))
    errors = []
    step = max(1, _AT_ONCE // len(probabilities))
    for start in range(0, samples, step):
        drawn = chance.random((min(step, samples - start), len(probabilities))) < probabilities
        errors.append(np.abs(drawn @ member - expected).sum(1) / len(probabilities))
    found = np.concatenate(errors)
    low, high = np.quantile(found, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]).tolist()
    return NoiseFloor(float(found.mean()), low, high)


def equal_bins(probabilities: Floats, number: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The bin of each probability, (rows,): its low end belongs to it, and 1 to the last.

    Raises:
        BadParameter: a probability outside 0 to 1 or nan, or no bins.
    """
    if number < 1:
        raise BadParameter(f"{number} bins", "expected a number from 1")
    if not ((probabilities >= 0) & (probabilities <= 1)).all():  # nan is neither
        raise BadParameter("a probability is not between 0 and 1", "expected fractions")
    return np.searchsorted(np.arange(1, number) / number, probabilities, side="right")
