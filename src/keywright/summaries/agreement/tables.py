"""Correlations as tables and heat maps for people."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import numpy as np

from keywright.core.pages import Cell, Picture, Table, open_figure
from keywright.summaries.agreement.correlation import Agreement, RankedSystem
from keywright.summaries.agreement.difference_tests import Comparison
from keywright.summaries.scores import HUMAN


def draw_agreement_table(rows: Sequence[Agreement], method: str) -> Table:
    """Return a line for each pair of columns and level, which lie together, with coefficients and intervals."""
    coefficients = tuple(dict.fromkeys(row.coefficient for row in rows))
    lines = []
    for names, group in groupby(rows, lambda row: (row.evaluator, row.other, row.level.value)):
        by_coefficient = {row.coefficient: row for row in group}
        first = next(iter(by_coefficient.values()))
        cells = map(_format_agreement, map(by_coefficient.get, coefficients))
        lines.append((*names, *cells, str(first.n), str(first.left_out)))
    controlled_for = {row.controlled_for for row in rows if row.controlled_for}
    partial = f" Partial correlations, independent of {', '.join(controlled_for)}." if controlled_for else ""
    caption = f"Correlation, with the interval in brackets.{partial}"
    head = ("evaluator", "with", "level", *(each.value for each in coefficients), "n", "left out")
    return Table.make(caption, head, lines, 3, (f"intervals: {method}",))


def _format_agreement(row: Agreement | None) -> str:
    if row is None or row.value is None:
        return "-"
    return f"{row.value:.3f}" + (f" ({row.interval[0]:.3f} to {row.interval[1]:.3f})" if row.interval else "")


def draw_comparison_table(rows: Sequence[Comparison]) -> Table:
    """Return a line for each comparison of two evaluators by their correlation with people."""
    lines = (
        (
            *(row.first, row.second, row.other, row.statistic.level.value, row.statistic.coefficient.value),
            *("-" if value is None else f"{value:.4f}" for value in (row.difference, row.p, row.p_holm)),
        )
        for row in rows
    )
    head = ("evaluator", "beside", "with", "level", "coefficient", "difference", "p", "p (Holm)")
    count = rows[0].comparisons if rows else 0
    notes = (f"paired permutation; p (Holm) is corrected for all {count} comparisons",)
    return Table.make("Differences of correlations with people.", head, lines, 5, notes)


def draw_ranking_table(rows: Sequence[RankedSystem]) -> Table:
    """Return a line for each system, with its rank and mean under each evaluator."""
    columns = tuple(dict.fromkeys(row.evaluator for row in rows))
    cells = {
        (row.system, row.evaluator): Cell("-" if row.mean is None else f"{row.rank} ({row.mean:.3f})", row.rank == 1)
        for row in rows
    }
    systems = dict.fromkeys(row.system for row in rows)
    lines: list[list[str | Cell]] = [[system, *(cells[system, column] for column in columns)] for system in systems]
    return Table.make(
        "Rank of each system under each evaluator, with its mean over topics.", ("system", *columns), lines
    )


_DARK: Final = 0.6  # value above which a cell is dark, so that its number is white; arbitrary
_BLACK: Final = 1.6  # value that would be black: cells of high correlation stay lighter, so that they differ; arbitrary


def draw_heat_maps(rows: Sequence[Agreement]) -> Iterator[Picture]:
    """Draw a map for each level and coefficient, -1 white, 1 dark; a missing pair is empty. Raises ``MissingExtra``."""
    for level, coefficient in dict.fromkeys((row.level, row.coefficient) for row in rows):
        members = [row for row in rows if (row.level, row.coefficient) == (level, coefficient)]
        title = f"Correlation of evaluators, level {level.value}, {coefficient.value}"
        yield _draw_heat_map(members, title, f"evaluators-{level.value}-{coefficient.value}")


def _draw_heat_map(rows: Sequence[Agreement], title: str, name: str) -> Picture:
    every = dict.fromkeys(name for row in rows for name in (row.evaluator, row.other))
    names = sorted(every, key=lambda name: not name.startswith(HUMAN))
    values = np.full((len(names), len(names)), np.nan)  # symmetric; nan where there is no value
    np.fill_diagonal(values, 1.0)
    for row in rows:
        if row.value is not None:
            first, second = names.index(row.evaluator), names.index(row.other)
            values[first, second] = values[second, first] = row.value
    with open_figure(1.2 + 0.42 * len(names), width=3.0 + 0.62 * len(names)) as (drawn_on, axes):
        axes.imshow(values, cmap="Greys", vmin=-1, vmax=_BLACK, aspect="auto")
        for (line, column), value in np.ndenumerate(values):
            if np.isnan(value):
                continue
            color = "white" if value > _DARK else "black"
            axes.text(column, line, f"{value:.2f}", ha="center", va="center", fontsize=8, color=color)
        axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=8)
        axes.set_yticks(range(len(names)), names, fontsize=8)
        axes.grid(visible=False)
        axes.set_title(title, fontsize=10, loc="left")
    return Picture(title, name, drawn_on)
