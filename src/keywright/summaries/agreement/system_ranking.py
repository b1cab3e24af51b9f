"""Rankings of systems under each evaluator, with bootstrap intervals of their means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keywright.core.arrays import Floats
from keywright.evaluation.statistics.bootstrap import Resampling, interval
from keywright.summaries.agreement.correlation import SAMPLES, Bootstrap
from keywright.summaries.agreement.levels import means_over_topics
from keywright.summaries.agreement.score_table import ScoreTable


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
    return tuple(row for name in names for row in _ranked(table, name, weights, bootstrap.resampling.level))


def _ranked(table: ScoreTable, name: str, weights: Floats, level: float) -> list[RankedSystem]:
    column = table.column(name)
    means = means_over_topics(column, np.ones((1, len(table.topics))))[0]
    samples = means_over_topics(column, weights)
    rows = []
    for at in np.argsort(-means, kind="stable").tolist():  # nan sorts last
        topics = int(np.count_nonzero(~np.isnan(column[at])))
        defined = samples[~np.isnan(samples[:, at]), at]
        if not topics or not len(defined):
            rows.append(RankedSystem(name, table.systems[at], None, None, None, topics))
            continue
        rank = 1 + int(np.count_nonzero(means > means[at]))
        low, high = interval(defined, level).tolist()
        rows.append(RankedSystem(name, table.systems[at], rank, float(means[at]), (low, high), topics))
    return rows
