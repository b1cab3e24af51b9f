"""Correlation coefficients of many groups of items at once, under many resamples of the items.

Resamples are weights: how often each item was drawn. Sums over resampled items are then products of matrices, and a
pair of two draws of one item is tied, as it is in a list that repeats the item.
"""

import enum
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.extras import needs_extra


class Coefficient(enum.StrEnum):
    """Pearson's r, Spearman's rho (equal values share their average rank), or Kendall's tau-b."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"


_AT_ONCE: Final = 1 << 22
"""Numbers of an intermediate array, 32 MiB; arbitrary."""
_BYTE_SUM: Final = 127
"""Terms of -1, 0 or 1 whose sum is sure to fit in a byte."""
_ROUNDING: Final = 1e-12
"""Share of a sum of squares below which a variance is rounding error: errors are some 1e-16; arbitrary."""


def coefficients(x: Floats, y: Floats, weights: Floats, kind: Coefficient) -> Floats:
    """Return coefficients, (groups, resamples); nan where fewer than two items are there, or a side is constant.

    Args:
        x: one side, (groups, items). Items with nan on either side are left out.
        y: the other side, (groups, items).
        weights: how often each item was drawn, (groups or 1, resamples, items).
        kind: the coefficient.
    """
    groups, items = x.shape
    missing = np.isnan(x) | np.isnan(y)
    x, y = np.where(missing, np.nan, x), np.where(missing, np.nan, y)
    result = np.empty((groups, weights.shape[1]))
    plain = weights.shape[:2] == (1, 1) and bool((weights == 1).all())
    compute = _OF_LISTS[kind] if plain else _OF_RESAMPLES[kind]
    step = max(1, _AT_ONCE // (max(1, items) * max(1, weights.shape[1], 1 if plain else items)))
    for start in range(0, groups, step):
        part = slice(start, start + step)
        result[part] = compute(x[part], y[part], weights if len(weights) == 1 else weights[part])
    return result


def partial(xy: Floats, xz: Floats, yz: Floats) -> Floats:
    """Return the correlation of x and y given z, from the three of pairs, any shape; nan where z determines a side.

    >>> float(partial(np.array([0.6]), np.array([0.5]), np.array([0.0]))[0])
    0.6928203230275509
    """
    rest: Floats = (1 - xz**2) * (1 - yz**2)
    values: Floats = np.full(rest.shape, np.nan)
    defined = rest > _ROUNDING
    values[defined] = (xy - xz * yz)[defined] / np.sqrt(rest[defined])
    return values


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    present = ~np.isnan(x)
    # One of the values as origin: a constant side becomes exactly 0, and no digits are lost to a large mean.
    x, y = (_from_first(side, present) for side in (x, y))
    columns = np.stack([present, x, y, x * x, y * y, x * y], axis=-1)
    count, sum_x, sum_y, squares_x, squares_y, products = np.moveaxis(weights @ columns, -1, 0)
    variances = (count * squares_x - sum_x**2, count * squares_y - sum_y**2)
    limits = (_ROUNDING * count * squares_x, _ROUNDING * count * squares_y)
    return _quotient(count * products - sum_x * sum_y, variances, limits)


def _from_first(side: Floats, present: Bools) -> Floats:
    """Return values less the first one that is present, 0 where missing."""
    origin = side[np.arange(len(side)), present.argmax(axis=1)] if side.shape[1] else np.zeros(len(side))
    return np.where(present, side - origin[:, None], 0.0)


def _spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    weights = weights * ~np.isnan(x)[:, None]
    # An item's average rank is half of items below less items above it, but for a constant.
    first, second = (weights @ (-0.5 * _signs(side)) for side in (x, y))
    count = weights.sum(axis=-1)
    weighted = (weights * first, weights * second)
    sums = [part.sum(axis=-1) for part in weighted]
    squares = [_dots(part, ranks) for part, ranks in zip(weighted, (first, second), strict=True)]
    # Twice the ranks are whole numbers, so that these differences are exact and 0 means constant.
    variances = (count * squares[0] - sums[0] ** 2, count * squares[1] - sums[1] ** 2)
    return _quotient(count * _dots(weighted[0], second) - sums[0] * sums[1], variances, (0.0, 0.0))


def _spearman_of_lists(x: Floats, y: Floats, weights: Floats) -> Floats:
    with needs_extra("eval", "Spearman's correlation of lists needs scipy"):
        from scipy.stats import rankdata  # noqa: PLC0415 - heavy, only this coefficient needs it

    missing = np.isnan(x)
    # Infinity ranks behind all values, so that missing items do not move the ranks of the others.
    first, second = (rankdata(np.where(missing, np.inf, side), axis=1) for side in (x, y))
    return _pearson(np.where(missing, np.nan, first), np.where(missing, np.nan, second), weights)


def _kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    first, second = _signs(x), _signs(y)
    parts = (first * second, np.abs(first), np.abs(second))
    pairs, untied_x, untied_y = (_dots(weights @ part, weights) for part in parts)
    return _quotient(pairs, (untied_x, untied_y), (0.0, 0.0))


def _kendall_of_lists(x: Floats, y: Floats, weights: Floats) -> Floats:  # noqa: ARG001 - all are 1
    x, y = np.ascontiguousarray(x.T), np.ascontiguousarray(y.T)
    sums = np.zeros((3, x.shape[1]))
    for at in range(len(x)):
        for start in range(at + 1, len(x), _BYTE_SUM):
            # Signs are bytes and summed as bytes, for at most 127 items, which is several times faster than floats.
            later = slice(start, start + _BYTE_SUM)
            first, second = (_byte_signs(side[later], side[at]) for side in (x, y))
            for row, signs in enumerate((first * second, np.abs(first), np.abs(second))):
                sums[row] += signs.sum(axis=0, dtype=np.int8)
    pairs, untied_x, untied_y = sums[:, :, None]
    return _quotient(pairs, (untied_x, untied_y), (0.0, 0.0))


def _byte_signs(later: Floats, earlier: Floats) -> "np.typing.NDArray[np.int8]":
    """Return the signs of differences; 0 for equal or missing items."""
    return np.subtract(later > earlier, later < earlier, dtype=np.int8)


def _signs(side: Floats) -> Floats:
    """Return the signs of the differences of all pairs of items, (groups, items, items); 0 for missing items."""
    signs: Floats = np.nan_to_num(np.sign(side[:, :, None] - side[:, None, :]))
    return signs


def _dots(first: Floats, second: Floats) -> Floats:
    """Return sums of products over the last axis."""
    sums: Floats = np.einsum("...i,...i->...", first, second)
    return sums


_Limit: TypeAlias = Floats | float


def _quotient(above: Floats, variances: tuple[Floats, Floats], limits: tuple[_Limit, _Limit]) -> Floats:
    """Return ``above`` over the root of both variances, nan where a variance is not above its limit."""
    first, second = variances
    defined = (first > limits[0]) & (second > limits[1])
    roots = np.sqrt(np.where(defined, first, 1.0)) * np.sqrt(np.where(defined, second, 1.0))
    return np.where(defined, np.clip(above / roots, -1.0, 1.0), np.nan)


_Compute: TypeAlias = Callable[[Floats, Floats, Floats], Floats]

_OF_RESAMPLES: Final[Mapping[Coefficient, _Compute]] = {
    Coefficient.PEARSON: _pearson,
    Coefficient.SPEARMAN: _spearman,
    Coefficient.KENDALL: _kendall,
}
_OF_LISTS: Final[Mapping[Coefficient, _Compute]] = {
    Coefficient.PEARSON: _pearson,
    Coefficient.SPEARMAN: _spearman_of_lists,
    Coefficient.KENDALL: _kendall_of_lists,
}
"""For items that are all drawn once, without an array of all pairs of items."""
