"""The study of guarantees as tables: one for each measure and each way to count lists without phrases."""

from collections.abc import Iterator, Sequence
from typing import Final

from keywright.presentation.table import Cell, Table
from studies.guarantees.rows import Coverage

_HEAD: Final = (
    "phrases of", "documents", "at least", "confidence", "promised", "violated", "allowed", "kept", "on the rest",
    "phrases", "empty", "pooled precision",
)  # fmt: skip
_CAPTIONS: Final = {
    ("precision", "apart"): "Mean precision of lists, those without phrases apart",
    ("precision", "right"): "Mean precision of lists, those without phrases as right",
    ("recall", "apart"): "Mean recall of right phrases in the list, on average over splits",
}
_NOTES: Final = (
    "promised: share of splits in which a promise could be given",
    "violated: share of splits in which the rest fell short of it",
    "phrases: shown for a document; empty: share of documents without any",
)


def sheets(rows: Sequence[Coverage]) -> Iterator[Table]:
    """The tables."""
    for kind, caption in _CAPTIONS.items():
        some = [row for row in rows if (row.measure, row.empty) == kind]
        if some:
            told = f"{caption}: {some[0].splits} splits, {some[0].documents} documents of calibration."
            numbers = frozenset(place for place in range(2, len(_HEAD)) if _HEAD[place] != "kept")
            yield Table(told, _HEAD, tuple(tuple(map(Cell, _cells(row))) for row in some), numbers, _NOTES)


def _cells(row: Coverage) -> tuple[str, ...]:
    bound = row.confidence is not None
    return (
        row.system,
        row.dataset,
        f"{row.target:g}",
        f"{row.confidence:g}" if bound else "",
        f"{row.promised:.3f}",
        f"{row.violated:.3f}" if bound else "",
        _number(row.allowed, 3),
        "yes" if row.kept else "no",
        _number(row.value, 3),
        _number(row.phrases, 2),
        _number(row.empties, 2),
        _number(row.pooled, 3),
    )


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
