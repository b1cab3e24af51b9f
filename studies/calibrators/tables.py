"""The study of calibrators as tables: methods side by side, numbers of documents side by side."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

from keywright.evaluation.publishing import plots as drawings
from keywright.experiments.study import Plot
from keywright.presentation.table import Cell, Table
from studies.calibrators.rows import AS_GIVEN, OTHERS, SAME, Calibrated

_WHERE: Final = ("phrases of", "documents", "class")
_FLOOR: Final = "noise floor"
_PERCENT: Final = 100

Group: TypeAlias = tuple[str, str, str]


def sheets(rows: Sequence[Calibrated]) -> Iterator[Table]:
    """Errors by method, Brier scores by method, errors of the first method by number of documents, errors elsewhere."""
    yield from _within([row for row in rows if row.fitted == SAME])
    elsewhere = [row for row in rows if row.fitted == OTHERS]
    if elsewhere:
        methods = tuple(dict.fromkeys(row.method for row in elsewhere))
        title = (
            "Calibration error on a collection that no calibrator saw, percent: fitted on the two others of the study."
        )
        groups = _grouped(elsewhere, lambda row: row.method)
        yield _table(
            title, (*methods, _FLOOR), groups, lambda one: {**_plain(one), _FLOOR: _floor(one.get(methods[0]))}
        )


def _within(rows: Sequence[Calibrated]) -> Iterator[Table]:
    if not rows:
        return
    usual = next(row.documents for row in rows if row.method == AS_GIVEN)
    methods = tuple(dict.fromkeys(row.method for row in rows if row.documents == usual))
    methods = (AS_GIVEN, *(name for name in methods if name != AS_GIVEN))
    first, sizes = methods[1], tuple(sorted({row.documents for row in rows}))
    splits = f"mean of {rows[0].splits} splits"
    by_method = _grouped((row for row in rows if row.documents == usual), lambda row: row.method)
    by_size = _grouped((row for row in rows if row.method == first), lambda row: f"{row.documents}")
    error = f"Calibration error after {usual} documents, percent, on the others; {splits}."
    yield _table(error, (*methods, _FLOOR), by_method, lambda one: {**_errors(one), _FLOOR: _floor(one.get(first))})
    brier = f"Brier score after {usual} documents, on the others; {splits}."
    yield _table(brier, methods, by_method, lambda one: {name: f"{row.brier:.4f}" for name, row in one.items()})
    named = tuple(map(str, sizes))
    many = f"Calibration error of {first} by number of documents, percent, on the others; {splits}."
    yield _table(many, (*named, _FLOOR), by_size, lambda one: {**_errors(one), _FLOOR: _floor(one.get(f"{usual}"))})


def series(rows: Sequence[Calibrated]) -> Iterator[tuple[str, tuple[tuple[int, float, float, float], ...]]]:
    """Errors of the first method over numbers of documents: name, then documents, mean, least and largest of all.

    One series for each class, and for systems with and without confidences of their own.
    """
    confident = {row.system for row in rows if row.method == AS_GIVEN}
    first = next((row.method for row in rows if row.method != AS_GIVEN), "")
    found: dict[str, dict[int, list[float]]] = {}
    for row in rows:
        if row.method == first and row.fitted == SAME:
            name = f"{row.phrase_class}, {'generators' if row.system in confident else 'extractors'}"
            found.setdefault(name, {}).setdefault(row.documents, []).append(row.error)
    for name, errors in found.items():
        yield name, tuple((size, fmean(some), min(some), max(some)) for size, some in sorted(errors.items()))


def _grouped(rows: Iterable[Calibrated], name: Callable[[Calibrated], str]) -> Mapping[Group, Mapping[str, Calibrated]]:
    """What stands in one line, by the name of its column."""
    found: dict[Group, dict[str, Calibrated]] = {}
    for row in rows:
        found.setdefault((row.system, row.dataset, row.phrase_class), {})[name(row)] = row
    return found


def _errors(one: Mapping[str, Calibrated]) -> dict[str, str]:
    return {name: f"{_PERCENT * row.error:.1f} ±{_PERCENT * row.spread:.1f}" for name, row in one.items()}


def _plain(one: Mapping[str, Calibrated]) -> dict[str, str]:
    return {name: f"{_PERCENT * row.error:.1f}" for name, row in one.items()}


def _floor(row: Calibrated | None) -> str:
    return "" if row is None else f"{_PERCENT * row.floor:.1f}"


def _table(
    caption: str,
    columns: tuple[str, ...],
    groups: Mapping[Group, Mapping[str, Calibrated]],
    cells: Callable[[Mapping[str, Calibrated]], Mapping[str, str]],
) -> Table:
    """One line a group, classes as they come."""
    head = (*_WHERE, *columns)
    body = []
    for group, one in groups.items():
        known = cells(one)
        body.append(tuple(map(Cell, (*group, *(known.get(name, "") for name in columns)))))
    return Table(caption, head, tuple(body), frozenset(range(len(_WHERE), len(head))))


def plots(rows: Sequence[Calibrated]) -> Iterator[Plot]:
    """Draw the errors over numbers of documents."""
    title, name = "Calibration error: mean, least and largest", "calibrators"
    yield Plot(name, title, drawings.curves(title, tuple(series(rows)), name), title)
