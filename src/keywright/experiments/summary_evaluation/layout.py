"""Layout of the experiments with evaluators of summaries: one table for each kind of row."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from keywright.experiments.layouts import Lines, crosstab, decimal, ends
from keywright.experiments.study import Row
from keywright.presentation.page import Table

_CAPTIONS = {
    "mean": "Mean of each version of the summaries under each evaluator: recall, or the score.",
    "above other topic": "Share of people's summaries that score higher than one of another topic.",
}


def tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out rows: the means as versions by evaluators, other measures one line each, by collection."""
    for dataset, group in groupby(rows, lambda row: row.dataset):
        listed = list(group)
        means = [row for row in listed if row.measure == "mean"]
        if means:
            lines: Lines = {}
            for row in means:
                lines.setdefault((row.variant or "",), {})[row.system or ""] = decimal(row.ours, 3)
            columns = tuple(dict.fromkeys(row.system or "" for row in means))
            yield crosstab(f"{dataset}: {_CAPTIONS['mean']}", ("version",), lines, columns)
        rest = [row for row in listed if row.measure != "mean"]
        others: Lines = {
            (row.system or "", row.measure): {
                "ours": decimal(row.ours, 3),
                "interval": ends(row.interval, 3),
                "published": decimal(row.published, 4),
                "note": row.note,
            }
            for row in rest
        }
        yield crosstab(
            f"{dataset}: other measures.", ("evaluator", "measure"), others, ("ours", "interval", "published", "note")
        )
