"""Text and tables for people: safe for a terminal, within the width of the screen."""

import io
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, Final

from keywright.core.views import format_row

PLAIN_WIDTH: Final = 80  # columns in files and pipes, so that the same command always writes the same text
_BLOCKS: Final = " ▏▎▍▌▋▊▉"  # Blocks of 0 to 7 eighths of a character


@dataclass(frozen=True, slots=True)
class Screen:
    """Properties of an output for people."""

    width: int = PLAIN_WIDTH  # columns
    unicode: bool = True  # whether it can show characters beyond ASCII
    terminal: bool = False  # whether a terminal shows it, in colours

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
        """Return text in lines of the width, with a prefix for the first, and one, or an indent, for the rest."""
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


_NARROWEST: Final = 10  # minimum columns of broken text; arbitrary: narrower terminals break lines themselves
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


def format_rows(
    head: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",", numbers: Collection[int] = ()
) -> str:
    """Return rows below a header as text with separators; ``numbers``: columns of numbers that are texts."""
    return "".join(format_row(row, separator, numbers) for row in (head, *rows))


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of texts: heading, cells, whether of numbers, flush right, and ``is_fixed``, never folded, as they."""

    head: str
    cells: Sequence[str]
    is_number: bool
    is_fixed: bool

    @property
    def width(self) -> int:
        """Its width, with long texts folded."""
        from rich.cells import cell_len  # noqa: PLC0415 - only tables need it

        longest = max(cell_len(line) for text in (self.head, *self.cells) for line in text.split("\n"))
        return longest if self.is_fixed else min(longest, _FOLDED)

    def break_heading(self) -> "_Column":
        """Return a column of numbers with a heading in lines about as wide as the numbers."""
        if not self.is_fixed:
            return self
        longest = max(map(len, self.cells), default=0)
        lines: list[str] = []
        for word in self.head.split():
            if lines and len(lines[-1]) + 1 + len(word) <= longest:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return replace(self, head="\n".join(lines))


_FOLDED: Final = 16  # columns that a folded column of text keeps at least; arbitrary
_NAME: Final = 32  # names in the first column that are not folded: longer than those of all protocols and systems
_EDGES: Final = 2  # blanks at the two edges of a table
_CLOSE, _WIDE = 2, 3  # blanks between two columns


def draw_rows(  # noqa: PLR0913 - keywords
    screen: Screen,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Sequence[str] = (),
    title: str | None = None,
    *,
    fixed: Sequence[str] = (),
    gap: int = _WIDE,
) -> str:
    """Return texts below headings as a table within the screen's width, safe for a terminal, in colours on one.

    Long texts are folded, columns of ``numbers``, which are flush right, and of ``fixed`` never. In a wide table first
    columns come closer than the ``gap``, then headings of numbers break. Where all columns of numbers do not fit beside
    the columns before them, they follow in further tables, each with those columns again. Where columns do not fit at
    all, rows are lists of their cells.
    """
    safe = [list(map(escape_controls, row)) for row in rows]
    columns = [
        _Column(escape_controls(name), [row[index] for row in safe], name in numbers, name in (*numbers, *fixed))
        for index, name in enumerate(head)
    ]
    title = title and escape_controls(title)
    if _measure_width(columns, gap) > screen.width:
        gap = _CLOSE
    if _measure_width(columns, gap) > screen.width:
        columns = [column.break_heading() for column in columns]
    tables = [columns] if _measure_width(columns, gap) <= screen.width else _split_table(columns, screen.width, gap)
    texts = [_render_table(part, title, gap, screen) for part in tables]
    # Each part begins with the blank line of the table's upper edge.
    return screen.characters("\n".join(texts) + "\n\n" if texts else _stack_rows(columns, title, screen))


def _measure_width(columns: Sequence[_Column], gap: int) -> int:
    return _EDGES + sum(column.width for column in columns) + gap * (len(columns) - 1)


def _split_table(columns: Sequence[_Column], width: int, gap: int) -> list[list[_Column]]:
    """Return columns in parts of about equal size that fit, each with the text before numbers; none if none fit."""
    first = next((index for index, column in enumerate(columns) if column.is_fixed), 0) or 1
    leading, others = columns[:first], columns[first:]
    can_split = bool(others) and any(column.is_fixed for column in columns)
    if not can_split or any(_measure_width([*leading, column], gap) > width for column in others):
        return []

    def split_columns(most: int) -> list[list[_Column]]:
        """Return parts that fit the width, of at most so many columns each beside the leading ones."""
        parts = [[*leading]]
        for column in others:
            part = parts[-1]
            if len(part) > first and (len(part) == first + most or _measure_width([*part, column], gap) > width):
                parts.append([*leading])
            parts[-1].append(column)
        return parts

    fewest = len(split_columns(len(others)))
    # The least number of columns per part that needs no more parts, so that the last part is not a single column.
    return next(parts for size in range(1, len(others) + 1) if len(parts := split_columns(size)) == fewest)


def _render_table(columns: Sequence[_Column], title: str | None, gap: int, screen: Screen) -> str:
    from rich import box  # noqa: PLC0415 - only tables need it
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    padding = (0, 1, 0, gap - _CLOSE)
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False, padding=padding)
    for index, column in enumerate(columns):
        justify: Any = "right" if column.is_number else "left"
        is_name = index == 0 and all(len(cell) <= _NAME and " " not in cell for cell in column.cells)
        table.add_column(column.head, justify=justify, overflow="fold", no_wrap=column.is_fixed or is_name)
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    options: Any = {"highlight": False, "markup": False, "emoji": False, "soft_wrap": False, "width": screen.width}
    console = Console(file=sys.stdout if screen.terminal else io.StringIO(), **options)
    with console.capture() as caught:
        console.print(table)
    return "\n".join(line.rstrip() for line in caught.get().strip("\n").split("\n")).rstrip()


def _stack_rows(columns: Sequence[_Column], title: str | None, screen: Screen) -> str:
    """Return a table without columns: each row's first cell, and below it the others with their headings."""
    text = f"{title}\n\n" if title else "\n"
    heads = [" ".join(column.head.split()) for column in columns]
    for first, *cells in zip(*(column.cells for column in columns), strict=True):
        text += screen.wrap(first or "-")
        for head, cell in zip(heads[1:], cells, strict=True):
            if cell.strip():
                text += screen.wrap(cell, f"  {head}: " if head else "  ", "    ")
    return text + "\n"
