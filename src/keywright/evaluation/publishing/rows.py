"""Convert reports to rows for tables."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from keywright.evaluation.measures.measure import NAMES
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.report_record import pooled_hits


class Row(NamedTuple):
    """One line of a table: a gold set, an average, a cutoff. Values are fractions; None where not reported.

    ``means`` are the means of that cutoff by name, on the lines of the protocol's first average; a line without cutoff
    has only means of the whole list.
    """

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


def rows(report: Report) -> tuple[Row, ...]:
    """Return the report as a table, in its own order; ``average`` is empty for the protocol's first."""
    table: dict[tuple[str, str, str], dict[str, float]] = {}
    for name, value in report.values.items():
        gold, _, rest = name.rpartition("/")
        average, _, measure = rest.rpartition("-")
        kind, _, k = measure.partition("@")
        table.setdefault((gold, average, k), {})[kind] = value
    lines = []
    for (gold, average, k), values in table.items():
        counts = report.counts[gold]
        hits = pooled_hits(counts, k) if k in map(str, counts.cutoffs) else None
        means = {kind: value for kind, value in values.items() if kind not in NAMES}
        lines.append(Row(gold, average, k, hits, values.get("P"), values.get("R"), values.get("F"), means))
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
