"""Rows of a table, one by one, whatever it is read from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        place: name of the row for messages, and id of its document where no column has ids: ``papers.csv:17``.
        cells: values by column; a column without a cell is missing.
        problem: why the row cannot be read; empty if it can.
    """

    place: str
    cells: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that is being read.

    Attributes:
        name: of the file, or ``the table``.
        columns: names in order.
        rows: read when they are asked for, once.
        notes: decisions of the reader that people should know.
    """

    name: str
    columns: tuple[str, ...]
    rows: Iterator[Row]
    notes: tuple[str, ...] = ()
