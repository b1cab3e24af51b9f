"""Smooth calibration error: kernel smoothing in place of bins, with a kernel width that follows from the error itself.

Blasiok and Nakkiran 2023 (Smooth ECE: principled reliability diagrams via kernel smoothing): residuals, probability
less outcome, are smoothed by a Gaussian kernel that is reflected at 0 and 1, and the error is the mean absolute value
that is left. A wider kernel leaves less; the width is the fixed point where width and error are equal, so that there is
no parameter to choose.

A single set of rows is smoothed on the grid of relplot, the authors' program; many bootstrap samples on one fine grid
by cosine transforms. The two differ by less than .002 (tested).
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from keywright.calibration.measures.inputs import checked_probabilities, non_empty
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.extras import needs_extra

NARROWEST: Final = 0.001
"""Least width of the kernel; as in relplot."""
_HALVINGS: Final = 10
"""Steps of the bisection, which reach 1 / 1024, about ``NARROWEST``."""
_FINE_GRID: Final = 1025
"""Points of the grid of many samples: a power of 2 plus 1, for which the cosine transform is fast."""
_MIN_GRID, _GRID_PER_WIDTH, _MIN_READ, _READ_PER_WIDTH = 2000, 20, 200, 10
"""relplot's grid, and the points where it is read: a minimum, or so many divided by the width."""
_REACH: Final = 0.5
"""Where relplot's kernel ends on both sides."""
_DENSITY_FLOOR: Final = 1e-4
"""relplot adds this to each density that it divides by."""
_ErrorAtWidth = Callable[[Floats], Floats]
"""Kernel widths (samples,) to errors at these widths (samples,)."""


def smooth_error(probabilities: Floats, outcomes: Bools, *, full_ends: bool = True) -> float:
    """Return the smooth calibration error, 0 to 1.

    relplot's kernel counts rows at exactly 0 or 1 as half a row, and rows within a step of its grid (at most .001) in
    part; here every row counts as one, as in the paper.

    Arguments and errors are those of ``ece.calibration_error``; without ``full_ends`` the value is relplot's.
    """
    probabilities, outcomes = non_empty(*checked_probabilities(probabilities, outcomes))
    places, group, rows = np.unique(probabilities, return_inverse=True, return_counts=True)
    residuals = np.bincount(group, probabilities - outcomes)

    def error(width: Floats) -> Floats:
        return np.array([_error_at(float(width[0]), places, np.stack([residuals, rows]), full_ends=full_ends)])

    return float(_fixed_point(error, 1)[0])


def smooth_errors(places: Floats, residuals: Floats, rows: Floats) -> Floats:
    """Return the smooth calibration errors of many samples of the same groups of rows, (samples,); nan without rows.

    Args:
        places: mean probability of each group, 0 to 1, (groups,).
        residuals: sum of probability less outcome of each group's rows, (samples, groups).
        rows: of each sample, (samples,).
    """
    with needs_extra("eval", "smooth calibration errors need scipy"):
        from scipy.fft import dct  # noqa: PLC0415  (loads only where it is used)
        from scipy.sparse import csr_array  # noqa: PLC0415  (loads only where it is used)

    # Linear interpolation onto the grid as one sparse product: each group is split between its two neighbours.
    low, share = _neighbours(places, _FINE_GRID)
    group = np.arange(len(places))
    onto = csr_array((1 - share, (low, group)), (_FINE_GRID, len(places))) + csr_array(
        (share, (low + 1, group)), (_FINE_GRID, len(places))
    )
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
            errors: Floats = (smoothed.sum(1) - ends) / rows
        return errors

    return _fixed_point(error, len(residuals))


def _fixed_point(error: _ErrorAtWidth, samples: int) -> Floats:
    """Return the error at the least width that is not below its error, by bisection of all samples at once."""
    wide, narrow = np.ones(samples), np.zeros(samples)
    error_at_wide = error(wide)
    for _ in range(_HALVINGS):
        middle = (wide + narrow) / 2
        error_at_middle = error(middle)
        below = (middle < NARROWEST) | (middle < error_at_middle)
        narrow, wide = np.where(below, middle, narrow), np.where(below, wide, middle)
        error_at_wide = np.where(below, error_at_wide, error_at_middle)
    return error_at_wide


def _error_at(width: float, places: Floats, values: Floats, *, full_ends: bool) -> float:
    """Return the error at one width, as relplot reads it; values are residuals and numbers of rows, (2, groups)."""
    with needs_extra("eval", "smooth calibration errors need scipy"):
        from scipy.signal import fftconvolve  # noqa: PLC0415  (loads only where it is used)

    size = max(_MIN_GRID, round(_GRID_PER_WIDTH / width)) // 2 + 1
    low, share = _neighbours(places, size)
    grid = np.stack(
        [np.bincount(low, value * (1 - share), size) + np.bincount(low + 1, value * share, size) for value in values]
    )
    if full_ends:
        grid[:, [0, -1]] *= 2
    kernel = np.exp(-0.5 * np.square((np.linspace(0, 1, size) - 0.5) / width)) / (np.sqrt(2 * np.pi) * width)
    mirrored = np.concatenate([grid[:, :0:-1], grid, grid[:, -2::-1]], axis=1)
    smoothed = fftconvolve(mirrored, kernel[None], "valid", axes=1)[:, size // 2 : size // 2 + size]
    read = np.linspace(0, 1, max(_MIN_READ, round(_READ_PER_WIDTH / width)))
    low, share = _neighbours(read, size)
    residual, density = smoothed[:, low] * (1 - share) + smoothed[:, low + 1] * share
    return float(np.abs(residual).sum() / (density + _DENSITY_FLOOR).sum())


def _neighbours(places: Floats, size: int) -> tuple[Ints, Floats]:
    """Return the lower neighbour of each place on a grid over 0 to 1, and the weight of the upper one, (places,)."""
    scaled = places * (size - 1)
    low = np.clip(scaled.astype(np.int64), 0, size - 2)
    return low, scaled - low
