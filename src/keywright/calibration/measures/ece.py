"""Expected calibration error (ECE) over bins of equal width or mass, bins of a reliability diagram, and noise floor.

ECE (Naeini, Cooper and Hauskrecht 2015: Obtaining well calibrated probabilities using Bayesian binning) cuts [0, 1]
into bins of equal width and takes the mean distance between the mean probability and the share of yes, weighted by the
sizes of the bins. On a finite sample ECE is above 0 even for exact probabilities; how far is the noise floor (Broecker
and Smith 2007: Increasing the reliability of reliability diagrams).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.measures.inputs import checked_probabilities, non_empty
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter

BINS: Final = 10
"""Bins of equal width; the usual number in the literature."""
SAMPLES: Final = 1000
"""Samples drawn for a noise floor; arbitrary."""
SEED: Final = 12345
"""Seed of numpy's PCG64; arbitrary."""
_LEVEL: Final = 0.95
"""Share of samples inside the interval of the noise floor; the usual one."""
_CHUNK: Final = 1_000_000
"""Drawn numbers held in memory at a time; arbitrary."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows with similar probabilities.

    Attributes:
        low, high: ends of the bin, 0 to 1; the high end belongs to the next bin, but 1 to the last.
        probability: their mean probability, 0 to 1; None where there are no rows.
        share: share of them that is a yes, 0 to 1; None where there are no rows.
    """

    low: float
    high: float
    size: int
    probability: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The calibration error of exact probabilities.

    ``error``: on average, 0 to 1; ``low``, ``high``: 95 % interval.
    """

    error: float
    low: float
    high: float


def bin_totals(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> Floats:
    """Return rows, sum of probabilities and number of yes per bin, (3, bins); totals of parts add up to the whole's.

    Arguments and errors are those of ``calibration_error``; no rows give zeros.
    """
    probabilities, outcomes = checked_probabilities(probabilities, outcomes)
    bin_of = equal_width_bins(probabilities, bins)
    columns = (np.ones(len(bin_of)), probabilities, outcomes.astype(float))
    return np.stack([np.bincount(bin_of, column, minlength=bins) for column in columns])


def bins_from_totals(totals: Floats) -> tuple[Bin, ...]:
    """Return the bins of totals (3, bins), lowest first, empty ones included."""
    bins = totals.shape[1]
    return tuple(
        Bin(place / bins, (place + 1) / bins, int(size), *((p / size, yes / size) if size else (None, None)))
        for place, (size, p, yes) in enumerate(totals.T.tolist())
    )


def error_from_totals(totals: Floats) -> Floats:
    """Return the calibration error, (...), 0 to 1, from totals (..., 3, bins); nan where there are no rows."""
    size, probability, yes = np.moveaxis(totals, -2, 0)
    with np.errstate(invalid="ignore"):
        error: Floats = np.abs(probability - yes).sum(-1) / size.sum(-1)
    return error


def calibration_error(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal width, 0 to 1.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        outcomes: whether the row is a yes, (rows,).
        bins: number of bins.

    Raises:
        BadParameter: no rows or bins, lengths that differ, or a probability outside 0 to 1 or nan.
    """
    return float(error_from_totals(bin_totals(*non_empty(*checked_probabilities(probabilities, outcomes)), bins)))


def noise_floor(probabilities: Floats, bins: int = BINS, samples: int = SAMPLES, seed: int = SEED) -> NoiseFloor:
    """Return the calibration error if each row were a yes exactly with its probability, independently of the others.

    Outcomes are drawn from the probabilities, ``samples`` times. Outcomes that depend on each other, such as those of
    phrases of one document, would raise it: it is a lower bound of the error that chance alone gives.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        bins: number of bins of equal width.
        samples: number of draws.
        seed: of numpy's PCG64.

    Raises:
        BadParameter: there are no rows or samples, or a probability outside 0 to 1 or nan.
    """
    probabilities = np.asarray(probabilities, float)
    if not len(probabilities) or samples < 1:
        raise BadParameter(f"{len(probabilities)} probabilities, {samples} samples", "expected at least one of each")
    membership = np.eye(bins)[equal_width_bins(probabilities, bins)]  # (rows, bins): sums over bins as one product
    expected = probabilities @ membership
    random = np.random.Generator(np.random.PCG64(seed))
    chunk = max(1, _CHUNK // len(probabilities))
    chunks = []
    for start in range(0, samples, chunk):
        drawn = random.random((min(chunk, samples - start), len(probabilities))) < probabilities
        chunks.append(np.abs(drawn @ membership - expected).sum(1) / len(probabilities))
    errors = np.concatenate(chunks)
    low, high = np.quantile(errors, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]).tolist()
    return NoiseFloor(float(errors.mean()), low, high)


def equal_width_bins(probabilities: Floats, bins: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the bin of each probability, (rows,): the low end belongs to its bin, and 1 to the last."""
    if bins < 1:
        raise BadParameter(f"{bins} bins", "expected a number from 1")
    if not ((probabilities >= 0) & (probabilities <= 1)).all():  # nan is neither
        raise BadParameter("a probability is not between 0 and 1", "expected fractions")
    return np.searchsorted(np.arange(1, bins) / bins, probabilities, side="right")


def adaptive_error(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal mass, 0 to 1.

    Nguyen and O'Connor 2015 (Posterior calibration and exploratory analysis for natural language processing models),
    called adaptive by Nixon et al. 2019 (Measuring calibration in deep learning). Rows of equal probability share a
    bin, that of their middle rank, so that the order of rows does not matter and some bins may stay empty. Arguments
    and errors are those of ``calibration_error``.
    """
    probabilities, outcomes = non_empty(*checked_probabilities(probabilities, outcomes))
    _, group, sizes = np.unique(probabilities, return_inverse=True, return_counts=True)
    bin_of = equal_mass_bins(sizes[None], bins)[0][group]
    return float(np.abs(np.bincount(bin_of, probabilities - outcomes)).sum() / len(bin_of))


def equal_mass_bins(sizes: Floats | Ints, bins: int = BINS) -> Ints:
    """Return the bin of each group of tied rows, (..., groups), from the sizes (..., groups), lowest group first."""
    if bins < 1:
        raise BadParameter(f"{bins} bins", "expected a number from 1")
    rows = sizes.cumsum(-1)
    twice_middle = 2 * rows - sizes  # doubled, so that a middle between two rows stays a whole number
    return np.asarray(np.minimum(bins * twice_middle // np.maximum(2 * rows[..., -1:], 1), bins - 1).astype(np.int64))
