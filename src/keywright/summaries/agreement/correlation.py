"""Correlation of evaluators with people and with each other, and rankings of systems, with bootstrap intervals."""

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter, BadRecord, needs_extra, unknown_name
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval
from keywright.summaries.agreement.coefficients import (
    Coefficient,
    Level,
    Statistic,
    Weights,
    average_topics,
    correlate_at_level,
    unit_weights,
)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores of the same summaries by several evaluators and people.

    Attributes:
        systems: names.
        topics: names.
        columns: scores by evaluator, or by protocol of people, (systems, topics); nan where there is none.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    columns: Mapping[str, Floats]

    def column(self, name: str) -> Floats:
        """Return the scores of an evaluator or protocol.

        Raises:
            UnknownName: there is none of that name.
        """
        if name not in self.columns:
            raise unknown_name("column of scores", name, self.columns, "keywright summaries correlate SCORES")
        return self.columns[name]


def make_score_table(cells: Sequence[tuple[str, str, str, float | None]]) -> ScoreTable:
    """Return the table of scores, each a topic, a system, a column and a value; systems and topics in first order.

    Raises:
        BadRecord: a topic and system have two different values in one column.
    """
    systems = {name: at for at, name in enumerate(dict.fromkeys(cell[1] for cell in cells))}
    topics = {name: at for at, name in enumerate(dict.fromkeys(cell[0] for cell in cells))}
    columns: dict[str, Floats] = {}
    for topic, system, name, value in cells:
        if name not in columns:
            columns[name] = np.full((len(systems), len(topics)), np.nan)
        if value is None:
            continue
        place = systems[system], topics[topic]
        before = columns[name][place]
        if not np.isnan(before) and before != value:
            raise BadRecord(f"{system} on {topic} has two scores {name}: {before:g} and {value:g}", "keep one of them")
        columns[name][place] = value
    return ScoreTable(tuple(systems), tuple(topics), columns)


SAMPLES: Final = 1000
"""Resamples, as is usual for such tables: Deutsch, Dror and Roth 2021 take as many."""

_LEAST_FOR_FISHER: Final = 4
"""The standard error is 1 / sqrt(n - 3)."""

EVERY_STATISTIC: Final = tuple(Statistic(level, coefficient) for level in Level for coefficient in Coefficient)


