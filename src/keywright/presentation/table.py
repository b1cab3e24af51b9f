"""A table independent of its format: headings, and cells that may be best or significantly better."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    ``best``: whether it is the best of its column; ``above``: letters of the runs that it is significantly better than.
    """

    text: str
    best: bool = False
    above: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under headings.

    Attributes:
        caption: description in a sentence or two.
        head: names of the columns; those of ``numbers`` are flush right.
        rows: cells, one per column in each row.
        numbers: positions of the columns of numbers.
        notes: lines below the table: protocol, gold, significance test.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[int]
    notes: tuple[str, ...] = ()
