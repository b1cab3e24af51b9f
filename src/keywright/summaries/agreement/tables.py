"""Correlations as tables for people."""

from collections.abc import Sequence
from itertools import groupby

from keywright.presentation.page import Cell, Table
from keywright.summaries.agreement.correlation import Agreement
from keywright.summaries.agreement.difference_tests import Comparison
from keywright.summaries.agreement.system_ranking import RankedSystem


def agreement_table(rows: Sequence[Agreement], method: str) -> Table:
    """Return a line for each pair of columns and level, with each coefficient and its interval.

    Args:
        rows: correlations, those of one pair and level in a row.
        method: of the intervals, in words.
    """
    coefficients = tuple(dict.fromkeys(row.coefficient for row in rows))
    lines = []
    for (evaluator, other, level), group in groupby(rows, lambda row: (row.evaluator, row.other, row.level)):
        of = {row.coefficient: row for row in group}
        first = next(iter(of.values()))
        cells = (Cell(_with_interval(of[each]) if each in of else "-") for each in coefficients)
        lines.append(
            (Cell(evaluator), Cell(other), Cell(level.value), *cells, Cell(str(first.n)), Cell(str(first.left_out)))
        )
    head = ("evaluator", "with", "level", *(each.value for each in coefficients), "n", "left out")
    controlled_for = {row.controlled_for for row in rows if row.controlled_for}
    partial = f" Partial correlations, independent of {', '.join(controlled_for)}." if controlled_for else ""
    caption = f"Correlation, with the interval in brackets.{partial}"
    return Table(caption, head, tuple(lines), frozenset(range(3, len(head))), (f"intervals: {method}",))


def comparison_table(rows: Sequence[Comparison]) -> Table:
    """Return a line for each comparison of two evaluators by their correlation with people."""
    lines = tuple(
        (
            Cell(row.first),
            Cell(row.second),
            Cell(row.other),
            Cell(row.statistic.level.value),
            Cell(row.statistic.coefficient.value),
            *(Cell(_number(value)) for value in (row.difference, row.p, row.p_holm)),
        )
        for row in rows
    )
    head = ("evaluator", "beside", "with", "level", "coefficient", "difference", "p", "p (Holm)")
    count = rows[0].comparisons if rows else 0
    notes = (f"paired permutation; p (Holm) is corrected for all {count} comparisons",)
    return Table("Differences of correlations with people.", head, lines, frozenset(range(5, len(head))), notes)


def _with_interval(row: Agreement) -> str:
    if row.value is None:
        return "-"
    interval = f" ({row.interval[0]:.3f} to {row.interval[1]:.3f})" if row.interval else ""
    return f"{row.value:.3f}{interval}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def ranking_table(rows: Sequence[RankedSystem]) -> Table:
    """Return a line for each system, with its rank and mean under each evaluator."""
    columns = tuple(dict.fromkeys(row.evaluator for row in rows))
    places = {(row.system, row.evaluator): row for row in rows}
    systems = tuple(dict.fromkeys(row.system for row in rows))
    lines = tuple(
        (Cell(system), *(Cell(_ranked(places[system, column]), places[system, column].rank == 1) for column in columns))
        for system in systems
    )
    head = ("system", *columns)
    caption = "Rank of each system under each evaluator, with its mean over topics."
    return Table(caption, head, lines, frozenset(range(1, len(head))))


def _ranked(row: RankedSystem) -> str:
    return "-" if row.mean is None else f"{row.rank} ({row.mean:.3f})"
