"""Tables that are wider than the screen, in several tables below one another."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.table import Column, Table

_FOLDED: Final = 16
"""Columns that a folded column of text keeps at least; arbitrary."""
_CLOSE: Final = (0, 1, 0, 0)
"""Padding of columns that are two blanks apart: above, right, below, left."""
_EDGES: Final = 2
"""Blanks at the two edges of a table."""


def parts(rows: "Table", width: int) -> Iterator["Table"]:
    """Yield a table whose columns fit the width, else several of about equal size, each with the first columns again.

    These are the columns of text before the first number, or else the first number.

    Columns of text are folded, columns of numbers never. Columns keep their order, and come closer before they part.
    """
    numbers = [place for place, column in enumerate(rows.columns) if column.no_wrap]
    if _width(rows, rows.columns) > width:
        rows.padding = _CLOSE
    if not numbers or _width(rows, rows.columns) <= width:
        yield rows
        return
    first = numbers[0] or 1
    leading, others = rows.columns[:first], rows.columns[first:]
    fewest = len(_chunks(rows, leading, others, width, len(others)))
    # The least number of columns per part that needs no more parts, so that the last part is not a single column.
    size = next(
        size for size in range(1, len(others) + 1) if len(_chunks(rows, leading, others, width, size)) == fewest
    )
    for chunk in _chunks(rows, leading, others, width, size):
        yield _with_columns(rows, [*leading, *chunk])


def _chunks(
    rows: "Table", leading: "Sequence[Column]", others: "Sequence[Column]", width: int, most: int
) -> "list[list[Column]]":
    """Return the columns in parts that fit the width beside the leading ones, of at most so many columns each."""
    chunks: list[list[Column]] = [[]]
    for column in others:
        chunk = chunks[-1]
        if chunk and (len(chunk) == most or _width(rows, [*leading, *chunk, column]) > width):
            chunks.append([])
        chunks[-1].append(column)
    return chunks


def _width(rows: "Table", columns: "Sequence[Column]") -> int:
    """Return the width of some columns with texts folded and numbers whole."""
    from rich.padding import Padding  # noqa: PLC0415 - only tables need it

    padding = Padding.unpack(rows.padding)
    between = padding[1] + padding[3] + 1
    return _EDGES + sum(map(_needed, columns)) + between * (len(columns) - 1)


def _needed(column: "Column") -> int:
    from rich.cells import cell_len  # noqa: PLC0415 - only tables need it

    texts = (str(column.header), *map(str, column.cells))
    longest = max(cell_len(line) for text in texts for line in text.split("\n"))
    return longest if column.no_wrap else min(longest, _FOLDED)


def _with_columns(rows: "Table", columns: "Sequence[Column]") -> "Table":
    """Return a table of some of the columns."""
    from rich.table import Table  # noqa: PLC0415 - only tables need it

    part = Table(box=rows.box, title=rows.title, title_justify=rows.title_justify, pad_edge=False, padding=rows.padding)
    for column in columns:
        part.add_column(column.header, justify=column.justify, overflow=column.overflow, no_wrap=column.no_wrap)
    for cells in zip(*(column.cells for column in columns), strict=True):
        part.add_row(*cells)
    return part
