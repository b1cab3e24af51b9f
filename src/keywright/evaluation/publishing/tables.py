"""A table before it is written in any format: heads, and cells that may be best or better than others."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase
from typing import Final

from keywright.evaluation.measures.measure import MEANS
from keywright.evaluation.publishing.rows import rows
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison
from keywright.presentation.table import Cell, Table

SIGNIFICANT: Final = 0.05
"""Corrected p below which a difference is marked."""

_PERCENT: Final = 100.0
_SMALLEST: Final = 0.0001
_DECIMALS: Final = 4  # of hits, where they are fractions


def number(value: float | None, unit: str) -> str:
    """A fraction in a report's unit: two decimals of percent, four of a fraction; empty where there is none."""
    if value is None:
        return ""
    return f"{value * _PERCENT:.2f}" if unit == "percent" else f"{value:.4f}"


def report_table(report: Report) -> Table:
    """Every value of a report: a row for each gold set, average and cutoff, with the interval of F where known."""
    sign = " %" if report.unit == "percent" else ""
    head = ["gold", "average", "at", "hits", f"P{sign}", f"R{sign}", f"F{sign}"]
    lines = rows(report)
    means = tuple(dict.fromkeys(kind for row in lines for kind in row.means))
    head += [f"{kind}{sign}" for kind in means]
    body = []
    for row in lines:
        prefix = f"{row.average}-" if row.average else ""
        cells = [
            row.gold,
            row.average,
            row.k,
            "" if row.hits is None else f"{round(row.hits, _DECIMALS)}",
            *(number(one, report.unit) for one in (row.P, row.R, row.F, *map(row.means.get, means))),
        ]
        if report.intervals:
            cells.append(_ends(report.intervals.get(f"{row.gold}/{prefix}F@{row.k}"), report.unit))
        body.append(tuple(map(Cell, cells)))
    if report.intervals:
        head.append("interval of F")
    numbers = frozenset(range(2, len(head)))
    notes = (f"protocol {report.protocol}", f"run {report.run}", f"gold {', '.join(report.gold)}")
    skipped = tuple(f"{count} documents: {reason}" for reason, count in report.skipped.items())
    return Table(f"{report.scored} documents scored.", tuple(head), tuple(body), numbers, notes + skipped)


def shown(names: Iterable[str]) -> tuple[str, ...]:
    """The values that a table of runs has room for: F under the protocol's first average and means; else all."""
    given = tuple(names)
    return tuple(name for name in given if _measure(name).partition("@")[0] in {"F", *MEANS}) or given


def comparison_table(comparison: Comparison) -> Table:
    """Runs by rows, values by columns: the best of each is marked, and what it is significantly better than."""
    letters = dict(zip(comparison.reports, ascii_lowercase, strict=False))
    names = _compared(comparison)
    best = {name: max(report.values[name] for report in comparison.reports.values()) for name in names}
    better, directed = _better(comparison, letters), _directed(comparison, names)
    body = []
    for run, report in comparison.reports.items():
        cells = [Cell(letters.get(run, "")), Cell(run)]
        for name in names:
            value = report.values[name]
            marks = (value == best[name], better.get((run, name), "")) if name in directed else (False, "")
            cells.append(Cell(number(value, comparison.unit), *marks))
        body.append(tuple(cells))
    percent = " in percent" if comparison.unit == "percent" else ""
    caption = (
        f"Values{percent}; the best of each column is marked. Letters name the runs that a value is significantly "
        f"better than (p < {SIGNIFICANT:g}, {comparison.test}, Holm's correction over all pairs)."
    )
    notes = (f"protocol {comparison.protocol}", f"gold {', '.join(comparison.gold)}")
    return Table(caption, ("", "run", *names), tuple(body), frozenset(range(2, len(names) + 2)), notes)


def turned(table: Table) -> Table:
    """A table of runs with values by rows and runs by columns, where there are more values than a page is wide."""
    letters, runs, *columns = zip(*table.rows, strict=True)
    named = (f"{letter.text} {run.text}".strip() for letter, run in zip(letters, runs, strict=True))
    body = tuple((Cell(name), *column) for name, column in zip(table.head[2:], columns, strict=True))
    caption = table.caption.replace("of each column", "of each row")
    return Table(caption, ("value", *named), body, frozenset(range(1, len(runs) + 1)), table.notes)


def difference_table(comparison: Comparison) -> Table:
    """Pairs of runs, value by value: the difference with its interval, p, and documents won and lost."""
    names = set(_compared(comparison))
    head = ("value", "first", "second", "difference", "interval", "p", "p (Holm)", "won", "equal", "lost")
    body = []
    for one in comparison.differences:
        if one.value in names:
            cells = [one.value, one.first, one.second, _signed(one.difference, comparison.unit)]
            cells += [_ends((one.low, one.high), comparison.unit), _p(one.p), _p(one.p_holm)]
            cells += [str(count) for count in (one.effect.wins, one.effect.ties, one.effect.losses)]
            body.append(tuple(map(Cell, cells)))
    caption = f"Differences, first less second; intervals by {comparison.intervals_by}, tests by {comparison.test}."
    return Table(caption, head, tuple(body), frozenset(range(3, len(head))))


def _compared(comparison: Comparison) -> tuple[str, ...]:
    """The values that tables of a comparison show: of those that could be tested the plain ones, else every F."""
    tested = tuple(dict.fromkeys(one.value for one in comparison.differences if one.p is not None))
    plain = tuple(name for name in shown(next(iter(comparison.reports.values())).values) if name in tested)
    if any(_measure(name).startswith("F@") for name in plain):
        return plain
    return tuple(name for name in tested if name in plain or "F@" in name) or tested


def _directed(comparison: Comparison, names: Iterable[str]) -> set[str]:
    """Those of the values of which more is better, which is not so of counts of repetition."""
    others = {str(one) for family in comparison.rules.means if not family.rewards for one in family.measures}
    return {name for name in names if _measure(name) not in others}


def _measure(name: str) -> str:
    """A value's name without its gold set."""
    return name.rpartition("/")[2]


def _better(comparison: Comparison, letters: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """For a run and a value the letters of the runs that it beats."""
    found: dict[tuple[str, str], str] = {}
    for one in comparison.differences:
        if one.p_holm is not None and one.p_holm < SIGNIFICANT and one.difference:
            winner, loser = (one.first, one.second) if one.difference > 0 else (one.second, one.first)
            found[winner, one.value] = "".join(sorted(found.get((winner, one.value), "") + letters.get(loser, "")))
    return found


def _ends(ends: tuple[float, float] | None, unit: str) -> str:
    """An interval; empty where there is none."""
    return f"{number(ends[0], unit)} to {number(ends[1], unit)}" if ends else ""


def _signed(value: float, unit: str) -> str:
    text = number(value, unit)
    return text if text.startswith("-") else f"+{text}"


def _p(value: float | None) -> str:
    """Four decimals; what is smaller says so."""
    if value is None:
        return ""
    return f"{value:.4f}" if value >= _SMALLEST / 2 else f"< {_SMALLEST:.4f}"
