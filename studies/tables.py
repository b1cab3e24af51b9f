"""Rows of studies as tables of a line per row or group, and as records with the keys of all."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from keywright.core.pages import Cell, Table
from keywright.experiments.study import TableRow

Line = TypeVar("Line", bound=Hashable)
RowType = TypeVar("RowType")


def list_uniform_records(rows: Sequence[TableRow]) -> Iterator[dict[str, Any]]:
    """Return the records of rows, each with the keys of all, None where it has none."""
    records = [row.record() for row in rows]
    names = dict.fromkeys(name for record in records for name in record)
    return ({name: record.get(name) for name in names} for record in records)


def lay_out_rows(
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


def group_rows(
    rows: Iterable[RowType], line: Callable[[RowType], Line], column: Callable[[RowType], str]
) -> dict[Line, dict[str, RowType]]:
    """Return the rows of each line by column, both in order of appearance; the last of several in one place counts."""
    lines: dict[Line, dict[str, RowType]] = {}
    for row in rows:
        lines.setdefault(line(row), {})[column(row)] = row
    return lines
