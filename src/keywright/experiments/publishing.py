"""Reproduced tables for people and for papers: as text tables, CSV, Markdown, LaTeX, or a page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from keywright.evaluation.publishing import plots, text
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import (
    calibrator_sheets,
    calibrators,
    default_curve,
    default_sheets,
    guarantee_sheets,
    quality,
    quality_sheets,
)
from keywright.experiments.kpg_calibration import sheets as kpg_sheets
from keywright.experiments.kpg_calibration import table as kpg_calibration
from keywright.experiments.quality_rows import Reliability
from keywright.experiments.rows import Row
from keywright.experiments.semeval2010.sheets import sheets
from keywright.experiments.semeval2010.table import NAME
from keywright.presentation import page
from keywright.presentation.table import Cell, Table

_COLUMNS: Final = (
    "protocol", "reference", "cases", "equal", "dataset", "class", "category", "system", "variant", "gold", "measure",
    "published", "ours", "difference", "interval", "note",
)  # fmt: skip
_NUMBERS: Final = frozenset({"cases", "equal", "published", "ours", "difference", "interval"})


def tables(name: str, rows: Sequence[Any], find: Callable[[str], type]) -> tuple[Table, ...]:
    """The rows as tables: as the papers print them where there is a layout for that, else one line a row.

    Args:
        name: of the table.
        rows: what ``reproduce`` gave.
        find: a system's class by its name.
    """
    if name == quality.NAME:
        return tuple(quality_sheets.sheets(rows))
    if name in default_sheets.NAMES:
        return tuple(default_sheets.sheets(name, rows))
    if name == kpg_calibration.NAME:
        return tuple(kpg_sheets.sheets(rows))
    if name == guarantee_sheets.NAME:
        return tuple(guarantee_sheets.sheets(rows))
    if name == calibrators.NAME:
        return tuple(calibrator_sheets.sheets(rows))
    if name == NAME and all(row.variant is None for row in rows):
        return tuple(sheets(rows, find))
    return (flat(name, [row.record() for row in rows]),)


def flat(name: str, records: Sequence[Mapping[str, Any]]) -> Table:
    """One line a row; columns that would be empty throughout are left out."""
    columns = _columns(records)
    numbers = frozenset(place for place, column in enumerate(columns) if column in _NUMBERS)
    body = tuple(tuple(Cell(_cell(column, record.get(column))) for column in columns) for record in records)
    return Table(name, tuple(columns), body, numbers)


def publish(name: str, rows: Sequence[Any], form: Publication, find: Callable[[str], type]) -> str:
    """A reproduced table as one text.

    Raises:
        MissingExtra: a page needs plots, and matplotlib is not installed.
    """
    match form:
        case Publication.CSV if name == quality.NAME:
            return text.csv_of(quality_sheets.lines(rows))
        case Publication.CSV if name in default_sheets.NAMES:
            return text.csv_of(default_sheets.lines(rows))
        case Publication.CSV if name in {guarantee_sheets.NAME, calibrators.NAME}:
            return text.csv_of(row.record() for row in rows)
        case Publication.CSV:
            records = [row.record() for row in rows]
            columns = _columns(records)
            return text.csv_of({column: _field(column, record.get(column)) for column in columns} for record in records)
        case Publication.MARKDOWN:
            return "\n".join(map(text.markdown, tables(name, rows, find)))
        case Publication.LATEX:
            return "\n".join(map(text.latex, tables(name, rows, find)))
        case Publication.HTML:
            parts = [*_plots(name, rows), *map(page.table, tables(name, rows, find))]
            title = f"{name}: published and ours" if any(isinstance(row, Row) for row in rows) else name
            return page.page(title, parts)


def _plots(name: str, rows: Sequence[Any]) -> list[str]:
    """What is to be looked at: published beside ours, how reliable probabilities are, what more documents bring."""
    if name == quality.NAME:
        known = [row for row in rows if isinstance(row, Reliability)]
        return [page.plot(plots.reliability(*drawn)) for drawn in quality_sheets.diagrams(known)]
    if name == default_curve.NAME:
        return [page.plot(plots.curves("Learning curves", tuple(default_sheets.curve_series(rows)), "learning-curve"))]
    if name == calibrators.NAME:
        title, errors = "Calibration error: mean, least and largest", tuple(calibrator_sheets.series(rows))
        return [page.heading(title), page.plot(plots.curves(title, errors, "calibrators"))]
    if name == kpg_calibration.NAME:
        drawn = [(one[0], plots.bars(*one, f"ece-{at}")) for at, one in enumerate(kpg_sheets.bars(rows))]
        return [part for title, plot in drawn for part in (page.heading(title), page.plot(plot))]
    if name != NAME:
        return []
    found = []
    for gold in dict.fromkeys(row.gold for row in rows):
        some: list[Row] = [row for row in rows if (row.gold, row.measure, row.category) == (gold, "F@15", None)]
        series = [(whose, [_fraction(getattr(row, whose)) for row in some]) for whose in ("published", "ours")]
        title = f"F@15 against {gold} keyphrases, in the published order"
        plot = plots.bars(title, [str(row.system) for row in some], series, f"{gold}-f15")
        found += [page.heading(f"Against {gold} keyphrases"), page.plot(plot)]
    return found


def _fraction(percent: float | None) -> float | None:
    """What plots draw: their axis goes from 0 to 1."""
    return None if percent is None else percent / 100


def _columns(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Columns that are not empty throughout."""
    return [column for column in _COLUMNS if any(record.get(column) not in (None, "") for record in records)]


def _field(column: str, value: Any) -> Any:
    """A value as programs take it; only intervals have no form of their own."""
    return _cell(column, value) if column == "interval" else value


def _cell(column: str, value: Any) -> str:
    match value:
        case None:
            return ""
        case [low, high]:
            return f"{low:.1f} to {high:.1f}"
        case float():
            return f"{value:+.2f}" if column == "difference" else f"{value:.2f}"
        case int() if column == "difference":
            return f"{value:+d}"
        case _:
            return str(value)
