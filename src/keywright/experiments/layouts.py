"""Layouts that computed tables share: one line per row, or one line per group of rows with a column for each."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from keywright.experiments.study import TableRow
from keywright.presentation.page import Cell, Table

PERCENT: Final = 100
"""Values are fractions; tables show percent."""
Line = TypeVar("Line", bound=Hashable)
RowType = TypeVar("RowType")
Lines: TypeAlias = dict[tuple[str, ...], dict[str, str | Cell]]
"""Cells of a cross table by the name of the line, in parts, and by column."""

_COLUMNS: Final = (
    "protocol", "reference", "cases", "equal", "dataset", "class", "category", "system", "variant", "gold", "measure",
    "published", "ours", "difference", "interval", "note",
)  # fmt: skip
_NUMBERS: Final = frozenset({"cases", "equal", "published", "ours", "difference", "interval"})


def flat(name: str, records: Sequence[Mapping[str, Any]]) -> Table:
    """Return a table with one line per record; columns that would be empty throughout are left out."""
    columns = _columns(records)
    numbers = frozenset(place for place, column in enumerate(columns) if column in _NUMBERS)
    body = tuple(tuple(Cell(_cell(column, record.get(column))) for column in columns) for record in records)
    return Table(name, tuple(columns), body, numbers)


def flat_lines(records: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return the records with the columns of ``flat``, numbers as they are."""
    columns = _columns(records)
    return (
        {name: _cell(name, record.get(name)) if name == "interval" else record.get(name) for name in columns}
        for record in records
    )


def uniform_lines(rows: Sequence[TableRow]) -> Iterator[dict[str, Any]]:
    """Return the records of rows, each with the keys of all, None where it has none."""
    records = [row.record() for row in rows]
    names = dict.fromkeys(name for record in records for name in record)
    return ({name: record.get(name) for name in names} for record in records)


def listing(
    caption: str,
    rows: Iterable[RowType],
    columns: Mapping[str, Callable[[RowType], str]],
    words: Collection[str] = (),
    notes: tuple[str, ...] = (),
) -> Table:
    """Return a table with one line per row; heads in ``words`` are of columns that do not hold numbers."""
    body = tuple(tuple(Cell(text(row)) for text in columns.values()) for row in rows)
    numbers = frozenset(place for place, head in enumerate(columns) if head not in words)
    return Table(caption, tuple(columns), body, numbers, notes)


def crosstab(
    caption: str,
    heads: Sequence[str],
    lines: Mapping[tuple[str, ...], Mapping[str, str | Cell]],
    columns: Sequence[str],
    notes: tuple[str, ...] = (),
) -> Table:
    """Return a table with one line per group; the columns behind the names of the groups hold numbers.

    Missing cells are empty.
    """
    head = (*heads, *columns)
    ordered = {line: [cells.get(column, "") for column in columns] for line, cells in lines.items()}
    body = tuple(
        (*map(Cell, line), *(cell if isinstance(cell, Cell) else Cell(cell) for cell in cells))
        for line, cells in ordered.items()
    )
    return Table(caption, head, body, frozenset(range(len(heads), len(head))), notes)


def grouped(
    rows: Iterable[RowType], line: Callable[[RowType], Line], column: Callable[[RowType], str]
) -> dict[Line, dict[str, RowType]]:
    """Return the rows of each line by column, both in order of appearance; the last of several in one place counts."""
    lines: dict[Line, dict[str, RowType]] = {}
    for row in rows:
        lines.setdefault(line(row), {})[column(row)] = row
    return lines


def decimal(value: float | None, digits: int) -> str:
    """Return a number with so many decimals, or nothing for None."""
    return "" if value is None else f"{value:.{digits}f}"


def ends(interval: tuple[float, float] | None, digits: int) -> str:
    """Return an interval such as ``22.8 to 27.4``, or nothing for None."""
    return "" if interval is None else f"{interval[0]:.{digits}f} to {interval[1]:.{digits}f}"


def _columns(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the columns that are not empty throughout."""
    return [column for column in _COLUMNS if any(record.get(column) not in (None, "") for record in records)]


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
