"""Tables of results: of pandas, polars or pyarrow for data analysis, and short ones for notebooks."""

import csv
import datetime as dt
import importlib
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, TypeAlias

from keywright.core.errors import BadParameter, MissingExtra
from keywright.core.json_values import replace_surrogates

Kinds: TypeAlias = Mapping[str, type]
"""Columns in order, each with the type of its values, which may be None; ``list`` is of texts."""
BETWEEN: Final = "; "  # separator of the parts of a list in one text, such as the keyphrases of a document
LIBRARIES: Final = ("pandas", "polars", "pyarrow")  # libraries of tables, the preferred first
_TEXTS_OF_THEIR_OWN: Final = 3  # version of pandas from which texts have a type of their own: its release notes, 3.0
MOST_ROWS: Final = 20  # rows that a notebook shows, with the number beyond below; arbitrary, a screenful
_CELL: Final = "padding: .15em .8em .15em 0; vertical-align: top; border: 0; border-bottom: 1px solid #8886"
_NUMBER: Final = "text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap"
_TEXT: Final = "text-align: left; white-space: normal"


@dataclass(frozen=True, slots=True)
class NotebookTable:
    """A table for a notebook: a line above, ``notes`` below, ``numbers`` flush right, what is left out ``beyond``."""

    caption: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numbers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    beyond: tuple[int, str] = (0, "rows")

    def html(self) -> str:
        """Return the table as HTML without colours of its own, so that light and dark themes can be read."""
        styles = [f"{_CELL}; {_NUMBER if name in self.numbers else _TEXT}" for name in self.head]
        cells = zip(self.head, styles, strict=True)
        head = "".join(f'<th scope="col" style="{style}">{escape(name)}</th>' for name, style in cells)
        cell_rows = (
            "".join(f'<td style="{style}">{escape(text)}</td>' for text, style in zip(row, styles, strict=True))
            for row in self.rows
        )
        body = "\n".join(f'<tr style="background: none">{cells}</tr>' for cells in cell_rows)
        count, things = self.beyond
        notes = (*([f"… and {count:,} more {things}"] if count else []), *self.notes)
        style = "opacity: .8; font-size: .9em; overflow-wrap: anywhere"
        lines = "".join(f'<div style="{style}">{escape(note)}</div>' for note in notes)
        return (
            f'<div><div style="margin-bottom: .3em">{escape(self.caption)}</div>\n'
            f'<table style="border-collapse: collapse; color: inherit; background: none; margin: 0 0 .3em">\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>{lines}</div>"
        )


def make_data_frame(columns: Mapping[str, Sequence[Any]], kinds: Kinds, library: str | None = None) -> Any:
    """Return columns of types by name as a table, of the first installed library when None; None is a missing value."""
    if library is not None and library not in LIBRARIES:
        raise BadParameter(f"no tables of {library!r} can be made", f"expected one of: {', '.join(LIBRARIES)}")
    library = library or find_library()
    if not is_installed(library):
        message = f"a table of {library} needs the package {library}, which is not installed"
        raise MissingExtra(message, f"pip install {library}")
    # Names of files may hold lone surrogates, and tables cannot.
    whole = {
        name: list(map(replace_surrogates, values)) if kinds[name] is str else values
        for name, values in columns.items()
    }
    if library == "pandas":
        import pandas as pd  # noqa: PLC0415 - optional, as the others

        text = "str" if int(pd.__version__.partition(".")[0]) >= _TEXTS_OF_THEIR_OWN else "object"
        # Int64 has missing values; the plain type of whole numbers would print ranks as 1.0 where one is missing.
        types: dict[type, Any] = {str: text, int: "Int64", float: "float64", bool: "boolean", list: "object"}
        return pd.DataFrame({name: pd.Series(values, dtype=types.get(kinds[name])) for name, values in whole.items()})
    if library == "polars":
        import polars as pl  # noqa: PLC0415

        types = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean, list: pl.List(pl.String)}
        return pl.DataFrame(whole, schema={name: types.get(kinds[name]) for name in whole})
    import pyarrow as pa  # noqa: PLC0415

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), list: pa.list_(pa.string())}
    return pa.table({name: pa.array(values, types.get(kinds[name])) for name, values in whole.items()})


def unify_column(values: Sequence[Any]) -> tuple[list[Any], type]:
    """Return values as one column, and their type if it is one of numbers, truth or dates; else texts."""
    types = {type(value) for value in values if value is not None}
    if types and all(issubclass(kind, dt.date) for kind in types):
        return list(values), object
    kind: type = str
    if types and types <= {int, float, bool}:
        kind = types.pop() if len(types) == 1 else float if bool not in types else str
    return [None if value is None else format_value(value) if kind is str else kind(value) for value in values], kind


def format_value(value: Any) -> str:
    """Return a value as text: lists joined, true and false as words."""
    if isinstance(value, list | tuple):
        return BETWEEN.join(map(format_value, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of texts that spreadsheets take for formulas (OWASP, CSV injection)."""


def is_formula(cell: object) -> bool:
    """Return whether a cell is a text that a spreadsheet would take for a formula."""
    return isinstance(cell, str) and cell.startswith(_FORMULA)


def format_row(cells: Sequence[object], separator: str = ",", numbers: Collection[int] = ()) -> str:
    r"""Return a line of CSV or TSV: every such line of keywright is written here.

    A text that begins like a formula has an apostrophe before it, except in the columns of ``numbers``, which the
    program itself wrote as text.

    >>> format_row(("=1+1", -0.5, "-0.5"), numbers={2})
    "'=1+1,-0.5,-0.5\\n"
    """
    safe = (f"'{cell}" if is_formula(cell) and at not in numbers else cell for at, cell in enumerate(cells))
    csv.writer(text := io.StringIO(), delimiter=separator, lineterminator="\n").writerow(safe)
    return str(replace_surrogates(text.getvalue()))  # halves of characters are in names of files


def find_library() -> str:
    """Return the preferred library among those that are installed; raise ``MissingExtra`` if there is none."""
    if library := next(filter(is_installed, LIBRARIES), None):
        return library
    raise MissingExtra("a table needs one of pandas, polars and pyarrow, and none is installed", "pip install pandas")


def is_installed(library: str) -> bool:
    """Return whether a library can be imported."""
    try:
        importlib.import_module(library)
    except ImportError:
        return False
    return True


def frame_records(records: Iterable[Mapping[str, Any]], kinds: Kinds, library: str | None = None) -> Any:
    """Return records with the same keys as a table; empty without records."""
    rows = list(records)
    return make_data_frame({name: [row[name] for row in rows] for name in kinds}, kinds, library)
