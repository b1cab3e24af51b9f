"""Expected calibration error (ECE) over bins, its noise floor, and smooth calibration error without bins.

ECE (Naeini, Cooper and Hauskrecht 2015: Obtaining well calibrated probabilities using Bayesian binning) is above 0 even
for exact probabilities; how far is the noise floor (Broecker and Smith 2007: Increasing the reliability of reliability
diagrams). Smooth ECE (Blasiok and Nakkiran 2023: Smooth ECE: principled reliability diagrams via kernel smoothing):
residuals are smoothed by a Gaussian kernel that is reflected at 0 and 1, whose width is the fixed point where width and
error are equal. A single set of rows is smoothed on the grid of relplot, the authors' program; many bootstrap samples
on one fine grid by cosine transforms. The two differ by less than .002 (tested).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter, needs_extra
from keywright.evaluation.statistics.bootstrap import percentile_interval

BINS: Final = 10  # bins of equal width; the usual number in the literature
SAMPLES: Final = 1000  # drawn for a noise floor; arbitrary
SEED: Final = 12345  # seed of numpy's PCG64; arbitrary
_LEVEL: Final = 0.95  # share of samples inside the interval of the noise floor; the usual one
_CHUNK: Final = 1_000_000  # drawn numbers held in memory at a time; arbitrary

NARROWEST: Final = 0.001  # least width of the kernel; as in relplot
_HALVINGS: Final = 10  # steps of the bisection, which reach 1 / 1024, about ``NARROWEST``
_FINE_GRID: Final = 1025  # points of the grid of many samples: 2^10 + 1, for which the cosine transform is fast
# relplot's grid, and the points where it is read: a minimum, or so many divided by the width.
_MIN_GRID, _GRID_PER_WIDTH, _MIN_READ, _READ_PER_WIDTH = 2000, 20, 200, 10
_REACH: Final = 0.5  # where relplot's kernel ends on both sides
_DENSITY_FLOOR: Final = 1e-4  # relplot adds this to each density that it divides by


def check_probabilities(probabilities: Floats, outcomes: Bools, least: int = 0) -> tuple[Floats, Bools]:
    """Return both as columns, (rows,), of at least so many rows, else ``BadParameter``, as for nan or 2."""
    numbers, truths = check_scores(probabilities, outcomes, least)
    outside = ~((numbers >= 0) & (numbers <= 1))  # nan is neither
    if outside.any():
        example = float(numbers[outside][0])
        message = f"{int(outside.sum())} of {len(numbers)} probabilities are not between 0 and 1, such as {example}"
        raise BadParameter(message, "expected fractions; fit a calibrator to turn scores into probabilities")
    return numbers, truths


def check_scores(scores: Floats, outcomes: Bools, least: int = 0) -> tuple[Floats, Bools]:
    """Return scores of any range as numbers, and outcomes as truth values, (rows,), of at least so many rows."""
    numbers, raw_outcomes = np.asarray(scores, float), np.asarray(outcomes)
    truths = raw_outcomes.astype(bool)
    if numbers.shape != truths.shape or numbers.ndim != 1:
        message = f"scores of shape {numbers.shape} and outcomes of shape {truths.shape}"
        raise BadParameter(message, "expected one outcome for each score")
    if np.isnan(numbers).any():
        raise BadParameter(f"{int(np.isnan(numbers).sum())} of {len(numbers)} scores are nan", "expected numbers")
    if not np.array_equal(truths, raw_outcomes):
        raise BadParameter("an outcome is neither yes nor no", "expected booleans, or 0 and 1")
    if len(numbers) < least:
        raise BadParameter("there are no probabilities", "a measure needs at least one")
    return numbers, truths


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows with similar probabilities."""

    low: float  # 0 to 1; belongs to the bin
    high: float  # belongs to the next bin, but 1 to the last
    size: int
    probability: float | None  # their mean probability, 0 to 1; None where there are no rows
    share: float | None  # share of them that is a yes, 0 to 1; None where there are no rows


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The calibration error of exact probabilities: on average, 0 to 1, and its 95 % interval."""

    error: float
    low: float
    high: float


def sum_bins(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> Floats:
    """Return rows, sum of probabilities and number of yes per bin, (3, bins), zeros without rows, to be added up."""
    probabilities, outcomes = check_probabilities(probabilities, outcomes)
    bin_of = assign_equal_width(probabilities, bins)
    columns = (np.ones(len(bin_of)), probabilities, outcomes.astype(float))
    return np.stack([np.bincount(bin_of, column, minlength=bins) for column in columns])


def make_bins(totals: Floats) -> tuple[Bin, ...]:
    """Return the bins of totals (3, bins), lowest first, empty ones included."""
    bins = totals.shape[1]
    return tuple(
        Bin(place / bins, (place + 1) / bins, int(size), *((p / size, yes / size) if size else (None, None)))
        for place, (size, p, yes) in enumerate(totals.T.tolist())
    )


def compute_error(totals: Floats) -> Floats:
    """Return the calibration error, (...), 0 to 1, from totals (..., 3, bins); nan where there are no rows."""
    size, probability, yes = np.moveaxis(totals, -2, 0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(probability - yes).sum(-1) / size.sum(-1))


def measure_error(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal width, 0 to 1, of at least one row.

    Raises BadParameter: no rows or bins, lengths that differ, or a probability outside 0 to 1 or nan.
    """
    return float(compute_error(sum_bins(*check_probabilities(probabilities, outcomes, least=1), bins)))


