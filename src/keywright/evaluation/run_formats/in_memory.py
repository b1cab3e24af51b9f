"""Conversion of any predictions or gold in memory, told by their type.

Tables and columns of pandas, polars, pyarrow and others are read through narwhals; no such library is imported here.
Long tables have one row for each phrase: ``id``, ``keyphrase`` and perhaps ``rank`` or ``score``. Wide tables have one
row for each document: ``keyphrases``, a list, and perhaps ``id`` and texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, needs_extra
from keywright.core.predictions import Failure, Prediction, Run
from keywright.evaluation.run_formats.format import (
    GOLD,
    LoadedRun,
    PhraseLists,
    count_note,
    label_document,
    parse_finite,
)
from keywright.evaluation.run_formats.phrase_lists import (
    IDS,
    PHRASE_LISTS,
    PHRASES,
    choose_name,
    from_mapping,
    from_records,
    from_sequence,
    is_huggingface,
    is_missing,
    missing_name_error,
    parse_id,
    require_name,
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
    lists, single = choose_name(columns, PHRASE_LISTS), choose_name(columns, PHRASES)
    if lists is not None and single is not None:
        message = f"the table has the columns {single!r}, one phrase a row, and {lists!r}, one document a row"
        raise BadRecord(message, "leave out one of them")
    if single is not None:
        return _read_long_table(columns, single)
    if lists is None and not is_huggingface(columns):
        raise missing_name_error("keyphrase", columns, "the table")
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return from_records(records, "table", "row")


def _read_long_table(columns: Columns, single: str) -> PhraseLists:
    """Read one row for each phrase, ordered by rank, else by score, else by row, as in CSV files."""
    by_id = require_name(columns, IDS, "the table")
    orders = _order_rows(columns)
    kinds = columns.get("by", ())
    rows: dict[str, list[tuple[float, int, GoldKeyphrase]]] = {}
    empty = 0
    for place, (name, phrase, order) in enumerate(zip(columns[by_id], columns[single], orders, strict=True)):
        document = rows.setdefault(parse_id(name, f"row {place + 1}"), [])
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
    return PhraseLists("table", labelled, notes=count_note(empty, "rows have no keyphrase"))


def _order_rows(columns: Columns) -> Sequence[float]:
    """Return a number for each row that is lower for better phrases; 0 where only the order of rows says it."""
    rank, score = choose_name(columns, ("rank",)), choose_name(columns, ("score",))
    name, sign = (rank, 1.0) if rank is not None else (score, -1.0)
    if name is None:
        return [0.0] * len(next(iter(columns.values()), ()))
    orders = []
    for place, cell in enumerate(columns[name], start=1):
        try:
            orders.append(sign * parse_finite(str(cell), name))
        except ValueError as error:
            raise BadRecord(f"row {place}: {error}", "give every row a number, or leave the column out") from None
    return orders


_EXPECTED: Final = (
    "expected a list of phrases for each document ([[...], [...]]), a dict by id ({id: [...]}), a table with the "
    "columns id and keyphrase, predictions, a run, or the name of a file"
)


def run_in_memory(value: Any) -> LoadedRun:
    """Return predictions from a run, results of ``extract``, lists of phrases, a dict or a table.

    Raises:
        BadRecord, BadParameter: it is none of these, or breaks its form; the message names the document.
        MissingExtra: a table, and narwhals is not installed.
    """
    if isinstance(value, LoadedRun):
        return value
    if isinstance(value, Run):
        return LoadedRun("keywright", value)
    items = _list_items(value)
    if items and all(isinstance(item, Prediction | Failure) for item in items):
        return _convert_outcomes(items)
    return _convert_lists(value, items).as_run()


def gold_in_memory(value: Any) -> PhraseLists:
    """Return gold from labelled documents or from anything that ``run_in_memory`` takes."""
    if isinstance(value, PhraseLists):
        return value
    if isinstance(value, Run):
        value = (*value.predictions, *value.failures)
    items = _list_items(value)
    if items and all(isinstance(item, LabelledDocument) for item in items):
        return PhraseLists("labelled", tuple(items))
    if items and all(isinstance(item, Prediction | Failure) for item in items):
        return _gold_of_outcomes(items)
    return _convert_lists(value, items)


def _list_items(value: Any) -> Sequence[Any]:
    """Return the items of an iterable that is neither a table nor a dict, consumed once; empty for anything else."""
    if isinstance(value, Prediction):
        return (value,)
    if is_frame(value) or isinstance(value, Mapping) or not isinstance(value, Iterable):
        return ()
    return tuple(value)


def _convert_lists(value: Any, items: Sequence[Any]) -> PhraseLists:
    if is_frame(value):
        lists = from_frame(value)
    elif isinstance(value, Mapping):
        lists = from_mapping(value)
    elif not isinstance(value, Iterable):
        raise BadParameter(f"{value!r:.60} of type {type(value).__name__} is not a list of phrases", _EXPECTED)
    elif items and all(isinstance(item, Mapping) for item in items):
        lists = from_records(items)
    else:
        _check_lists(items)
        lists = from_sequence(items)
    if not lists.labelled:
        raise BadParameter("there is no document to score", _EXPECTED)
    return lists


def _check_lists(items: Sequence[Any]) -> None:
    """Refuse phrases of one document in the place of documents."""
    flat = next((place for place, item in enumerate(items) if isinstance(item, str)), None)
    if flat is not None:
        message = f"item {flat + 1} is the text {items[flat]!r:.60}, not a list of phrases"
        raise BadRecord(message, 'one list for each document: for a single document [["a phrase", "another"]]')
    odd = next((item for item in items if not isinstance(item, Iterable) and not is_missing(item)), None)
    if odd is not None:
        raise BadRecord(f"{odd!r:.60} of type {type(odd).__name__} is not a list of phrases", _EXPECTED)


def _convert_outcomes(outcomes: Sequence[Prediction | Failure]) -> LoadedRun:
    """Return a run of results of ``extract``; where ids repeat, only their order counts."""
    ids = tuple(outcome.document_id for outcome in outcomes)
    if len(set(ids)) < len(ids):
        return _gold_of_outcomes(outcomes).as_run()
    predictions = tuple(outcome for outcome in outcomes if isinstance(outcome, Prediction))
    failures = tuple(outcome for outcome in outcomes if isinstance(outcome, Failure))
    return LoadedRun("predictions", Run("predictions", "", "", predictions, failures), order=ids)


def _gold_of_outcomes(outcomes: Sequence[Prediction | Failure]) -> PhraseLists:
    """Return predictions in the place of gold, to measure how far two systems agree; lists where ids repeat."""
    texts = [outcome.texts if isinstance(outcome, Prediction) else () for outcome in outcomes]
    ids = [outcome.document_id for outcome in outcomes]
    if len(set(ids)) < len(ids):
        return from_sequence(texts)
    documents = (label_document(Document(name, ""), phrases) for name, phrases in zip(ids, texts, strict=True))
    return PhraseLists("predictions", tuple(documents))
