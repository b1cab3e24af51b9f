"""Text and tables for people: safe for a terminal, within the width of the screen."""

import io
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.table import Column, Table

PLAIN_WIDTH: Final = 80
"""Columns of tables in files and pipes, whatever the terminal, so that the same command always writes the same text."""
_BLOCKS: Final = " ▏▎▍▌▋▊▉"
"""Blocks of 0 to 7 eighths of a character."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Properties of an output for people.

    Attributes:
        width: columns.
        unicode: whether it can show characters beyond ASCII.
        terminal: whether a terminal shows it, in colours.
    """

    width: int = PLAIN_WIDTH
    unicode: bool = True
    terminal: bool = False

    def bar(self, share: float, length: int) -> str:
        """Return a bar of a length for a share of 1, in eighths of a character; in whole ones for ASCII."""
        share = min(max(share, 0.0), 1.0)
        if not self.unicode:
            return "#" * round(share * length)
        whole, rest = divmod(round(share * length * 8), 8)
        return "█" * whole + _BLOCKS[rest].strip()

    def characters(self, text: str) -> str:
        """Return text with ASCII in place of lines, ellipses and guillemets where only ASCII can be shown."""
        return text if self.unicode else text.translate(_PLAIN)

    def wrap(self, text: str, first: str = "", rest: str | None = None) -> str:
        """Return text in lines of the width, with line ends, behind a prefix for the first and one for the rest.

        Without ``rest``, further lines are indented as far as the first prefix is wide.
        """
        from rich.cells import cell_len  # noqa: PLC0415 - help does without
        from rich.console import Console  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        if rest is None:
            rest = " " * cell_len(first)
        else:
            first, text = "", first + text
        room = max(self.width - cell_len(rest), _NARROWEST)
        # Rich counts the cells of wide characters, which textwrap does not.
        lines = Text(text).wrap(Console(width=room), room)
        return "".join(f"{rest if number else first}{line.plain.rstrip()}\n" for number, line in enumerate(lines))


_NARROWEST: Final = 10
"""Minimum columns of broken text; arbitrary: narrower terminals break lines themselves."""
_PLAIN: Final = str.maketrans({"─": "-", "…": "...", "»": ">", "«": "<", "×": "x", "–": "-", "█": "#"})


def find_screen(file: IO[str]) -> Screen:
    """Return the properties of an output: a terminal's own width, and 80 columns elsewhere."""
    if not file.isatty():
        return Screen(PLAIN_WIDTH, _shows_blocks(file))
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    return Screen(Console(file=file).width, _shows_blocks(file), terminal=True)


