"""Levels of correlation: of the means of systems, within topics, or within systems."""

import enum
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.summaries.agreement.coefficients import Coefficient, coefficients, partial

_DIGITS: Final = 12
"""Digits of means that count, so that rounding errors of some 1e-16 break no tie; arbitrary."""


class Level(enum.StrEnum):
    """Items and groups of a correlation.

    ``system``: mean of each system over topics, one coefficient. ``summary``: one coefficient over systems for each
    topic, then their mean. ``topic``: one coefficient over topics for each system, then their mean.
    """

    SYSTEM = "system"
    SUMMARY = "summary"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A correlation of scores.

    Attributes:
        level: items and groups.
        coefficient: the coefficient.
        constant_as_zero: count undefined coefficients, where a side is constant, as 0, as the script of ROSE does, not
            leave them out.
    """

    level: Level
    coefficient: Coefficient
    constant_as_zero: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """How often each system and each topic was drawn, (resamples or 1, systems) and (resamples or 1, topics)."""

    systems: Floats
    topics: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Correlated:
    """Values of a correlation.

    Attributes:
        values: under each resample, (resamples,); nan where undefined.
        n: coefficients behind the first value; at level ``system``, systems.
        left_out: coefficients that are undefined; at level ``system``, systems without a mean.
    """

    values: Floats
    n: int
    left_out: int


def unweighted(systems: int, topics: int) -> Weights:
    """Return the weights of the original sample."""
    return Weights(np.ones((1, systems)), np.ones((1, topics)))


def correlated(x: Floats, y: Floats, statistic: Statistic, weights: Weights, z: Floats | None = None) -> Correlated:
    """Return the correlation of two columns of scores under each resample.

    Args:
        x: scores, (systems, topics); a cell that is nan on either side is left out of both.
        y: scores of the other column.
        statistic: level and coefficient.
        weights: of the resamples.
        z: scores of which the partial correlation is independent, (systems, topics); None for none.
    """
    columns = [x, y] if z is None else [x, y, z]
    missing = np.logical_or.reduce([np.isnan(column) for column in columns])
    columns = [np.where(missing, np.nan, column) for column in columns]
    if statistic.level is Level.SYSTEM:
        return _of_means(columns, statistic, weights)
    if statistic.level is Level.SUMMARY:
        columns, items, groups = [column.T for column in columns], weights.systems, weights.topics
    else:
        items, groups = weights.topics, weights.systems
    values = _combined(columns, items[None], statistic.coefficient)
    defined = ~np.isnan(values)
    counted = np.ones_like(defined) if statistic.constant_as_zero else defined
    with np.errstate(invalid="ignore"):  # 0 / 0 where all are undefined
        sums = (groups * np.where(defined, values, 0.0).T).sum(axis=1)
        means = sums / (groups * counted.T).sum(axis=1)
    n = int(counted[:, 0].sum())
    return Correlated(means, n, int((~defined[:, 0]).sum()))


def _of_means(columns: list[Floats], statistic: Statistic, weights: Weights) -> Correlated:
    """Return the correlation of means over topics."""
    means = [means_over_topics(column, weights.topics) for column in columns]
    there = ~np.isnan(means[0][0])
    items = np.broadcast_to(weights.systems, (max(len(weights.systems), len(means[0])), means[0].shape[1]))
    means = [np.broadcast_to(column, items.shape) for column in means]
    values = _combined(means, items[:, None], statistic.coefficient)[:, 0]
    if statistic.constant_as_zero:
        values = np.nan_to_num(values)
    return Correlated(values, int(there.sum()), int((~there).sum()))


def means_over_topics(column: Floats, topic_weights: Floats) -> Floats:
    """Return the mean of each system over topics, (resamples, systems); nan without a score.

    Args:
        column: scores, (systems, topics), nan where missing.
        topic_weights: how often each topic was drawn, (resamples, topics).
    """
    present = ~np.isnan(column)
    counts = topic_weights @ present.T
    sums = topic_weights @ np.where(present, column, 0.0).T
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return without_rounding_errors(means, column)


def without_rounding_errors(means: Floats, column: Floats) -> Floats:
    """Return means of a column of scores with the digits that count, so that equal means are ties."""
    largest = float(np.abs(np.nan_to_num(column)).max(initial=0.0)) or 1.0
    rounded: Floats = np.round(means / largest, _DIGITS) * largest
    return rounded


def _combined(columns: list[Floats], weights: Floats, coefficient: Coefficient) -> Floats:
    """Return coefficients, or partial ones where there are three columns, (groups, resamples)."""
    x, y, *rest = columns
    values = coefficients(x, y, weights, coefficient)
    for z in rest:
        values = partial(values, coefficients(x, z, weights, coefficient), coefficients(y, z, weights, coefficient))
    return values
