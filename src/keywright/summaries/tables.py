"""Scores of summaries as a table for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from keywright.presentation.page import Cell, Table
from keywright.summaries.agreement.system_ranking import rank_systems
from keywright.summaries.columns import as_table
from keywright.summaries.scores import SummaryScore

_HEADLINES: Final = ("R", "score")
"""Values that systems are ordered by: recall where there is one."""

Means = Mapping[str, Mapping[str, float | None]]


def system_table(scores: Sequence[SummaryScore]) -> Table:
    """Return the mean over topics of each system's values, best first under each evaluator.

    Undefined values are left out of the mean, and counted below the table.
    """
    names = tuple(dict.fromkeys(name for score in scores for name in score.values))
    evaluators = tuple(dict.fromkeys(score.evaluator for score in scores))
    rows = tuple(
        row
        for evaluator in evaluators
        for row in _rows(evaluator, [score for score in scores if score.evaluator == evaluator], names)
    )
    head = ("evaluator", "system", "topics", *names, "interval")
    caption = (
        "Mean over topics; systems are ordered by recall or score, and the best values are marked. The interval is of "
        "recall or score: 95 % percentile bootstrap over topics, 1000 resamples."
    )
    return Table(caption, head, rows, frozenset(range(2, len(head))), tuple(_undefined(scores, evaluators)))


def system_means(scores: Sequence[SummaryScore]) -> Means:
    """Return the mean of each value over topics, by system, of the scores of one evaluator; None where undefined."""
    names = tuple(dict.fromkeys(name for score in scores for name in score.values))
    values: dict[str, dict[str, list[float]]] = {}
    for score in scores:
        row = values.setdefault(score.system, {name: [] for name in names})
        for name, value in score.values.items():
            if value is not None:
                row[name].append(value)
    return {
        system: {name: fmean(column) if column else None for name, column in row.items()}
        for system, row in values.items()
    }


def _rows(evaluator: str, scores: Sequence[SummaryScore], names: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    means = system_means(scores)
    intervals = _intervals(scores)
    headline = next(name for name in (*_HEADLINES, *names) if name in scores[0].values)
    topics = {system: sum(score.system == system for score in scores) for system in means}
    best = {
        name: max((value for row in means.values() if (value := row.get(name)) is not None), default=None)
        for name in names
    }
    for system in sorted(means, key=lambda name: (means[name][headline] is None, -(means[name][headline] or 0.0))):
        values = (means[system].get(name) for name in names)
        cells = (
            Cell("-") if value is None else Cell(f"{value:.4f}", best=len(means) > 1 and value == best[name])
            for name, value in zip(names, values, strict=True)
        )
        yield (Cell(evaluator), Cell(system), Cell(str(topics[system])), *cells, Cell(intervals.get(system, "-")))


def _intervals(scores: Sequence[SummaryScore]) -> dict[str, str]:
    """Return the interval of each system's mean as text; none of systems with one topic."""
    ranked = rank_systems(as_table([replace(score, human={}) for score in scores]))
    return {
        row.system: f"{row.interval[0]:.4f} to {row.interval[1]:.4f}"
        for row in ranked
        if row.interval and row.topics > 1
    }


def _undefined(scores: Sequence[SummaryScore], evaluators: Sequence[str]) -> Iterator[str]:
    for evaluator in evaluators:
        undefined = sum(None in score.values.values() for score in scores if score.evaluator == evaluator)
        if undefined:
            yield f"{evaluator}: {undefined} summaries without a value are not in the means"
