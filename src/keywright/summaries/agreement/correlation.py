"""Correlation of evaluators with people and with each other, rankings of systems, and their tables for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.choices import Coefficient, Level, Resampled
from keywright.core.errors import BadParameter, BadRecord, unknown_name
from keywright.core.json_values import encode
from keywright.core.pages import Cell, Picture, Table, open_figure
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval
from keywright.summaries.agreement import coefficients
from keywright.summaries.agreement.coefficients import Statistic, Weights, average_topics

HUMAN: Final = "human:"  # beginning of the names of columns of people's scores


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores, (systems, topics), of the same summaries by evaluator, or by protocol of people; nan for none."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    columns: Mapping[str, Floats]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of systems and topics."""
        return len(self.systems), len(self.topics)

    def column(self, name: str) -> Floats:
        """Return the scores of an evaluator or protocol. Raises UnknownName: there is none of that name."""
        if name not in self.columns:
            raise unknown_name("column of scores", name, self.columns, "keywright summaries correlate SCORES")
        return self.columns[name]


def make_score_table(cells: Sequence[tuple[str, str, str, float | None]]) -> ScoreTable:
    """Return the table of topics, systems, columns and values; raises ``BadRecord`` for two different values."""
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


SAMPLES: Final = 1000  # resamples, as is usual for such tables: Deutsch, Dror and Roth 2021 take as many

EVERY_STATISTIC: Final = tuple(Statistic(level, coefficient) for level in Level for coefficient in Coefficient)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Correlation of two columns of scores."""

    evaluator: str  # evaluator, other: names of the columns
    other: str = field(metadata={"key": "with"})
    level: Level  # level, coefficient: of the correlation
    coefficient: Coefficient
    value: float | None  # from -1 to 1; None where undefined
    interval: tuple[float, float] | None  # low and high end; None where undefined
    n: int  # number of coefficients averaged; at level ``system``, of systems
    left_out: int  # number of topics (level ``summary``) or systems whose coefficient or mean is undefined
    # Number of resamples without a value, which the interval leaves out.
    undefined: int = field(default=0, metadata={"optional": True})
    # Column of which a partial correlation is independent; None for a plain one.
    controlled_for: str | None = field(default=None, metadata={"optional": True})

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; ``undefined`` and ``controlled_for`` only where they apply."""
        return dict(encode(self))


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The percentile bootstrap of correlations; ``over``: items that are drawn."""

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

        def draw(items: int) -> Floats:
            return chance.multinomial(items, np.full(items, 1 / items), self.resampling.samples).astype(np.float64)

        drawn_topics = np.ones((1, topics)) if self.over is Resampled.SYSTEMS else draw(topics)
        return Weights(np.ones((1, systems)) if self.over is Resampled.DOCUMENTS else draw(systems), drawn_topics)


def correlate(
    table: ScoreTable,
    pairs: Sequence[tuple[str, str]],
    statistics: Sequence[Statistic] = EVERY_STATISTIC,
    bootstrap: Bootstrap | None = None,
    controlled_for: str | None = None,
) -> tuple[Agreement, ...]:
    """Correlate pairs of columns, such as an evaluator and a protocol of people; by pair, then by statistic.

    Partial correlation is defined for Pearson and Spearman. ``controlled_for``: column, such as the length, of which
    partial correlations are independent; None for plain ones. Raises UnknownName: there is no such column;
    BadParameter: the table is empty, or a partial correlation of Kendall's is asked for.
    """
    if not table.systems or not table.topics:
        raise BadParameter("no scores to correlate", "give scores of several systems on several topics")
    if controlled_for is not None and any(each.coefficient is Coefficient.KENDALL for each in statistics):
        raise BadParameter("partial correlation with Kendall's tau", "choose pearson or spearman")
    sampler = bootstrap or Bootstrap()
    original, weights = coefficients.unit_weights(*table.shape), sampler.weights(*table.shape)
    z = None if controlled_for is None else table.column(controlled_for)
    rows = []
    for pair in pairs:
        x, y = map(table.column, pair)
        for statistic in statistics:
            (first,), n, left_out = coefficients.correlate_at_level(x, y, statistic, original, z)
            samples = coefficients.correlate_at_level(x, y, statistic, weights, z).values
            value = None if np.isnan(first) else float(first)
            ends = None if value is None else _find_interval(samples, sampler.resampling.level)
            counts = n, left_out, int(np.isnan(samples).sum())
            rows.append(Agreement(*pair, statistic.level, statistic.coefficient, value, ends, *counts, controlled_for))
    return tuple(rows)


def _find_interval(samples: Floats, level: float) -> tuple[float, float] | None:
    """Return the percentile interval of samples, without nan; None where there is nothing else."""
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        return None
    low, high = percentile_interval(defined, level).tolist()
    return low, high


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's mean under one evaluator; without a score neither rank, mean nor interval."""

    evaluator: str
    system: str
    rank: int | None  # from 1; equal means share the better rank
    mean: float | None
    interval: tuple[float, float] | None
    topics: int  # topics with a score


