"""Tables that are wider than the screen, in several tables below one another, or without columns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from keywright.faces.outputs.screen import Screen

if TYPE_CHECKING:
    from rich.table import Column, Table

_FOLDED: Final = 16
"""Columns that a folded column of text keeps at least; arbitrary."""
_CLOSE: Final = (0, 1, 0, 0)
"""Padding of columns that are two blanks apart: above, right, below, left."""
_EDGES: Final = 2
"""Blanks at the two edges of a table."""


def parts(rows: "Table", width: int) -> "list[Table]":
    """Return a table whose columns fit the width, or several of about equal size; none if there is no way to fit them.

    Columns of text are folded, columns of numbers never. In a wide table first columns come closer, then headings of
    numbers break, then it is parted: each part begins with the columns of text before the first number, or with the
    first number.
    """
    if _width(rows, rows.columns) > width:
        rows.padding = _CLOSE
    if _width(rows, rows.columns) > width:
        _break_headings(rows.columns)
    if _width(rows, rows.columns) <= width:
        return [rows]
    numbers = [place for place, column in enumerate(rows.columns) if column.no_wrap]
    first = (numbers[0] if numbers else 0) or 1
    leading, others = rows.columns[:first], rows.columns[first:]
    if not numbers or any(_width(rows, [*leading, column]) > width for column in others):
        return []
    fewest = len(_chunks(rows, leading, others, width, len(others)))
    # The least number of columns per part that needs no more parts, so that the last part is not a single column.
    size = next(
        size for size in range(1, len(others) + 1) if len(_chunks(rows, leading, others, width, size)) == fewest
    )
    return [_with_columns(rows, [*leading, *chunk]) for chunk in _chunks(rows, leading, others, width, size)]


def stacked(rows: "Table", screen: Screen) -> str:
    """Return a table as text without columns: each row's first cell, and below it the others with their headings."""
    text = f"{rows.title}\n\n" if rows.title else "\n"
    heads = [" ".join(str(column.header).split()) for column in rows.columns]
    for first, *cells in zip(*(column.cells for column in rows.columns), strict=True):
        text += screen.wrapped(str(first) or "-")
        for head, cell in zip(heads[1:], cells, strict=True):
            if str(cell).strip():
                text += screen.wrapped(str(cell), f"  {head}: " if head else "  ", "    ")
    return text + "\n"


def _break_headings(columns: "Sequence[Column]") -> None:
    """Break headings of numbers at blanks into lines about as wide as the numbers."""
    for column in columns:
        if column.no_wrap:
            longest = max((len(str(cell)) for cell in column.cells), default=0)
            lines: list[str] = []
            for word in str(column.header).split():
                if lines and len(lines[-1]) + 1 + len(word) <= longest:
                    lines[-1] += f" {word}"
                else:
                    lines.append(word)
            column.header = "\n".join(lines)


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
