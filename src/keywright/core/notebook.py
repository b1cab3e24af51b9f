"""Results in notebooks: a short table in HTML, escaped, in the colours of the notebook's own theme."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

MOST_ROWS: Final = 20
"""Rows that a notebook shows; arbitrary, a screenful. A line below says how many there are beyond."""
_CELL: Final = "padding: .15em .8em .15em 0; vertical-align: top; border: 0; border-bottom: 1px solid #8886"
_NUMBER: Final = "text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap"
_TEXT: Final = "text-align: left; white-space: normal"


@dataclass(frozen=True, slots=True)
class NotebookTable:
    """A table for a notebook.

    Attributes:
        caption: one line above it.
        head: names of the columns.
        rows: texts, one per column in each row.
        numbers: names of the columns that are flush right.
        notes: lines below the table.
        beyond: number of rows that are left out, and their name, such as ``documents``.
    """

    caption: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numbers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    beyond: tuple[int, str] = (0, "rows")

    def html(self) -> str:
        """Return the table as HTML without colours of its own, so that light and dark themes can be read."""
        styles = [_NUMBER if name in self.numbers else _TEXT for name in self.head]
        head = "".join(
            f'<th scope="col" style="{_CELL}; {style}">{escape(name)}</th>'
            for name, style in zip(self.head, styles, strict=True)
        )
        body = "\n".join(self._row(row, styles) for row in self.rows)
        count, things = self.beyond
        notes = (*([f"… and {count:,} more {things}"] if count else []), *self.notes)
        lines = "".join(
            f'<div style="opacity: .8; font-size: .9em; overflow-wrap: anywhere">{escape(note)}</div>' for note in notes
        )
        return (
            f'<div><div style="margin-bottom: .3em">{escape(self.caption)}</div>\n'
            f'<table style="border-collapse: collapse; color: inherit; background: none; margin: 0 0 .3em">\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>{lines}</div>"
        )

    @staticmethod
    def _row(row: tuple[str, ...], styles: Sequence[str]) -> str:
        cells = (f'<td style="{_CELL}; {style}">{escape(text)}</td>' for text, style in zip(row, styles, strict=True))
        return f'<tr style="background: none">{"".join(cells)}</tr>'