class Resampled(enum.StrEnum):
    """Items that the bootstrap draws: documents (topics), systems, or both."""

    DOCUMENTS = "documents"
    SYSTEMS = "systems"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Correlation of two columns of scores.

    Attributes:
        evaluator, other: names of the columns.
        level, coefficient: of the correlation.
        value: from -1 to 1; None where undefined.
        interval: low and high end; None where undefined.
        n: number of coefficients averaged; at level ``system``, of systems.
        left_out: number of topics (level ``summary``) or systems whose coefficient or mean is undefined.
        undefined: number of resamples without a value, which the interval leaves out.
        controlled_for: column of which a partial correlation is independent; None for a plain one.
    """

    evaluator: str
    other: str
    level: Level
    coefficient: Coefficient
    value: float | None
    interval: tuple[float, float] | None
    n: int
    left_out: int
    undefined: int = 0
    controlled_for: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; ``undefined`` and ``controlled_for`` only where they apply."""
        record = {
            "evaluator": self.evaluator,
            "with": self.other,
            "level": self.level.value,
            "coefficient": self.coefficient.value,
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "n": self.n,
            "left_out": self.left_out,
        }
        return (
            record
            | ({"undefined": self.undefined} if self.undefined else {})
            | ({"controlled_for": self.controlled_for} if self.controlled_for else {})
        )


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The percentile bootstrap of correlations.

    Attributes:
        over: items that are drawn.
        resampling: number of samples, seed and level.
    """

    over: Resampled = Resampled.DOCUMENTS
    resampling: Resampling = field(default_factory=lambda: Resampling(SAMPLES))

    @property
    def method(self) -> str:
        """The method in words, for people."""
        drawn = "documents and systems" if self.over is Resampled.BOTH else self.over.value
        sample = self.resampling
        return (
            f"{100 * sample.level:g} % percentile bootstrap over {drawn}, {sample.samples} resamples, "
            f"seed {sample.seed}; percentile intervals of rank correlations lie too low, because resampling adds noise "
            "and ties: the value itself can lie above its interval"
        )

    def weights(self, systems: int, topics: int) -> Weights:
        """Return how often each system and topic is drawn; the same for all columns of a table."""
        chance = self.resampling.generator()
        plain = unit_weights(systems, topics)
        drawn_topics = plain.topics if self.over is Resampled.SYSTEMS else self._drawn(topics, chance)
        drawn_systems = plain.systems if self.over is Resampled.DOCUMENTS else self._drawn(systems, chance)
        return Weights(drawn_systems, drawn_topics)

    def _drawn(self, items: int, chance: np.random.Generator) -> Floats:
        counts = chance.multinomial(items, np.full(items, 1 / items), self.resampling.samples)
        return counts.astype(np.float64)


def correlate(
    table: ScoreTable,
    pairs: Sequence[tuple[str, str]],
    statistics: Sequence[Statistic] = EVERY_STATISTIC,
    bootstrap: Bootstrap | None = None,
    controlled_for: str | None = None,
) -> tuple[Agreement, ...]:
    """Return the correlation of pairs of columns, by pair, then by statistic.

    Args:
        table: scores.
        pairs: names of two columns each, such as an evaluator and a protocol of people.
        statistics: levels and coefficients; partial correlation is defined for Pearson and Spearman.
        bootstrap: of the intervals; None for the default.
        controlled_for: column, such as the length, of which partial correlations are independent; None for plain ones.

    Raises:
        UnknownName: there is no such column.
        BadParameter: the table is empty, or a partial correlation of Kendall's is asked for.
    """
    if not table.systems or not table.topics:
        raise BadParameter("no scores to correlate", "give scores of several systems on several topics")
    if controlled_for is not None and any(each.coefficient is Coefficient.KENDALL for each in statistics):
        raise BadParameter("partial correlation with Kendall's tau", "choose pearson or spearman")
    sampler = bootstrap or Bootstrap()
    weights = sampler.weights(len(table.systems), len(table.topics))
    level = sampler.resampling.level
    return tuple(
        row for pair in pairs for row in _correlate_pair(table, pair, statistics, (weights, level), controlled_for)
    )


def _correlate_pair(
    table: ScoreTable,
    pair: tuple[str, str],
    statistics: Sequence[Statistic],
    resampled: tuple[Weights, float],
    controlled_for: str | None,
) -> Iterator[Agreement]:
    x, y = map(table.column, pair)
    z = None if controlled_for is None else table.column(controlled_for)
    weights, level = resampled
    original = unit_weights(len(table.systems), len(table.topics))
    for statistic in statistics:
        estimate = correlate_at_level(x, y, statistic, original, z)
        value = float(estimate.values[0])
        samples = correlate_at_level(x, y, statistic, weights, z).values
        defined = samples[~np.isnan(samples)]
        ends = None if np.isnan(value) or not len(defined) else _find_interval(defined, level)
        yield Agreement(
            *pair,
            statistic.level,
            statistic.coefficient,
            None if np.isnan(value) else value,
            ends,
            estimate.n,
            estimate.left_out,
            len(samples) - len(defined),
            controlled_for,
        )


def _find_interval(samples: Floats, level: float) -> tuple[float, float]:
    low, high = percentile_interval(samples, level).tolist()
    return low, high


def fisher_interval(r: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of Pearson's r by Fisher's transformation, for independent pairs of normal variables.

    >>> [round(end, 3) for end in fisher_interval(0.884, 9)]
    [0.533, 0.975]

    Args:
        r: the correlation.
        n: number of pairs, at least 4.
        level: of the interval.

    Raises:
        BadParameter: a number is out of range.
    """
    with needs_extra("eval", "Fisher's interval needs scipy"):
        from scipy.stats import norm  # noqa: PLC0415 - heavy, only this interval needs it

    if n < _LEAST_FOR_FISHER or not -1 <= r <= 1:
        raise BadParameter(f"an interval of r = {r:g} from {n} pairs", "expected r from -1 to 1 and at least 4 pairs")
    if abs(r) == 1:
        return r, r
    reach = float(norm.ppf((1 + level) / 2)) / (n - 3) ** 0.5
    low, high = np.tanh([np.arctanh(r) - reach, np.arctanh(r) + reach]).tolist()
    return low, high


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's mean under one evaluator.

    Attributes:
        evaluator: name of the column.
        system: name.
        rank: from 1; equal means share the better rank. None without a score.
        mean: over topics; None without a score.
        interval: low and high end of the mean; None without a score.
        topics: topics with a score.
    """

    evaluator: str
    system: str
    rank: int | None
    mean: float | None
    interval: tuple[float, float] | None
    topics: int

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "evaluator": self.evaluator,
            "system": self.system,
            "rank": self.rank,
            "mean": self.mean,
            "interval": None if self.interval is None else list(self.interval),
            "topics": self.topics,
        }


def rank_systems(
    table: ScoreTable, columns: Sequence[str] | None = None, resampling: Resampling | None = None
) -> tuple[RankedSystem, ...]:
    """Return all systems under each evaluator, best first; those without a score last.

    Args:
        table: scores; higher is better.
        columns: evaluators; None for all columns.
        resampling: of the topics, the same for all; None for 1000 samples and 95 %.

    Raises:
        UnknownName: there is no such column.
    """
    names = tuple(table.columns) if columns is None else columns
    if not table.systems or not table.topics:
        return ()
    bootstrap = Bootstrap(resampling=resampling or Resampling(SAMPLES))
    weights = bootstrap.weights(len(table.systems), len(table.topics)).topics
    return tuple(row for name in names for row in _rank_column(table, name, weights, bootstrap.resampling.level))


def _rank_column(table: ScoreTable, name: str, weights: Floats, level: float) -> list[RankedSystem]:
    column = table.column(name)
    means = average_topics(column, np.ones((1, len(table.topics))))[0]
    samples = average_topics(column, weights)
    rows = []
    for at in np.argsort(-means, kind="stable").tolist():  # nan sorts last
        topics = int(np.count_nonzero(~np.isnan(column[at])))
        defined = samples[~np.isnan(samples[:, at]), at]
        if not topics or not len(defined):
            rows.append(RankedSystem(name, table.systems[at], None, None, None, topics))
            continue
        rank = 1 + int(np.count_nonzero(means > means[at]))
        low, high = percentile_interval(defined, level).tolist()
        rows.append(RankedSystem(name, table.systems[at], rank, float(means[at]), (low, high), topics))
    return rows
