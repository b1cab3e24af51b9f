"""Reports as tables for data analysis and for notebooks."""

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from keywright.core.signatures import short_signature
from keywright.core.views import MOST_ROWS, Kinds, NotebookTable, frame_records

if TYPE_CHECKING:  # reports use this module
    from keywright.evaluation.scoring.report import Report

_TEXTS: Final = ("protocol", "run", "gold", "average", "measure", "k")
REPORT_COLUMNS: Final[Kinds] = MappingProxyType(
    {**dict.fromkeys(_TEXTS, str), "value": float, "low": float, "high": float, "signature": str}
)
"""Columns of a report: one row for each value."""


def report_frame(report: "Report", library: str | None) -> Any:
    """Return a table with a row for each value, as ``Report.rows`` has them."""
    return frame_records(report.rows(), REPORT_COLUMNS, library)


def report_html(report: "Report") -> str:
    """Return the values of a report for a notebook, with their intervals if there are any."""
    names = list(report.values)[:MOST_ROWS]
    head: tuple[str, ...] = ("value", "score", "95 % interval") if report.intervals else ("value", "score")
    rows = [(name, f"{report.values[name]:.4f}", _format_ends(report, name))[: len(head)] for name in names]
    documents = (
        f"{report.scored} document{'' if report.scored == 1 else 's'} scored under {report.protocol.partition('|')[0]}"
    )
    skipped = (f"{count} documents: {reason}" for reason, count in report.skipped.items())
    beyond = len(report.values) - len(rows), "values"
    notes = (*skipped, *report.warnings, f"protocol {short_signature(report.protocol)}")
    return NotebookTable(documents, head, rows, head[1:], notes, beyond).html()


def _format_ends(report: "Report", name: str) -> str:
    ends = report.intervals.get(name)
    return f"{ends[0]:.4f} to {ends[1]:.4f}" if ends else ""
