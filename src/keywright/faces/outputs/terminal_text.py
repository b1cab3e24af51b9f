"""Text and tables for people: safe for a terminal, within the width of the screen."""

import io
import re
import sys
from typing import TYPE_CHECKING, Any

from keywright.faces.outputs.screen import Screen

if TYPE_CHECKING:
    from rich.table import Table

# Control characters, marks that change the direction of text, line separators, and code points without character.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def printable(text: str) -> str:
    """Return text for a terminal: characters that could control it are escaped, tabs and line ends kept."""
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def table(*columns: str, numbers: tuple[str, ...] = (), title: str | None = None, compact: bool = False) -> "Table":
    """Return an empty table; the columns of ``numbers`` are right-aligned, ``compact`` ones two blanks apart."""
    from rich import box  # noqa: PLC0415 - only tables need it
    from rich.table import Table  # noqa: PLC0415 - only tables need it

    padding = (0, 1, 0, 0) if compact else (0, 1)
    empty = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False, padding=padding)
    for column in columns:
        number = column in numbers
        empty.add_column(column, justify="right" if number else "left", overflow="fold", no_wrap=number)
    return empty


def rendered(rows: "Table", screen: Screen) -> str:
    """Return a table as text within the screen's width, in colours on a terminal.

    Long texts are folded. Where all columns of numbers do not fit beside the columns before them, they follow in
    further tables, each with those columns again. Where columns do not fit at all, rows are lists of their cells.
    """
    from rich.console import Console  # noqa: PLC0415 - only tables need it

    from keywright.faces.outputs.table_parts import parts, stacked  # noqa: PLC0415 - only tables need it

    options: Any = {"highlight": False, "markup": False, "emoji": False, "soft_wrap": False, "width": screen.width}
    console = Console(file=sys.stdout if screen.terminal else io.StringIO(), **options)
    texts = []
    if not (tables := parts(rows, screen.width)):
        return screen.characters(stacked(rows, screen))
    for part in tables:
        with console.capture() as caught:
            console.print(part)
        texts.append("\n".join(line.rstrip() for line in caught.get().strip("\n").split("\n")).rstrip())
    # Each part begins with the blank line of the table's upper edge.
    return screen.characters("\n".join(texts) + "\n\n")
