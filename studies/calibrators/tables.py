"""Layout of the study of calibrators: methods side by side, numbers of documents side by side."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from keywright.core.pages import Table
from keywright.experiments.study import PERCENT, Lines, Plot, TableRow, group_rows, lay_out_groups
from studies import plots as drawings
from studies.calibrators.few_documents import AfterFew
from studies.calibrators.few_tables import few_sheets
from studies.calibrators.rows import AS_GIVEN, OTHERS, SAME, Calibrated

_HEADS: Final = ("phrases of", "documents", "class")
_FLOOR: Final = "noise floor"


def sheets(table: Sequence[TableRow]) -> Iterator[Table]:
    """Yield errors and Brier scores by method, errors of the first method by number of documents, errors elsewhere.

    The default's own probabilities come last.
    """
    rows = [row for row in table if isinstance(row, Calibrated)]
    same = [row for row in rows if row.fitted == SAME]
    if same:
        yield from _within(same)
    elsewhere = [row for row in rows if row.fitted == OTHERS]
    if elsewhere:
        methods = tuple(dict.fromkeys(row.method for row in elsewhere))
        caption = (
            "Calibration error on a collection that no calibrator saw, percent: fitted on the two others of the study."
        )
        lines = _lines(elsewhere, "method", "{error:.1f}", floor_of=methods[0])
        yield lay_out_groups(caption, _HEADS, lines, (*methods, _FLOOR))
    yield from few_sheets([row for row in table if isinstance(row, AfterFew)])


def _within(rows: Sequence[Calibrated]) -> Iterator[Table]:
    usual = next(row.documents for row in rows if row.method == AS_GIVEN)
    at_usual = [row for row in rows if row.documents == usual]
    methods = (AS_GIVEN, *dict.fromkeys(row.method for row in at_usual if row.method != AS_GIVEN))
    first, sizes = methods[1], tuple(map(str, sorted({row.documents for row in rows})))
    splits, error = f"mean of {rows[0].splits} splits", "{error:.1f} ±{spread:.1f}"
    lines = _lines(at_usual, "method", error, floor_of=first)
    caption = f"Calibration error after {usual} documents, percent, on the others; {splits}."
    yield lay_out_groups(caption, _HEADS, lines, (*methods, _FLOOR))
    caption = f"Brier score after {usual} documents, on the others; {splits}."
    yield lay_out_groups(caption, _HEADS, _lines(at_usual, "method", "{brier:.4f}"), methods)
    lines = _lines([row for row in rows if row.method == first], "documents", error, floor_of=f"{usual}")
    caption = f"Calibration error of {first} by number of documents, percent, on the others; {splits}."
    yield lay_out_groups(caption, _HEADS, lines, (*sizes, _FLOOR))


def _lines(rows: Sequence[Calibrated], column: str, text: str, floor_of: str | None = None) -> Lines:
    """Return the cells of a table.

    Args:
        rows: of the table.
        column: the field whose values are the columns.
        text: of a cell, a format of ``error`` and ``spread`` in percent, and of ``brier``.
        floor_of: the column whose noise floor is shown; None for no floor.
    """
    by_line = group_rows(
        rows, lambda row: (row.system, row.dataset, row.phrase_class), lambda row: str(getattr(row, column))
    )
    lines: Lines = {}
    for line, cells in by_line.items():
        lines[line] = {
            name: text.format(error=PERCENT * row.error, spread=PERCENT * row.spread, brier=row.brier)
            for name, row in cells.items()
        }
        if floor_of in cells:
            lines[line][_FLOOR] = f"{PERCENT * cells[floor_of].floor:.1f}"
    return lines


def series(rows: Sequence[Calibrated]) -> Iterator[tuple[str, tuple[tuple[int, float, float, float], ...]]]:
    """Yield errors of the first method over numbers of documents: name, then documents, mean, least and largest.

    There is one series for each class, for systems with and for systems without confidences of their own.
    """
    confident = {row.system for row in rows if row.method == AS_GIVEN}
    first = next((row.method for row in rows if row.method != AS_GIVEN), "")
    errors: dict[str, dict[int, list[float]]] = {}
    for row in rows:
        if row.method == first and row.fitted == SAME:
            name = f"{row.phrase_class}, {'generators' if row.system in confident else 'extractors'}"
            errors.setdefault(name, {}).setdefault(row.documents, []).append(row.error)
    for name, by_size in errors.items():
        yield name, tuple((size, fmean(some), min(some), max(some)) for size, some in sorted(by_size.items()))


def plots(table: Sequence[TableRow]) -> Iterator[Plot]:
    """Draw the errors over numbers of documents."""
    rows = [row for row in table if isinstance(row, Calibrated)]
    title, name = "Calibration error: mean, least and largest", "calibrators"
    yield Plot(name, title, drawings.curves(title, tuple(series(rows)), name), title)
