"""Columns as a table of pandas, polars or pyarrow: whichever is asked for, or installed."""

import datetime as dt
import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from keywright.core.errors import BadParameter, MissingExtra
from keywright.core.result_rows import Kinds

BETWEEN: Final = "; "
"""Separator of the parts of a list in one text, such as the keyphrases of a document."""
LIBRARIES: Final = ("pandas", "polars", "pyarrow")
"""Libraries of tables, the preferred first."""
_TEXTS_OF_THEIR_OWN: Final = 3
"""Version of pandas from which texts have a type of their own: its release notes, 3.0."""


def data_frame(columns: Mapping[str, Sequence[Any]], kinds: Kinds, library: str | None = None) -> Any:
    """Return columns as a table.

    Args:
        columns: values by name, all of one length.
        kinds: types by name, ``object`` for any of the library; None stands for a missing value of any type.
        library: ``pandas``, ``polars`` or ``pyarrow``; None takes the first that is installed.

    Raises:
        BadParameter: there is no such library.
        MissingExtra: it is not installed, or none is.
    """
    library = check_library(library) or installed_library()
    if not is_installed(library):
        raise MissingExtra(
            f"a table of {library} needs the package {library}, which is not installed", f"pip install {library}"
        )
    whole = {
        name: [_encodable(value) for value in values] if kinds[name] is str else list(values)
        for name, values in columns.items()
    }
    build = {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}[library]
    return build(whole, {name: kinds[name] for name in columns})


def column_kind(values: Iterable[Any]) -> type:
    """Return the type that all values of a column have: numbers, true and false, dates (``object``), else texts."""
    types = {type(value) for value in values if value is not None}
    if types and types <= {int, float, bool}:
        return types.pop() if len(types) == 1 else float if bool not in types else str
    if types and all(issubclass(kind, dt.date) for kind in types):
        return object
    return str


def as_column(values: Sequence[Any]) -> tuple[list[Any], type]:
    """Return values of any types as one column, and its type; values of different types become texts."""
    kind = column_kind(values)
    if kind is object:
        return list(values), kind
    return [None if value is None else as_text(value) if kind is str else kind(value) for value in values], kind


def as_text(value: Any) -> str:
    """Return a value as text: lists joined, true and false as words."""
    if isinstance(value, list | tuple):
        return BETWEEN.join(map(as_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_library(library: str | None) -> str | None:
    """Return the name of a library, or None; raise ``BadParameter`` for any other value."""
    if library is not None and library not in LIBRARIES:
        raise BadParameter(f"no tables of {library!r} can be made", f"expected one of: {', '.join(LIBRARIES)}")
    return library


def installed_library() -> str:
    """Return the preferred library among those that are installed.

    Raises:
        MissingExtra: there is none.
    """
    for library in LIBRARIES:
        if is_installed(library):
            return library
    raise MissingExtra("a table needs one of pandas, polars and pyarrow, and none is installed", "pip install pandas")


def is_installed(library: str) -> bool:
    """Return whether a library can be imported."""
    try:
        importlib.import_module(library)
    except ImportError:
        return False
    return True


def _pandas(columns: dict[str, list[Any]], kinds: Kinds) -> Any:
    import pandas as pd  # noqa: PLC0415 - optional

    text = "str" if int(pd.__version__.partition(".")[0]) >= _TEXTS_OF_THEIR_OWN else "object"
    # Int64 has missing values; the plain type of whole numbers would print ranks as 1.0 where one is missing.
    types = {str: text, int: "Int64", float: "float64", bool: "boolean", list: "object"}
    series = {name: pd.Series(values, dtype=types.get(kinds[name])) for name, values in columns.items()}
    return pd.DataFrame(series)


def _polars(columns: dict[str, list[Any]], kinds: Kinds) -> Any:
    import polars as pl  # noqa: PLC0415 - optional

    types: dict[type, Any] = {
        str: pl.String,
        int: pl.Int64,
        float: pl.Float64,
        bool: pl.Boolean,
        list: pl.List(pl.String),
    }
    return pl.DataFrame(columns, schema={name: types.get(kinds[name]) for name in columns})


def _pyarrow(columns: dict[str, list[Any]], kinds: Kinds) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - optional

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), list: pa.list_(pa.string())}
    return pa.table({name: pa.array(values, types.get(kinds[name])) for name, values in columns.items()})


def _encodable(value: str | None) -> str | None:
    """Return a text without lone surrogates, which names of files may hold and tables cannot."""
    if value is None or value.isascii():
        return value
    return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def records_frame(records: Iterable[Mapping[str, Any]], kinds: Kinds, library: str | None = None) -> Any:
    """Return records with the same keys as a table; empty without records."""
    rows = list(records)
    return data_frame({name: [row[name] for row in rows] for name in kinds}, kinds, library)
