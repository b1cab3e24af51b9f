"""Convert reports to rows for tables and to the JSON value of ``keywright score --json``."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.measures.measure import NAMES, Cutoff
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison, Difference


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
        hits = _hits(counts, k) if k in map(str, counts.cutoffs) else None
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


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON values: ``values`` are fractions, ``counts`` has population sizes and pooled hits."""
    return {
        "protocol": report.protocol,
        "run": report.run,
        "gold": list(report.gold),
        "scored": report.scored,
        "skipped": dict(report.skipped),
        "unit": report.unit,
        "values": dict(report.values),
        "sig": report.sig,
        "stratified": report.stratified,
        "intervals": {name: list(ends) for name, ends in report.intervals.items()},
        "detectable": dict(report.detectable),
        "counts": {gold: _totals(counts) for gold, counts in report.counts.items()},
        "warnings": list(report.warnings),
    }


def comparison_as_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as JSON values: the runs by name, then pair by pair; all numbers are fractions."""
    runs = {
        name: {
            "run": report.run,
            "scored": report.scored,
            "skipped": dict(report.skipped),
            "values": dict(report.values),
            "intervals": {value: list(ends) for value, ends in report.intervals.items()},
        }
        for name, report in comparison.reports.items()
    }
    return {
        "protocol": comparison.protocol,
        "gold": list(comparison.gold),
        "unit": comparison.unit,
        "documents": {by: len(counts) for by, counts in next(iter(comparison.reports.values())).counts.items()},
        "sig": comparison.test,
        "intervals_by": comparison.intervals_by,
        "stratified": comparison.stratified,
        "runs": runs,
        "differences": list(map(_difference, comparison.differences)),
        "warnings": list(comparison.warnings),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    record = asdict(difference)
    interval = [record.pop("low"), record.pop("high")]
    effect = record.pop("effect")
    return {**record, "interval": interval, **effect}


def _totals(counts: Counts) -> dict[str, float]:
    sizes = {
        "documents": len(counts),
        "with_gold": int((counts.gold > 0).sum()),
        "gold": int(counts.gold.sum()),
        "predicted": int(counts.predicted.sum()),
    }
    return sizes | {f"hits@{k}": _hits(counts, k) for k in counts.cutoffs}


def _hits(counts: Counts, k: Cutoff) -> float:
    """Return pooled hits at a cutoff: a whole number unless the matching gives partial credit."""
    place = [str(cutoff) for cutoff in counts.cutoffs].index(str(k))
    hits: float = counts.hits[:, place].sum().item()
    return hits
