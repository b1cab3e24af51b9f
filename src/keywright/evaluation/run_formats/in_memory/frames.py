"""Tables and columns of pandas, polars, pyarrow and others, through narwhals; no such library is imported here.

Long tables have one row for each phrase: ``id``, ``keyphrase`` and perhaps ``rank`` or ``score``. Wide tables have one
row for each document: ``keyphrases``, a list, and perhaps ``id`` and texts.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.extras import needs_extra
from keywright.evaluation.run_formats.format import GOLD, finite, note
from keywright.evaluation.run_formats.in_memory.column_names import (
    IDS,
    PHRASE_LISTS,
    PHRASES,
    chosen,
    column,
    missing,
)
from keywright.evaluation.run_formats.in_memory.huggingface_rows import is_huggingface
from keywright.evaluation.run_formats.in_memory.labelled_lists import (
    PhraseLists,
    from_records,
    from_sequence,
    is_missing,
    name_of,
)

_LIBRARIES: Final = frozenset({"cudf", "dask", "duckdb", "ibis", "modin", "pandas", "polars", "pyarrow", "pyspark"})
"""Libraries of tables that narwhals reads."""

Columns = Mapping[str, Sequence[Any]]


def is_frame(value: Any) -> bool:
    """Return whether a value is a table or a column of a library that narwhals reads."""
    return any(kind.__module__.partition(".")[0] in _LIBRARIES for kind in type(value).__mro__)


def from_frame(value: Any) -> PhraseLists:
    """Read a table, or a column of lists in the order of the documents.

    Raises:
        MissingExtra: narwhals is not installed.
        BadRecord: a column is missing, or a row is broken; the message names it.
    """
    with needs_extra("tables", "tables need the package narwhals"):
        import narwhals as nw  # noqa: PLC0415 - optional, and only tables need it
    frame = nw.from_native(value, allow_series=True)
    if isinstance(frame, nw.Series):
        return from_sequence(frame.to_list())
    columns = (frame.collect() if isinstance(frame, nw.LazyFrame) else frame).to_dict(as_series=False)
    return _from_columns({str(name): cells for name, cells in columns.items()})


def _from_columns(columns: Columns) -> PhraseLists:
    lists, single = chosen(columns, PHRASE_LISTS), chosen(columns, PHRASES)
    if lists is not None and single is not None:
        message = f"the table has the columns {single!r}, one phrase a row, and {lists!r}, one document a row"
        raise BadRecord(message, "leave out one of them")
    if single is not None:
        return _long(columns, single)
    if lists is None and not is_huggingface(columns):
        raise missing("keyphrase", columns, "the table")
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return from_records(records, "table", "row")


def _long(columns: Columns, single: str) -> PhraseLists:
    """Read one row for each phrase, ordered by rank, else by score, else by row, as in CSV files."""
    by_id = column(columns, IDS, "the table")
    orders = _orders(columns)
    kinds = columns.get("by", ())
    rows: dict[str, list[tuple[float, int, GoldKeyphrase]]] = {}
    empty = 0
    for place, (name, phrase, order) in enumerate(zip(columns[by_id], columns[single], orders, strict=True)):
        document = rows.setdefault(name_of(name, f"row {place + 1}"), [])
        if is_missing(phrase) or phrase == "":
            empty += 1
        elif not isinstance(phrase, str):
            hint = "a phrase is a text; lists of phrases belong into a column 'keyphrases'"
            raise BadRecord(f"row {place + 1} has the phrase {phrase!r:.60}", hint)
        else:
            by = kinds[place] if kinds and isinstance(kinds[place], str) else GOLD
            document.append((order, place, GoldKeyphrase((phrase,), by)))
    labelled = tuple(
        LabelledDocument(Document(name, ""), tuple(row[2] for row in sorted(listed, key=lambda row: row[:2])))
        for name, listed in rows.items()
    )
    return PhraseLists("table", labelled, notes=note(empty, "rows have no keyphrase"))


def _orders(columns: Columns) -> Sequence[float]:
    """Return a number for each row that is lower for better phrases; 0 where only the order of rows says it."""
    rank, score = chosen(columns, ("rank",)), chosen(columns, ("score",))
    name, sign = (rank, 1.0) if rank is not None else (score, -1.0)
    if name is None:
        return [0.0] * len(next(iter(columns.values()), ()))
    orders = []
    for place, cell in enumerate(columns[name], start=1):
        try:
            orders.append(sign * finite(str(cell), name))
        except ValueError as error:
            raise BadRecord(f"row {place}: {error}", "give every row a number, or leave the column out") from None
    return orders
