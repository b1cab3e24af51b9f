"""Correlation coefficients of many groups of items under many resamples, which are weights, at three levels."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.choices import Coefficient, Level
from keywright.core.errors import needs_extra

_AT_ONCE: Final = 1 << 22  # numbers of an intermediate array, 32 MiB; arbitrary
_BYTE_SUM: Final = 127  # terms of -1, 0 or 1 whose sum is sure to fit in a byte
_ROUNDING: Final = 1e-12
"""Share of a sum of squares below which a variance is rounding error: errors are some 1e-16; arbitrary."""


def correlate_groups(x: Floats, y: Floats, weights: Floats, kind: Coefficient) -> Floats:
    """Return coefficients, (groups, resamples); nan where fewer than two items are there, or a side is constant.

    ``x``, ``y``: (groups, items), items with nan on either are left out; ``weights``: (groups or 1, resamples, items).
    """
    groups, items = x.shape
    x, y = mask_missing(x, y)
    result = np.empty((groups, weights.shape[1]))
    plain = weights.shape[:2] == (1, 1) and bool((weights == 1).all())
    step = max(1, _AT_ONCE // (max(1, items) * max(1, weights.shape[1], 1 if plain else items)))
    for start in range(0, groups, step):
        part = slice(start, start + step)
        drawn = weights if len(weights) == 1 else weights[part]
        result[part] = _COMPUTE[kind][plain](x[part], y[part], drawn)
    return result


def mask_missing(*sides: Floats) -> list[Floats]:
    """Return sides with nan in all where one has nan."""
    missing = np.logical_or.reduce([np.isnan(side) for side in sides])
    return [np.where(missing, np.nan, side) for side in sides]


def remove_third(xy: Floats, xz: Floats, yz: Floats) -> Floats:
    """Return the correlation of x and y given z, from the three of pairs, any shape; nan where z determines a side."""
    rest = (1 - xz**2) * (1 - yz**2)
    values: Floats = np.full(rest.shape, np.nan)
    np.divide(xy - xz * yz, np.sqrt(np.abs(rest)), out=values, where=rest > _ROUNDING)
    return values


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    present = ~np.isnan(x)
    if x.shape[1]:  # one of the values as origin: a constant side becomes exactly 0, no digits are lost to a large mean
        origin = np.arange(len(x)), present.argmax(axis=1)
        x, y = (np.where(present, side - side[origin][:, None], 0.0) for side in (x, y))
    columns = np.stack([present, x, y, x * x, y * y, x * y], axis=-1)
    count, sum_x, sum_y, squares_x, squares_y, products = np.moveaxis(weights @ columns, -1, 0)
    variances = (count * squares_x - sum_x**2, count * squares_y - sum_y**2)
    limits = (_ROUNDING * count * squares_x, _ROUNDING * count * squares_y)
    return _divide_by_roots(count * products - sum_x * sum_y, variances, limits)


def _spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    weights = weights * ~np.isnan(x)[:, None]
    # An item's average rank is half of items below less items above it, but for a constant.
    first, second = (weights @ (-0.5 * _compare_pairs(side)) for side in (x, y))
    count = weights.sum(axis=-1)
    weighted = weights * first, weights * second
    sums = [part.sum(axis=-1) for part in weighted]
    squares = [_multiply_and_sum(part, ranks) for part, ranks in zip(weighted, (first, second), strict=True)]
    # Twice the ranks are whole numbers, so that these differences are exact and 0 means constant.
    variances = (count * squares[0] - sums[0] ** 2, count * squares[1] - sums[1] ** 2)
    return _divide_by_roots(count * _multiply_and_sum(weighted[0], second) - sums[0] * sums[1], variances)


def _spearman_of_lists(x: Floats, y: Floats, weights: Floats) -> Floats:
    with needs_extra("eval", "Spearman's correlation of lists needs scipy"):
        from scipy.stats import rankdata  # noqa: PLC0415 - heavy, only this coefficient needs it

    missing = np.isnan(x)
    # Infinity ranks behind all values, so that missing items do not move the ranks of the others.
    ranks = (rankdata(np.where(missing, np.inf, side), axis=1) for side in (x, y))
    first, second = (np.where(missing, np.nan, side) for side in ranks)
    return _pearson(first, second, weights)


def _kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    first, second = _compare_pairs(x), _compare_pairs(y)
    parts = (first * second, np.abs(first), np.abs(second))
    pairs, *untied = (_multiply_and_sum(weights @ part, weights) for part in parts)
    return _divide_by_roots(pairs, untied)


def _kendall_of_lists(x: Floats, y: Floats, weights: Floats) -> Floats:  # noqa: ARG001 - all are 1
    sides = [np.ascontiguousarray(side.T) for side in (x, y)]
    items, groups = sides[0].shape
    sums = np.zeros((3, groups))
    for at in range(items):
        for start in range(at + 1, items, _BYTE_SUM):
            # Signs are bytes and summed as bytes, for at most 127 items, which is several times faster than floats.
            later = slice(start, start + _BYTE_SUM)
            first, second = (np.subtract(x[later] > x[at], x[later] < x[at], dtype=np.int8) for x in sides)
            for row, signs in enumerate((first * second, np.abs(first), np.abs(second))):
                sums[row] += signs.sum(axis=0, dtype=np.int8)
    pairs, *untied = sums[:, :, None]
    return _divide_by_roots(pairs, untied)


def _compare_pairs(side: Floats) -> Floats:
    """Return the signs of the differences of all pairs of items, (groups, items, items); 0 for missing items."""
    return np.asarray(np.nan_to_num(np.sign(side[:, :, None] - side[:, None, :])))


def _multiply_and_sum(first: Floats, second: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", first, second))


def _divide_by_roots(above: Floats, variances: Sequence[Floats], limits: Sequence[Floats | float] = (0, 0)) -> Floats:
    """Return ``above`` over the root of both variances, nan where a variance is not above its limit."""
    first, second = variances
    defined = (first > limits[0]) & (second > limits[1])
    roots = np.sqrt(np.where(defined, first, 1.0)) * np.sqrt(np.where(defined, second, 1.0))
    return np.where(defined, np.clip(above / roots, -1.0, 1.0), np.nan)


_Compute: TypeAlias = Callable[[Floats, Floats, Floats], Floats]

_COMPUTE: Final[Mapping[Coefficient, tuple[_Compute, _Compute]]] = {
    Coefficient.PEARSON: (_pearson, _pearson),
    Coefficient.SPEARMAN: (_spearman, _spearman_of_lists),
    Coefficient.KENDALL: (_kendall, _kendall_of_lists),
}
"""For resamples, and for items that are all drawn once, without an array of all pairs of items."""

_DIGITS: Final = 12  # digits of means that count, so that rounding errors of some 1e-16 break no tie; arbitrary


@dataclass(frozen=True, slots=True)
class Statistic:
    """A correlation of scores; ``constant_as_zero`` counts undefined coefficients as 0, as the script of ROSE does."""

    level: Level
    coefficient: Coefficient
    constant_as_zero: bool = False


class Weights(NamedTuple):
    """How often each system and each topic was drawn, (resamples or 1, systems) and (resamples or 1, topics)."""

    systems: Floats
    topics: Floats


class LevelCorrelation(NamedTuple):
    """Values of a correlation."""

    values: Floats  # under each resample, (resamples,); nan where undefined
    n: int  # coefficients behind the first value; at level ``system``, systems
    left_out: int  # coefficients that are undefined; at level ``system``, systems without a mean


def unit_weights(systems: int, topics: int) -> Weights:
    """Return the weights of the original sample."""
    return Weights(np.ones((1, systems)), np.ones((1, topics)))


def correlate_at_level(
    x: Floats, y: Floats, statistic: Statistic, weights: Weights, z: Floats | None = None
) -> LevelCorrelation:
    """Return the correlation of two columns, (systems, topics), under each resample, partial with ``z``."""
    sides = mask_missing(x, y) if z is None else mask_missing(x, y, z)
    if statistic.level is Level.SYSTEM:
        means = [average_topics(column, weights.topics) for column in sides]
        present = ~np.isnan(means[0][0])
        items = np.broadcast_to(weights.systems, (max(len(weights.systems), len(means[0])), means[0].shape[1]))
        sides = [np.broadcast_to(column, items.shape) for column in means]
        values = _correlate_sides(sides, items[:, None], statistic.coefficient)[:, 0]
        if statistic.constant_as_zero:
            values = np.nan_to_num(values)
        return LevelCorrelation(values, int(present.sum()), int((~present).sum()))
    groups, items = weights
    if statistic.level is Level.SUMMARY:
        sides, items, groups = [column.T for column in sides], groups, items
    values = _correlate_sides(sides, items[None], statistic.coefficient)
    defined = ~np.isnan(values)
    counted = np.ones_like(defined) if statistic.constant_as_zero else defined
    with np.errstate(invalid="ignore"):  # 0 / 0 where all are undefined
        sums = (groups * np.where(defined, values, 0.0).T).sum(axis=1)
        means_of_groups = sums / (groups * counted.T).sum(axis=1)
    return LevelCorrelation(means_of_groups, int(counted[:, 0].sum()), int((~defined[:, 0]).sum()))


def average_topics(column: Floats, topic_weights: Floats) -> Floats:
    """Return the mean of each system of (systems, topics) over topics, (resamples, systems); nan without a score."""
    present = ~np.isnan(column)
    counts = topic_weights @ present.T
    sums = topic_weights @ np.where(present, column, 0.0).T
    return round_means(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0), column)


def round_means(means: Floats, column: Floats) -> Floats:
    """Return means of a column of scores with the digits that count, so that equal means are ties."""
    largest = float(np.abs(np.nan_to_num(column)).max(initial=0.0)) or 1.0
    return np.asarray(np.round(means / largest, _DIGITS) * largest)


def _correlate_sides(columns: list[Floats], weights: Floats, coefficient: Coefficient) -> Floats:
    """Return coefficients, or partial ones where there are three columns, (groups, resamples)."""
    pairs = [correlate_groups(*two, weights, coefficient) for two in itertools.combinations(columns, 2)]
    return pairs[0] if len(pairs) == 1 else remove_third(*pairs)