def rank_systems(
    table: ScoreTable, columns: Sequence[str] | None = None, resampling: Resampling | None = None
) -> tuple[RankedSystem, ...]:
    """Return all systems under each evaluator (None: all), best first, those without a score last."""
    names = tuple(table.columns) if columns is None else columns
    if not table.systems or not table.topics:
        return ()
    resampling = resampling or Resampling(SAMPLES)
    weights = Bootstrap(resampling=resampling).weights(*table.shape).topics
    rows = []
    for name in names:
        column = table.column(name)
        means = average_topics(column, np.ones((1, len(table.topics))))[0]
        samples = average_topics(column, weights)
        for at in np.argsort(-means, kind="stable").tolist():  # nan sorts last
            topics = int(np.count_nonzero(~np.isnan(column[at])))
            ends = _find_interval(samples[:, at], resampling.level)
            rank, mean = (1 + int(np.count_nonzero(means > means[at])), float(means[at])) if ends else (None, None)
            rows.append(RankedSystem(name, table.systems[at], rank, mean, ends, topics))
    return tuple(rows)


def draw_agreement_table(rows: Sequence[Agreement], method: str) -> Table:
    """Return a line for each pair of columns and level, which lie together, with coefficients and intervals."""
    coefficients = tuple(dict.fromkeys(row.coefficient for row in rows))
    lines = []
    for names, group in groupby(rows, lambda row: (row.evaluator, row.other, row.level.value)):
        by_coefficient = {row.coefficient: row for row in group}
        first = next(iter(by_coefficient.values()))
        cells = []
        for row in map(by_coefficient.get, coefficients):
            ends = f" ({row.interval[0]:.3f} to {row.interval[1]:.3f})" if row and row.interval else ""
            cells.append("-" if row is None or row.value is None else f"{row.value:.3f}{ends}")
        lines.append((*names, *cells, str(first.n), str(first.left_out)))
    controlled_for = {row.controlled_for for row in rows if row.controlled_for}
    partial = f" Partial correlations, independent of {', '.join(controlled_for)}." if controlled_for else ""
    caption = f"Correlation, with the interval in brackets.{partial}"
    head = ("evaluator", "with", "level", *(each.value for each in coefficients), "n", "left out")
    return Table.make(caption, head, lines, 3, (f"intervals: {method}",))


def draw_ranking_table(rows: Sequence[RankedSystem]) -> Table:
    """Return a line for each system, with its rank and mean under each evaluator."""
    columns = tuple(dict.fromkeys(row.evaluator for row in rows))
    cells = {
        (row.system, row.evaluator): Cell("-" if row.mean is None else f"{row.rank} ({row.mean:.3f})", row.rank == 1)
        for row in rows
    }
    systems = dict.fromkeys(row.system for row in rows)
    lines: list[list[str | Cell]] = [[system, *(cells[system, column] for column in columns)] for system in systems]
    caption = "Rank of each system under each evaluator, with its mean over topics."
    return Table.make(caption, ("system", *columns), lines)


_DARK: Final = 0.6  # value above which a cell is dark, so that its number is white; arbitrary
_BLACK: Final = 1.6  # value that would be black: cells of high correlation stay lighter, so that they differ; arbitrary


def draw_heat_maps(rows: Sequence[Agreement]) -> Iterator[Picture]:
    """Draw a map for each level and coefficient, -1 white, 1 dark; a missing pair is empty. Raises ``MissingExtra``."""
    for level, coefficient in dict.fromkeys((row.level, row.coefficient) for row in rows):
        members = [row for row in rows if (row.level, row.coefficient) == (level, coefficient)]
        every = dict.fromkeys(name for row in members for name in (row.evaluator, row.other))
        names = sorted(every, key=lambda name: not name.startswith(HUMAN))
        values = np.full((len(names), len(names)), np.nan)  # symmetric; nan where there is no value
        np.fill_diagonal(values, 1.0)
        for row in members:
            if row.value is not None:
                first, second = names.index(row.evaluator), names.index(row.other)
                values[first, second] = values[second, first] = row.value
        title = f"Correlation of evaluators, level {level.value}, {coefficient.value}"
        with open_figure(1.2 + 0.42 * len(names), width=3.0 + 0.62 * len(names)) as (drawn_on, axes):
            axes.imshow(values, cmap="Greys", vmin=-1, vmax=_BLACK, aspect="auto")
            for (line, column), value in np.ndenumerate(values):
                if not np.isnan(value):
                    color = "white" if value > _DARK else "black"
                    axes.text(column, line, f"{value:.2f}", ha="center", va="center", fontsize=8, color=color)
            axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=8)
            axes.set_yticks(range(len(names)), names, fontsize=8)
            axes.grid(visible=False)
            axes.set_title(title, fontsize=10, loc="left")
        yield Picture(title, f"evaluators-{level.value}-{coefficient.value}", drawn_on)