def measure_noise_floor(probabilities: Floats, samples: int = SAMPLES, seed: int = SEED) -> NoiseFloor:
    """Return the calibration error if each row were a yes exactly with its probability, independently of the others.

    Phrases of one document depend on each other, which would raise it: it is a lower bound of the error that chance
    alone gives. Raises BadParameter: no rows or samples, or a probability outside 0 to 1 or nan.
    """
    probabilities, _ = check_probabilities(probabilities, np.zeros(len(probabilities), bool), least=1)
    if samples < 1:
        raise BadParameter(f"{samples} samples", "expected at least one")
    membership = np.eye(BINS)[assign_equal_width(probabilities, BINS)]  # (rows, bins): sums over bins as one product
    expected = probabilities @ membership
    random = np.random.Generator(np.random.PCG64(seed))
    errors = np.zeros(samples)
    chunk = max(1, _CHUNK // len(probabilities))
    for start in range(0, samples, chunk):
        part = errors[start : start + chunk]
        drawn = random.random((len(part), len(probabilities))) < probabilities
        part[:] = np.abs(drawn @ membership - expected).sum(1) / len(probabilities)
    return NoiseFloor(float(errors.mean()), *percentile_interval(errors, _LEVEL).tolist())


def assign_equal_width(probabilities: Floats, bins: int) -> Ints:
    """Return the bin of each probability, 0 to 1, (rows,): the low end belongs to its bin, and 1 to the last."""
    if bins < 1:
        raise BadParameter(f"{bins} bins", "expected a number from 1")
    return np.searchsorted(np.arange(1, bins) / bins, probabilities, side="right")


def measure_adaptive_error(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal mass, 0 to 1; errors as in ``measure_error``.

    Nguyen and O'Connor 2015 (Posterior calibration and exploratory analysis for natural language processing models),
    called adaptive by Nixon et al. 2019 (Measuring calibration in deep learning). Rows of equal probability share the
    bin of their middle rank, so that their order does not matter and some bins may stay empty.
    """
    probabilities, outcomes = check_probabilities(probabilities, outcomes, least=1)
    _, group, sizes = np.unique(probabilities, return_inverse=True, return_counts=True)
    bin_of = assign_equal_mass(sizes[None], bins)[0][group]
    return float(np.abs(np.bincount(bin_of, probabilities - outcomes)).sum() / len(bin_of))


def assign_equal_mass(sizes: Floats | Ints, bins: int = BINS) -> Ints:
    """Return the bin of each group of tied rows, (..., groups), from the sizes (..., groups), lowest group first."""
    if bins < 1:
        raise BadParameter(f"{bins} bins", "expected a number from 1")
    rows = sizes.cumsum(-1)
    twice_middle = 2 * rows - sizes  # doubled, so that a middle between two rows stays a whole number
    return np.asarray(np.minimum(bins * twice_middle // np.maximum(2 * rows[..., -1:], 1), bins - 1).astype(np.int64))


def measure_smooth_error(probabilities: Floats, outcomes: Bools, *, full_ends: bool = True) -> float:
    """Return the smooth calibration error, 0 to 1; arguments and errors are those of ``measure_error``.

    Every row counts as one, as in the paper; without ``full_ends`` those near 0 or 1 count in part, as in relplot.
    """
    with needs_extra("eval", "smooth calibration errors need scipy"):
        from scipy.signal import fftconvolve  # noqa: PLC0415  (loads only where it is used)

    probabilities, outcomes = check_probabilities(probabilities, outcomes, least=1)
    places, group, rows = np.unique(probabilities, return_inverse=True, return_counts=True)
    columns = np.bincount(group, probabilities - outcomes), rows  # residuals and numbers of rows, (groups,)

    def error(widths: Floats) -> Floats:
        width = float(widths[0])
        size = max(_MIN_GRID, round(_GRID_PER_WIDTH / width)) // 2 + 1
        low, share = _find_neighbours(places, size)
        grid = np.stack(
            [np.bincount(low, part * (1 - share), size) + np.bincount(low + 1, part * share, size) for part in columns]
        )
        if full_ends:
            grid[:, [0, -1]] *= 2
        kernel = np.exp(-0.5 * np.square((np.linspace(0, 1, size) - 0.5) / width)) / (np.sqrt(2 * np.pi) * width)
        mirrored = np.concatenate([grid[:, :0:-1], grid, grid[:, -2::-1]], axis=1)
        smoothed = fftconvolve(mirrored, kernel[None], "valid", axes=1)[:, size // 2 : size // 2 + size]
        low, share = _find_neighbours(np.linspace(0, 1, max(_MIN_READ, round(_READ_PER_WIDTH / width))), size)
        residual, density = smoothed[:, low] * (1 - share) + smoothed[:, low + 1] * share
        return np.array([np.abs(residual).sum() / (density + _DENSITY_FLOOR).sum()])

    return float(_find_fixed_point(error, 1)[0])


def measure_smooth_errors(places: Floats, residuals: Floats, rows: Floats) -> Floats:
    """Return the smooth errors of many samples of groups with probability ``places``, (samples,)."""
    with needs_extra("eval", "smooth calibration errors need scipy"):
        from scipy.fft import dct  # noqa: PLC0415  (loads only where it is used)
        from scipy.sparse import csr_array  # noqa: PLC0415  (loads only where it is used)

    # Linear interpolation onto the grid as one sparse product: each group is split between its two neighbours.
    low, share = _find_neighbours(places, _FINE_GRID)
    group, shape = np.arange(len(places)), (_FINE_GRID, len(places))
    onto = csr_array((1 - share, (low, group)), shape) + csr_array((share, (low + 1, group)), shape)
    grid = np.ascontiguousarray((onto @ residuals.T).T)
    grid[:, [0, -1]] *= 2  # in the mirrored row the ends occur once and all other points twice
    # A cosine transform of type 1 mirrors at both ends: the reflected convolution is a product of spectra, and the
    # spectrum of the residuals serves for all widths.
    spectrum = dct(grid, type=1)
    distance = np.arange(_FINE_GRID) / (_FINE_GRID - 1)

    def error(widths: Floats) -> Floats:
        distinct_widths, which = np.unique(widths, return_inverse=True)
        kernels = np.exp(-0.5 * np.square(distance / distinct_widths[:, None])) * (distance <= _REACH)
        response = dct(kernels, type=1)
        smoothed = np.abs(dct(spectrum * (response / response[:, :1])[which], type=1)) / (2 * (_FINE_GRID - 1))
        ends = (smoothed[:, 0] + smoothed[:, -1]) / 2  # trapezoidal rule
        with np.errstate(invalid="ignore"):
            return np.asarray((smoothed.sum(1) - ends) / rows)

    return _find_fixed_point(error, len(residuals))


def _find_fixed_point(error: Callable[[Floats], Floats], samples: int) -> Floats:
    """Return the error at the least width not below it, by bisection; ``error``: widths to errors, (samples,)."""
    wide, narrow = np.ones(samples), np.zeros(samples)
    error_at_wide = error(wide)
    for _ in range(_HALVINGS):
        middle = (wide + narrow) / 2
        error_at_middle = error(middle)
        below = (middle < NARROWEST) | (middle < error_at_middle)
        narrow, wide = np.where(below, middle, narrow), np.where(below, wide, middle)
        error_at_wide = np.where(below, error_at_wide, error_at_middle)
    return error_at_wide


def _find_neighbours(places: Floats, size: int) -> tuple[Ints, Floats]:
    """Return the lower neighbour of each place on a grid over 0 to 1, and the weight of the upper one, (places,)."""
    scaled = places * (size - 1)
    low = np.clip(scaled.astype(np.int64), 0, size - 2)
    return low, scaled - low
