"""The JSON value of a comparison, as ``keywright compare --json`` prints it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # comparisons use this module
    from keywright.evaluation.statistics.comparison import Comparison, Difference


def comparison_record(comparison: "Comparison") -> dict[str, Any]:
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
        "differences": list(map(_difference_record, comparison.differences)),
        "warnings": list(comparison.warnings),
    }


def _difference_record(difference: "Difference") -> dict[str, Any]:
    record = asdict(difference)
    interval = [record.pop("low"), record.pop("high")]
    effect = record.pop("effect")
    return {**record, "interval": interval, **effect}
