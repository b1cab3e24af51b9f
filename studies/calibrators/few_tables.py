"""Tables of the calibration error after a few labelled documents of a collection."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from keywright.calibration.calibrators.parametric import SHIFT
from keywright.core.pages import Table
from keywright.experiments.study import PERCENT, Lines, lay_out_groups
from studies.calibrators.few_documents import DRAWS, OTHERS, AfterFew
from studies.calibrators.rows import AS_GIVEN

_FLOOR: Final = "noise floor"


def few_sheets(rows: Sequence[AfterFew]) -> Iterator[Table]:
    """Yield errors by method for each collection and number of documents, their means, and errors by strength."""
    if not rows:
        return
    methods = (AS_GIVEN, SHIFT, *OTHERS)
    strengths = tuple(dict.fromkeys(row.method for row in rows if row.method.startswith(f"{SHIFT} ")))
    compared = [row for row in rows if row.method in methods]
    caption = (
        "Calibration error of the fifteen first phrases of the default, trained without the collection, after a few"
        f" labelled documents, percent, on the others; mean of {DRAWS} draws."
    )
    yield lay_out_groups(caption, ("collection", "documents"), _by_collection(compared), (*methods, _FLOOR))
    caption = "Mean over the collections that have so many documents, percent."
    yield lay_out_groups(caption, ("collections", "documents"), _means(compared), methods)
    caption = "Mean by the strength of the shift's prior, the inverse of its variance, percent."
    of_strengths = [row for row in rows if row.method in strengths]
    yield lay_out_groups(caption, ("collections", "documents"), _means(of_strengths), strengths)


def _by_collection(rows: Sequence[AfterFew]) -> Lines:
    lines: Lines = {}
    for row in rows:
        cells = lines.setdefault((row.dataset, str(row.documents)), {})
        spread = "" if row.method == AS_GIVEN else f" ±{PERCENT * row.spread:.1f}"
        cells[row.method] = f"{PERCENT * row.error:.1f}{spread}"
        if row.method == SHIFT:
            cells[_FLOOR] = f"{PERCENT * row.floor:.1f}"
    return lines


def _means(rows: Sequence[AfterFew]) -> Lines:
    errors: dict[int, dict[str, list[float]]] = {}
    for row in sorted(rows, key=lambda row: row.documents):
        errors.setdefault(row.documents, {}).setdefault(row.method, []).append(row.error)
    return {
        (str(max(map(len, by_method.values()))), str(documents)): {
            method: f"{PERCENT * fmean(of_collections):.1f}" for method, of_collections in by_method.items()
        }
        for documents, by_method in errors.items()
    }
