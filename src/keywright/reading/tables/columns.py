"""Columns of a table that hold the text, the title, the ids; names that are not there get the nearest suggested."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from keywright.core.errors import BadParameter, UnknownName, listed
from keywright.reading.tables.rows import Rows

_TEXTS: Final = frozenset("abstract article body content description document full_text fulltext summary text".split())
"""Names of columns of texts, in lower case; arbitrary."""
_ID: Final = "id"
_TITLE: Final = "title"
_SIMILAR: Final = 0.5
"""Least similarity of a name that is suggested, as ``difflib`` measures it; arbitrary."""
_LISTED: Final = 12
"""Columns that a message names; arbitrary."""


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Columns that are read.

    Attributes:
        text: the column of texts; None guesses it where the table leaves no choice.
        title: the column of titles, which are read before the texts; None for none.
        id: the column of ids; None takes a column ``id``, else the places of the rows.
        keep: columns that results have as well; None keeps all.
    """

    text: str | None = None
    title: str | None = None
    id: str | None = None
    keep: tuple[str, ...] | None = ()

    @property
    def read(self) -> tuple[str, ...]:
        """All columns that are read or kept, each once."""
        return tuple(dict.fromkeys(name for name in (self.text, self.title, self.id, *(self.keep or ())) if name))


def resolved(wanted: TableColumns, table: Rows) -> tuple[TableColumns, tuple[str, ...]]:
    """Return the columns of a table that are meant, every choice made, and notes about choices that were guessed.

    Raises:
        UnknownName: a column is not there; the hint has the nearest name and those that are.
        BadParameter: a column is there twice, or the text can be in several columns.
    """
    for column in wanted.read:
        check_column(column, table)
    text = wanted.text or _guessed(table)
    name = wanted.id or (_ID if table.columns.count(_ID) == 1 and text != _ID else None)
    keep = tuple(dict.fromkeys(table.columns)) if wanted.keep is None else tuple(dict.fromkeys(wanted.keep))
    if wanted.text:
        notes = []
    else:
        notes = [f"{table.name}: texts are read from the column {text!r}"]
        if not wanted.title and _TITLE in table.columns and text != _TITLE:
            notes.append(f"{table.name}: the column {_TITLE!r} is not read, unless it is named as the title")
    return replace(wanted, text=text, id=name, keep=keep), tuple(notes)


def columns_there(names: Sequence[str]) -> str:
    """Return the columns of a table for a message."""
    return f"its columns are {listed(list(names), _LISTED)}" if names else "it has no columns"


def check_column(name: str, table: Rows) -> None:
    """Check that a table has a column, once.

    Raises:
        UnknownName, BadParameter: as for ``resolved``.
    """
    if table.columns.count(name) > 1:
        hint = "rename one of them in the file"
        raise BadParameter(f"{table.name} has {table.columns.count(name)} columns {name!r}", hint)
    if name not in table.columns:
        by_form = {column.casefold(): column for column in table.columns}
        near = difflib.get_close_matches(str(name).casefold(), by_form, n=1, cutoff=_SIMILAR)
        suggestion = f"did you mean {by_form[near[0]]!r}? " if near else ""
        raise UnknownName(f"{table.name} has no column {name!r}", f"{suggestion}{columns_there(table.columns)}")


def _guessed(table: Rows) -> str:
    """Return the only column that can hold the texts."""
    names = [name for name in table.columns if name.strip().casefold() in _TEXTS]
    candidates = names or list(table.columns)
    if len(candidates) == 1:
        check_column(candidates[0], table)
        return candidates[0]
    several = f"{listed(names)} can all hold the text" if names else "no column has a usual name for the text"
    ways = "text=... in Python, --text-column in the terminal, Options on the page"
    hint = f"name it: {ways}; {columns_there(table.columns)}"
    raise BadParameter(f"{table.name}: {several}", hint)
