"""Smooth calibration error: a kernel instead of bins, and the kernel's width found from the error itself.

Blasiok and Nakkiran 2023 (Smooth ECE: principled reliability diagrams via kernel smoothing): residuals, probability
less answer, are smoothed by a Gaussian kernel that is reflected at 0 and 1, and the error is the mean of what is left.
A wider kernel leaves less; the width is where width and error meet, so that nothing is to be chosen.

One set of rows is smoothed on the grid of the authors' program, relplot; many samples of them on one fine grid by
cosine transforms. The two differ by less than .002 (tested).
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from keywright.calibration.measures.inputs import checked, some
from keywright.core.arrays import Bools, Floats

NARROWEST: Final = 0.001
"""The kernel gets no narrower than this."""
_HALVINGS: Final = 10
_FINE: Final = 1025
"""Places of the grid of many samples; a power of 2 and one, for the transform."""
_LEAST_GRID, _GRID, _LEAST_READ, _READ = 2000, 20, 200, 10
"""Places of relplot's grid, and where it is read: at least so many, or so many divided by the width."""
_REACH: Final = 0.5
"""Where relplot's kernel ends on both sides."""
_NOWHERE: Final = 1e-4
"""What relplot adds to each density that it divides by."""

_Errors = Callable[[Floats], Floats]
"""Widths (samples,) to the errors at these widths (samples,)."""


def smooth_error(probabilities: Floats, answers: Bools, *, full_ends: bool = True) -> float:
    """The smooth calibration error, 0 to 1.

    relplot's kernel counts rows at exactly 0 or 1 as half a row, and rows within a step of its grid (at most .001) in
    part; here every row counts as one, as in the paper.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        answers: whether the row is a yes, (rows,).
        full_ends: whether rows at 0 and 1 count as one; if not, the value is relplot's.

    Raises:
        BadParameter: no rows, lengths that differ, or a probability outside 0 to 1 or nan.
    """
    probabilities, answers = some(*checked(probabilities, answers))
    places, owner, rows = np.unique(probabilities, return_inverse=True, return_counts=True)
    residuals = np.bincount(owner, probabilities - answers)

    def error(width: Floats) -> Floats:
        return np.array([_error_at(float(width[0]), places, np.stack([residuals, rows]), full_ends=full_ends)])

    return float(_where_they_meet(error, 1)[0])


def smooth_errors(places: Floats, residuals: Floats, rows: Floats) -> Floats:
    """The smooth calibration errors of many samples of the same groups of rows, (samples,); nan where there are none.

    Args:
        places: mean probability of each group, 0 to 1, (groups,).
        residuals: sum of probability less answer of each group's rows, (samples, groups).
        rows: of each sample, (samples,).
    """
    from scipy.fft import dct  # noqa: PLC0415  (loads only where it is used)
    from scipy.sparse import csr_array  # noqa: PLC0415  (likewise)

    low, share = _neighbours(places, _FINE)
    group = np.arange(len(places))
    onto = csr_array((1 - share, (low, group)), (_FINE, len(places))) + csr_array(
        (share, (low + 1, group)), (_FINE, len(places))
    )
    grid = np.ascontiguousarray((onto @ residuals.T).T)
    grid[:, [0, -1]] *= 2  # the ends stand once in the mirrored row, all others twice
    spectrum = dct(grid, type=1)
    distance = np.arange(_FINE) / (_FINE - 1)

    def error(widths: Floats) -> Floats:
        some_widths, which = np.unique(widths, return_inverse=True)
        kernels = np.exp(-0.5 * np.square(distance / some_widths[:, None])) * (distance <= _REACH)
        passed = dct(kernels, type=1)
        smoothed = np.abs(dct(spectrum * (passed / passed[:, :1])[which], type=1)) / (2 * (_FINE - 1))
        ends = (smoothed[:, 0] + smoothed[:, -1]) / 2
        with np.errstate(invalid="ignore"):
            found: Floats = (smoothed.sum(1) - ends) / rows
        return found

    return _where_they_meet(error, len(residuals))


def _where_they_meet(error: _Errors, samples: int) -> Floats:
    """The error at the width that is just not below it, by halving, (samples,)."""
    wide, narrow = np.ones(samples), np.zeros(samples)
    at_wide = error(wide)
    for _ in range(_HALVINGS):
        middle = (wide + narrow) / 2
        found = error(middle)
        below = (middle < NARROWEST) | (middle < found)
        narrow, wide = np.where(below, middle, narrow), np.where(below, wide, middle)
        at_wide = np.where(below, at_wide, found)
    return at_wide


def _error_at(width: float, places: Floats, values: Floats, *, full_ends: bool) -> float:
    """The error of groups at one width, as relplot reads it; values are residuals and numbers of rows, (2, groups)."""
    from scipy.signal import fftconvolve  # noqa: PLC0415  (loads only where it is used)

    size = max(_LEAST_GRID, round(_GRID / width)) // 2 + 1
    low, share = _neighbours(places, size)
    grid = np.stack(
        [np.bincount(low, value * (1 - share), size) + np.bincount(low + 1, value * share, size) for value in values]
    )
    if full_ends:
        grid[:, [0, -1]] *= 2
    kernel = np.exp(-0.5 * np.square((np.linspace(0, 1, size) - 0.5) / width)) / (np.sqrt(2 * np.pi) * width)
    mirrored = np.concatenate([grid[:, :0:-1], grid, grid[:, -2::-1]], axis=1)
    smoothed = fftconvolve(mirrored, kernel[None], "valid", axes=1)[:, size // 2 : size // 2 + size]
    read = np.linspace(0, 1, max(_LEAST_READ, round(_READ / width)))
    low, share = _neighbours(read, size)
    residual, density = smoothed[:, low] * (1 - share) + smoothed[:, low + 1] * share
    return float(np.abs(residual).sum() / (density + _NOWHERE).sum())


def _neighbours(places: Floats, size: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Floats]:
    """The lower neighbour of each place on a grid over 0 to 1, and how near it is to the upper, (places,)."""
    scaled = places * (size - 1)
    low = np.clip(scaled.astype(np.int64), 0, size - 2)
    return low, scaled - low
