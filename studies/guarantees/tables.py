"""Layout of the study of guarantees: a table for each measure and each way to count lists without phrases."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from keywright.core.pages import Table
from keywright.experiments.study import format_decimal, lay_out_rows
from studies.guarantees.rows import Coverage

_COLUMNS: Final[Mapping[str, Callable[[Coverage], str]]] = {
    "phrases of": lambda row: row.system,
    "documents": lambda row: row.dataset,
    "at least": lambda row: f"{row.target:g}",
    "confidence": lambda row: "" if row.confidence is None else f"{row.confidence:g}",
    "guaranteed": lambda row: f"{row.promised:.3f}",
    "violated": lambda row: "" if row.confidence is None else f"{row.violated:.3f}",
    "allowed": lambda row: format_decimal(row.allowed, 3),
    "kept": lambda row: "yes" if row.holds else "no",
    "on the rest": lambda row: format_decimal(row.value, 3),
    "phrases": lambda row: format_decimal(row.phrases, 2),
    "empty": lambda row: format_decimal(row.empties, 2),
    "pooled precision": lambda row: format_decimal(row.pooled, 3),
}
_CAPTIONS: Final = {
    ("precision", "apart"): "Mean precision of lists, lists without phrases left out",
    ("precision", "right"): "Mean precision of lists, lists without phrases counted as correct",
    ("recall", "apart"): "Mean recall of the correct phrases in the list, on average over splits",
}
_NOTES: Final = (
    "guaranteed: share of splits in which a guarantee could be given",
    "violated: share of splits in which the rest fell short of it",
    "phrases: shown for a document; empty: share of documents without any",
)


def sheets(rows: Sequence[Coverage]) -> Iterator[Table]:
    """Yield the tables."""
    for kind, subject in _CAPTIONS.items():
        chosen = [row for row in rows if (row.measure, row.empty) == kind]
        if chosen:
            caption = f"{subject}: {chosen[0].splits} splits, {chosen[0].documents} documents of calibration."
            yield lay_out_rows(caption, chosen, _COLUMNS, ("phrases of", "documents", "kept"), _NOTES)