def _shows_blocks(file: IO[str]) -> bool:
    try:
        "█─".encode(getattr(file, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


# Control characters, marks that change the direction of text, line separators, and code points without character.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def escape_controls(text: str) -> str:
    """Return text for a terminal: characters that could control it are escaped, tabs and line ends kept."""
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def make_table(
    *columns: str, numbers: tuple[str, ...] = (), title: str | None = None, compact: bool = False
) -> "Table":
    """Return an empty table; the columns of ``numbers`` are right-aligned, ``compact`` ones two blanks apart."""
    from rich import box  # noqa: PLC0415 - only tables need it
    from rich.table import Table  # noqa: PLC0415 - only tables need it

    padding = (0, 1, 0, 0) if compact else (0, 1)
    empty = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False, padding=padding)
    for column in columns:
        number = column in numbers
        empty.add_column(column, justify="right" if number else "left", overflow="fold", no_wrap=number)
    return empty


def draw_rows(
    screen: Screen,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Sequence[str] = (),
    title: str | None = None,
) -> str:
    """Return texts below headings as a table, safe for a terminal; columns of ``numbers`` are flush right."""
    names = tuple(map(escape_controls, numbers))
    table = make_table(*map(escape_controls, head), numbers=names, title=title and escape_controls(title))
    for row in rows:
        table.add_row(*map(escape_controls, row))
    return render_table(table, screen)


def render_table(rows: "Table", screen: Screen) -> str:
    """Return a table as text within the screen's width, in colours on a terminal.

    Long texts are folded. Where all columns of numbers do not fit beside the columns before them, they follow in
    further tables, each with those columns again. Where columns do not fit at all, rows are lists of their cells.
    """
    from rich.console import Console  # noqa: PLC0415 - only tables need it

    options: Any = {"highlight": False, "markup": False, "emoji": False, "soft_wrap": False, "width": screen.width}
    console = Console(file=sys.stdout if screen.terminal else io.StringIO(), **options)
    texts = []
    if not (tables := split_table(rows, screen.width)):
        return screen.characters(stack_rows(rows, screen))
    for part in tables:
        with console.capture() as caught:
            console.print(part)
        texts.append("\n".join(line.rstrip() for line in caught.get().strip("\n").split("\n")).rstrip())
    # Each part begins with the blank line of the table's upper edge.
    return screen.characters("\n".join(texts) + "\n\n")


_FOLDED: Final = 16
"""Columns that a folded column of text keeps at least; arbitrary."""
_CLOSE: Final = (0, 1, 0, 0)
"""Padding of columns that are two blanks apart: above, right, below, left."""
_EDGES: Final = 2
"""Blanks at the two edges of a table."""


def split_table(rows: "Table", width: int) -> "list[Table]":
    """Return a table whose columns fit the width, or several of about equal size; none if there is no way to fit them.

    Columns of text are folded, columns of numbers never. In a wide table first columns come closer, then headings of
    numbers break, then it is parted: each part begins with the columns of text before the first number, or with the
    first number.
    """
    if _measure_width(rows, rows.columns) > width:
        rows.padding = _CLOSE
    if _measure_width(rows, rows.columns) > width:
        _break_headings(rows.columns)
    if _measure_width(rows, rows.columns) <= width:
        return [rows]
    numbers = [place for place, column in enumerate(rows.columns) if column.no_wrap]
    first = (numbers[0] if numbers else 0) or 1
    leading, others = rows.columns[:first], rows.columns[first:]
    if not numbers or any(_measure_width(rows, [*leading, column]) > width for column in others):
        return []
    fewest = len(_split_columns(rows, leading, others, width, len(others)))
    # The least number of columns per part that needs no more parts, so that the last part is not a single column.
    size = next(
        size for size in range(1, len(others) + 1) if len(_split_columns(rows, leading, others, width, size)) == fewest
    )
    return [_select_columns(rows, [*leading, *chunk]) for chunk in _split_columns(rows, leading, others, width, size)]


def stack_rows(rows: "Table", screen: Screen) -> str:
    """Return a table as text without columns: each row's first cell, and below it the others with their headings."""
    text = f"{rows.title}\n\n" if rows.title else "\n"
    heads = [" ".join(str(column.header).split()) for column in rows.columns]
    for first, *cells in zip(*(column.cells for column in rows.columns), strict=True):
        text += screen.wrap(str(first) or "-")
        for head, cell in zip(heads[1:], cells, strict=True):
            if str(cell).strip():
                text += screen.wrap(str(cell), f"  {head}: " if head else "  ", "    ")
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


def _split_columns(
    rows: "Table", leading: "Sequence[Column]", others: "Sequence[Column]", width: int, most: int
) -> "list[list[Column]]":
    """Return the columns in parts that fit the width beside the leading ones, of at most so many columns each."""
    chunks: list[list[Column]] = [[]]
    for column in others:
        chunk = chunks[-1]
        if chunk and (len(chunk) == most or _measure_width(rows, [*leading, *chunk, column]) > width):
            chunks.append([])
        chunks[-1].append(column)
    return chunks


def _measure_width(rows: "Table", columns: "Sequence[Column]") -> int:
    """Return the width of some columns with texts folded and numbers whole."""
    from rich.padding import Padding  # noqa: PLC0415 - only tables need it

    padding = Padding.unpack(rows.padding)
    between = padding[1] + padding[3] + 1
    return _EDGES + sum(map(_measure_column, columns)) + between * (len(columns) - 1)


def _measure_column(column: "Column") -> int:
    from rich.cells import cell_len  # noqa: PLC0415 - only tables need it

    texts = (str(column.header), *map(str, column.cells))
    longest = max(cell_len(line) for text in texts for line in text.split("\n"))
    return longest if column.no_wrap else min(longest, _FOLDED)


def _select_columns(rows: "Table", columns: "Sequence[Column]") -> "Table":
    """Return a table of some of the columns."""
    from rich.table import Table  # noqa: PLC0415 - only tables need it

    part = Table(box=rows.box, title=rows.title, title_justify=rows.title_justify, pad_edge=False, padding=rows.padding)
    for column in columns:
        part.add_column(column.header, justify=column.justify, overflow=column.overflow, no_wrap=column.no_wrap)
    for cells in zip(*(column.cells for column in columns), strict=True):
        part.add_row(*cells)
    return part
