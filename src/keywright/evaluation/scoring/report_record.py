"""The JSON value of a report, as ``keywright score --json`` prints it."""

from typing import TYPE_CHECKING, Any

from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.measures.measure import Cutoff

if TYPE_CHECKING:  # reports use this module
    from keywright.evaluation.scoring.report import Report


def report_record(report: "Report") -> dict[str, Any]:
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
        "counts": {gold: _sum_counts(counts) for gold, counts in report.counts.items()},
        "warnings": list(report.warnings),
    }


def pooled_hits(counts: Counts, k: Cutoff) -> float:
    """Return pooled hits at a cutoff: a whole number unless the matching gives partial credit."""
    place = [str(cutoff) for cutoff in counts.cutoffs].index(str(k))
    hits: float = counts.hits[:, place].sum().item()
    return hits


def _sum_counts(counts: Counts) -> dict[str, float]:
    sizes = {
        "documents": len(counts),
        "with_gold": int((counts.gold > 0).sum()),
        "gold": int(counts.gold.sum()),
        "predicted": int(counts.predicted.sum()),
    }
    return sizes | {f"hits@{k}": pooled_hits(counts, k) for k in counts.cutoffs}
