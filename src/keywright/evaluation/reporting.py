"""Reports as rows for tables and as the JSON value of ``keywright score --json``."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from keywright.evaluation.counts import Counts
from keywright.evaluation.measures import Cutoff
from keywright.evaluation.report import Report


class Row(NamedTuple):
    """One line of a table: a gold set, an average, a cutoff. Values are fractions; None where not reported."""

    gold: str
    average: str
    k: str
    hits: int
    P: float | None
    R: float | None
    F: float | None


class DocumentRow(NamedTuple):
    """What one document contributed to one cutoff of one gold set."""

    gold: str
    id: str
    k: str
    hits: int
    predicted: int
    entries: int


def rows(report: Report) -> tuple[Row, ...]:
    """The report as a table, in its own order; ``average`` is empty for the protocol's first."""
    table: dict[tuple[str, str, str], dict[str, float]] = {}
    for name, value in report.values.items():
        gold, _, rest = name.rpartition("/")
        average, _, measure = rest.rpartition("-")
        kind, _, k = measure.partition("@")
        table.setdefault((gold, average, k), {})[kind] = value
    return tuple(
        Row(gold, average, k, _hits(report.counts[gold], k), *(found.get(kind) for kind in ("P", "R", "F")))
        for (gold, average, k), found in table.items()
    )


def document_rows(report: Report) -> Iterator[DocumentRow]:
    """What each document contributed, gold set by gold set, in gold order."""
    for gold, counts in report.counts.items():
        columns = counts.hits.tolist(), counts.predicted.tolist(), counts.gold.tolist()
        for name, hits, predicted, entries in zip(counts.ids, *columns, strict=True):
            for k, number in zip(counts.cutoffs, hits, strict=True):
                yield DocumentRow(gold, name, str(k), number, predicted, entries)


def as_json(report: Report) -> dict[str, Any]:
    """The report as JSON values: ``values`` are fractions, ``counts`` holds population sizes and pooled hits."""
    return {
        "protocol": report.protocol,
        "run": report.run,
        "gold": list(report.gold),
        "scored": report.scored,
        "skipped": dict(report.skipped),
        "unit": report.unit,
        "values": dict(report.values),
        "counts": {gold: _totals(counts) for gold, counts in report.counts.items()},
        "warnings": list(report.warnings),
    }


def _totals(counts: Counts) -> dict[str, int]:
    """Sums over documents."""
    sizes = {
        "documents": len(counts),
        "with_gold": int((counts.gold > 0).sum()),
        "gold": int(counts.gold.sum()),
        "predicted": int(counts.predicted.sum()),
    }
    return sizes | {f"hits@{k}": _hits(counts, k) for k in counts.cutoffs}


def _hits(counts: Counts, k: Cutoff) -> int:
    """Pooled hits at a cutoff."""
    place = [str(cutoff) for cutoff in counts.cutoffs].index(str(k))
    return int(counts.hits[:, place].sum())
