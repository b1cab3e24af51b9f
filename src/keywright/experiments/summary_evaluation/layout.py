"""Layout of the experiments with evaluators of summaries."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from keywright.experiments.layouts import Lines, crosstab, decimal, ends
from keywright.experiments.study import Row
from keywright.presentation.page import Cell, Table


def version_tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``kpeval``: for each collection versions by evaluators, and what else was measured."""
    for dataset, group in groupby(rows, lambda row: row.dataset):
        listed = list(group)
        means = [row for row in listed if row.measure == "mean"]
        lines: Lines = {}
        for row in means:
            lines.setdefault((row.variant or "",), {})[row.system or ""] = decimal(row.ours, 3)
        columns = tuple(dict.fromkeys(row.system or "" for row in means))
        caption = f"{dataset}: mean of each version of the summaries under each evaluator, recall or score."
        yield crosstab(caption, ("version",), lines, columns)
        yield _listed(f"{dataset}: other measures.", [row for row in listed if row.measure != "mean"])


def judged_tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``summary-evaluators``: for each measure evaluators by halves of the collections."""
    tests = [row for row in rows if "less" in row.measure]
    correlations = [row for row in rows if "less" not in row.measure]
    for measure in dict.fromkeys(row.measure for row in correlations):
        lines: Lines = {}
        chosen = [row for row in correlations if row.measure == measure]
        columns = tuple(dict.fromkeys((row.dataset or "").replace("/", " ") for row in chosen))
        best = {column: max(row.ours or -1.0 for row in chosen if _place(row) == column) for column in columns}
        for row in chosen:
            text = f"{decimal(row.ours, 3)} ({ends(row.interval, 2)})"
            lines.setdefault((row.system or "",), {})[_place(row)] = Cell(text, best=row.ours == best[_place(row)])
        coefficient, _, level = measure.partition("@")
        yield crosstab(f"{coefficient.capitalize()} with people, level {level}.", ("evaluator",), lines, columns)
    yield _listed("Differences on the second halves.", tests)


def _place(row: Row) -> str:
    return (row.dataset or "").replace("/", " ")


def _listed(caption: str, rows: Sequence[Row]) -> Table:
    """Return a table with one line for each row."""
    lines: Lines = {
        (row.system or "", row.measure, row.dataset or ""): {
            "ours": decimal(row.ours, 3),
            "interval": ends(row.interval, 3),
            "published": decimal(row.published, 4),
            "note": row.note,
        }
        for row in rows
    }
    filled = [name for name in ("ours", "interval", "published", "note") if any(line[name] for line in lines.values())]
    return crosstab(caption, ("evaluator", "measure", "collection"), lines, filled)
