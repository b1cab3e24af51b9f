"""Build tables of reports and comparisons, and their rows, before they are written in any format."""

import math
from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase
from typing import Final, NamedTuple

from keywright.core.pages import Cell, Table
from keywright.evaluation.measures.counts import MEANS, NAMES
from keywright.evaluation.scoring.report import Report, pooled_hits
from keywright.evaluation.statistics.comparison import Comparison

SIGNIFICANT: Final = 0.05  # corrected p below which a difference is marked; the usual level
_SMALLEST: Final = 0.0001  # p that four decimals can show
_DECIMALS: Final = 4  # places of hits if they are fractions, arbitrary


class ReportRow(NamedTuple):
    """One line of a table: a gold set, an average, a cutoff, and fractions; None where not reported."""

    gold: str
    average: str
    k: str
    hits: float | None
    P: float | None
    R: float | None
    F: float | None
    means: Mapping[str, float]


class DocumentRow(NamedTuple):
    """Counts of one document at one cutoff of one gold set."""

    gold: str
    id: str
    k: str
    hits: float
    predicted: int
    entries: int


class DocumentMean(NamedTuple):
    """One document's value of a measure that is averaged over documents; None if undefined."""

    gold: str
    id: str
    measure: str
    value: float | None


def report_rows(report: Report) -> tuple[ReportRow, ...]:
    """Return the report as a table, in its own order; ``average`` is empty for the protocol's first."""
    table: dict[tuple[str, str, str], dict[str, float]] = {}
    for name, row in zip(report.values, report.rows(), strict=True):
        place = str(row["gold"]), str(row["average"]), str(row["k"])
        table.setdefault(place, {})[str(row["measure"])] = report.values[name]
    lines = []
    for (gold, average, k), values in table.items():
        counts = report.counts[gold]
        hits = pooled_hits(counts, k) if k in map(str, counts.cutoffs) else None
        means = {kind: value for kind, value in values.items() if kind not in NAMES}
        lines.append(ReportRow(gold, average, k, hits, values.get("P"), values.get("R"), values.get("F"), means))
    return tuple(lines)


def document_rows(report: Report) -> Iterator[DocumentRow]:
    """Yield the counts of each document, gold set by gold set, in gold order."""
    for gold, counts in report.counts.items():
        columns = counts.hits.tolist(), counts.predicted.tolist(), counts.gold.tolist()
        for name, hits, predicted, entries in zip(counts.ids, *columns, strict=True):
            for k, number in zip(counts.cutoffs, hits, strict=True):
                yield DocumentRow(gold, name, str(k), number, predicted, entries)


def document_means(report: Report) -> Iterator[DocumentMean]:
    """Yield each document's value of each mean, gold set by gold set, in gold order."""
    for gold, counts in report.counts.items():
        columns = {name: column.tolist() for name, column in counts.means.items()}
        for place, name in enumerate(counts.ids):
            for measure, column in columns.items():
                yield DocumentMean(gold, name, measure, None if math.isnan(column[place]) else column[place])


def format_number(value: float | None, unit: str) -> str:
    """Format a fraction in a report's unit: two decimals of percent, four of a fraction; empty for None."""
    if value is None:
        return ""
    return f"{value * 100:.2f}" if unit == "percent" else f"{value:.4f}"


def report_table(report: Report) -> Table:
    """Tabulate a report: a row for each gold set, average and cutoff, with the interval of F if there is one."""
    lines = report_rows(report)
    means = tuple(dict.fromkeys(kind for row in lines for kind in row.means))
    sign = " %" if report.unit == "percent" else ""
    head = ["gold", "average", "cutoff", "hits", *(f"{kind}{sign}" for kind in (*NAMES, *means))]
    head += ["interval of F"] if report.intervals else []
    body = []
    for row in lines:
        hits = "" if row.hits is None else f"{round(row.hits, _DECIMALS)}"
        values = (row.P, row.R, row.F, *map(row.means.get, means))
        cells = [row.gold, row.average, row.k, hits, *(format_number(value, report.unit) for value in values)]
        if report.intervals:
            name = f"{row.gold}/{row.average}{'-' if row.average else ''}F@{row.k}"
            cells.append(_format_interval(report.intervals.get(name), report.unit))
        body.append(cells)
    notes = [f"protocol {report.protocol}", f"run {report.run}", f"gold {', '.join(report.gold)}"]
    notes += [f"{count} documents: {reason}" for reason, count in report.skipped.items()]
    return Table.make(f"{report.scored} documents scored.", head, body, 2, notes)


