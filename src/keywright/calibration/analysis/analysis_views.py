"""Analyses as tables for data analysis and for notebooks."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from keywright.calibration.measuring import MEASURES, Measured
from keywright.core.views import Kinds, NotebookTable, frame_records

if TYPE_CHECKING:  # analyses use this module
    from keywright.calibration.analysis.result import Analysis

COLUMNS: Final[Kinds] = MappingProxyType(
    {
        "class": str,
        "phrases": int,
        "measure": str,
        "value": float,
        "low": float,
        "high": float,
        "noise_floor": float,
    }
)
"""Columns of an analysis: one row for each class of phrases and measure."""
_SHOWN: Final = ("confidence", "accuracy", "ece", "adaptive_ece", "smooth_ece", "brier", "log_loss", "auroc")
"""Measures that a notebook shows; the others are in the table and in the page of the analysis."""


def make_analysis_frame(analysis: "Analysis", library: str | None) -> Any:
    """Return a table with a row for each class of phrases and measure that has a value."""
    return frame_records(list_records(analysis), COLUMNS, library)


def draw_analysis(analysis: "Analysis") -> str:
    """Return the main measures of an analysis for a notebook, a column for each class of phrases."""
    classes = tuple(analysis.reports)
    rows = [
        (
            MEASURES[measure].title.strip(),
            *(_format_value(report.values.get(measure)) for report in analysis.reports.values()),
        )
        for measure in _SHOWN
        if any(measure in report.values for report in analysis.reports.values())
    ]
    counts = ("phrases", *(f"{report.phrases:,}" for report in analysis.reports.values()))
    caption = f"Analysis of {analysis.system.partition('|')[0]}: {analysis.confidence}, by class of phrases"
    notes = (*analysis.missing, *analysis.notes, "fractions; to_frame() has all measures with intervals")
    return NotebookTable(caption, ("measure", *classes), [counts, *rows], classes, notes).html()


def list_records(analysis: "Analysis") -> Iterator[dict[str, Any]]:
    """Yield a record for each class of phrases and measure that has a value, with the names of ``COLUMNS``."""
    for name, report in analysis.reports.items():
        for measure, measured in report.values.items():
            low, high = measured.interval or (None, None)
            floor = measured.floor.error if measured.floor else None
            values = measured.value, low, high, floor
            yield dict(zip(COLUMNS, (name, report.phrases, measure, *values), strict=True))


def _format_value(measured: Measured | None) -> str:
    return "" if measured is None else f"{measured.value:.4f}"
