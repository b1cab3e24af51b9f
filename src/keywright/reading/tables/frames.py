"""Tables in memory, of pandas, polars or pyarrow, row by row through narwhals."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from keywright.core.data_frames import LIBRARIES
from keywright.core.errors import BadParameter
from keywright.core.extras import needs_extra
from keywright.reading.tables.rows import Row, Rows

if TYPE_CHECKING:
    import narwhals as nw

_NAME: Final = "the table"


def as_frame(table: Any) -> "nw.DataFrame[Any] | None":
    """Return a table of a library through narwhals; None for any other value.

    A lazy table is computed.

    Raises:
        MissingExtra: narwhals is not installed.
        BadParameter: a column in place of a table, or a table of another library.
    """
    modules = {kind.__module__.partition(".")[0] for kind in type(table).__mro__}
    if not modules & set(LIBRARIES):
        return None
    with needs_extra("tables", "tables need the package narwhals"):
        import narwhals as nw  # noqa: PLC0415 - optional
    try:
        frame = nw.from_native(table)
    except (TypeError, ValueError) as error:
        hint = "pass a whole table; a column goes to kw.extract(column).to_frame()"
        raise BadParameter(
            f"{type(table).__name__} is not a table that can be read: {str(error).splitlines()[0]}", hint
        ) from error
    frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    if other := [name for name in frame.columns if not isinstance(name, str)]:
        hint = "make texts of them: table.columns = table.columns.map(str)"
        raise BadParameter(f"the table has names of columns that are not texts, such as {other[0]!r}", hint)
    return frame


def library_of(frame: "nw.DataFrame[Any]") -> str:
    """Return the name of the library of a table."""
    return next(name for name in LIBRARIES if name == str(frame.implementation.name).lower())


def frame_rows(frame: "nw.DataFrame[Any]", columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table with these columns; their places are the index of pandas, else ``row-1``, ``row-2``."""
    labels = getattr(frame.to_native(), "index", None)
    places = (f"row-{number}" for number in range(1, len(frame) + 1)) if labels is None else map(_label, labels)
    for place, cells in zip(places, frame.select(list(columns)).iter_rows(named=True), strict=True):
        yield Row(place, cells)


def rows_of_frame(frame: "nw.DataFrame[Any]") -> Rows:
    """Return a table whose rows are not read."""
    return Rows(_NAME, tuple(map(str, frame.columns)), iter(()))


def _label(label: Any) -> str:
    return "/".join(map(str, label)) if isinstance(label, tuple) else str(label)
