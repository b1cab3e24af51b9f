"""Layouts that computed tables share: one line per row."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from keywright.experiments.rows import TableRow
from keywright.presentation.table import Cell, Table

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
    return ({column: _field(column, record.get(column)) for column in columns} for record in records)


def uniform_lines(rows: Sequence[TableRow]) -> Iterator[dict[str, Any]]:
    """Return the records of rows, each with the keys of all, None where it has none."""
    records = [row.record() for row in rows]
    names = dict.fromkeys(name for record in records for name in record)
    return ({name: record.get(name) for name in names} for record in records)


def _columns(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the columns that are not empty throughout."""
    return [column for column in _COLUMNS if any(record.get(column) not in (None, "") for record in records)]


def _field(column: str, value: Any) -> Any:
    """Return a value for programs; only intervals have no form of their own."""
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