def shown(names: Iterable[str]) -> tuple[str, ...]:
    """Select values for a table of runs: F under the protocol's first average and means; else all."""
    names = tuple(names)
    return tuple(name for name in names if _strip_gold(name).partition("@")[0] in {"F", *MEANS}) or names


def comparison_table(comparison: Comparison) -> Table:
    """Tabulate runs by values: the best of each column is marked, and the runs it is significantly better than."""
    letters = dict(zip(comparison.reports, ascii_lowercase, strict=False))
    names = _select_compared(comparison)
    best = {name: max(report.values[name] for report in comparison.reports.values()) for name in names}
    # No value of a measure of repetition is best, as less may be better.
    undirected = {str(kind) for family in comparison.rules.means if not family.rewards for kind in family.measures}
    better: dict[tuple[str, str], str] = {}  # letters of the runs that are significantly worse, by run and value
    for pair in comparison.differences:
        if pair.p_holm is not None and pair.p_holm < SIGNIFICANT and pair.difference:
            winner, loser = (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
            worse = better.get((winner, pair.value), "") + letters.get(loser, "")
            better[winner, pair.value] = "".join(sorted(worse))
    body = []
    for run, report in comparison.reports.items():
        cells = [Cell(letters.get(run, "")), Cell(run)]
        for name in names:
            value = report.values[name]
            directed = _strip_gold(name) not in undirected
            marks = (value == best[name], better.get((run, name), "")) if directed else (False, "")
            cells.append(Cell(format_number(value, comparison.unit), *marks))
        body.append(cells)
    percent = " in percent" if comparison.unit == "percent" else ""
    caption = (
        f"Values{percent}; the best of each column is marked. Letters name the runs that a value is significantly "
        f"better than (p < {SIGNIFICANT:g}, {comparison.test}, Holm's correction over all pairs)."
    )
    notes = (f"protocol {comparison.protocol}", f"gold {', '.join(comparison.gold)}")
    return Table.make(caption, ("", "run", *names), body, 2, notes)


def transpose_table(table: Table) -> Table:
    """Transpose a table of runs, for more values than fit the width of a page."""
    letters, runs, *columns = zip(*table.rows, strict=True)
    named = (f"{letter.text} {run.text}".strip() for letter, run in zip(letters, runs, strict=True))
    body = ((name, *column) for name, column in zip(table.head[2:], columns, strict=True))
    return Table.make(table.caption.replace("of each column", "of each row"), ("value", *named), body, 1, table.notes)


def difference_table(comparison: Comparison) -> Table:
    """Tabulate pairs of runs, value by value: difference with interval, p, and wins, ties and losses of documents."""
    names, unit = set(_select_compared(comparison)), comparison.unit
    head = ("value", "first", "second", "difference", "interval", "p", "p (Holm)", "wins", "ties", "losses")
    body = []
    for pair in comparison.differences:
        if pair.value in names:
            sign = "" if format_number(pair.difference, unit).startswith("-") else "+"
            cells = [pair.value, pair.first, pair.second, sign + format_number(pair.difference, unit)]
            cells += [_format_interval((pair.low, pair.high), unit), _format_p(pair.p), _format_p(pair.p_holm)]
            body.append([*cells, *map(str, (pair.effect.wins, pair.effect.ties, pair.effect.losses))])
    caption = f"Differences, first minus second; intervals by {comparison.intervals_by}, tests by {comparison.test}."
    return Table.make(caption, head, body, 3)


def _select_compared(comparison: Comparison) -> tuple[str, ...]:
    """Select values for tables of a comparison: of those that were tested the plain ones, else every F."""
    tested = tuple(dict.fromkeys(pair.value for pair in comparison.differences if pair.p is not None))
    plain = tuple(name for name in shown(next(iter(comparison.reports.values())).values) if name in tested)
    if any(_strip_gold(name).startswith("F@") for name in plain):
        return plain
    return tuple(name for name in tested if name in plain or "F@" in name) or tested


def _strip_gold(name: str) -> str:
    return name.rpartition("/")[2]


def _format_interval(ends: tuple[float, float] | None, unit: str) -> str:
    return f"{format_number(ends[0], unit)} to {format_number(ends[1], unit)}" if ends else ""


def _format_p(value: float | None) -> str:
    """Format p with four decimals; smaller values as ``< 0.0001``."""
    if value is None:
        return ""
    return f"{value:.4f}" if value >= _SMALLEST / 2 else f"< {_SMALLEST:.4f}"
