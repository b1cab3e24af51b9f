"""A table before it is written in any format: headings, and cells that may be best or better than others."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: what it says.
        best: whether it is the best of its column.
        above: letters of the runs that it is significantly better than.
    """

    text: str
    best: bool = False
    above: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under heads.

    Attributes:
        caption: what it shows, in a sentence or two.
        head: names of the columns; those of ``numbers`` are flush right.
        rows: cells, as many in each row as there are heads.
        numbers: which columns hold numbers, by position.
        notes: what stands below: protocol, gold, how was tested.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[int]
    notes: tuple[str, ...] = ()
