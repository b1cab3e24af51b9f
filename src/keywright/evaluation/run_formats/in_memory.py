"""Any predictions or gold in memory, told by their type, and phrases by document from rows with named fields.

Containers are lists of lists, dicts by id, records, and tables: tables and columns of pandas, polars, pyarrow and
others are read through narwhals; no such library is imported here. Long tables have one row for each phrase: ``id``,
``keyphrase`` and perhaps ``rank`` or ``score``. Wide tables, and records, have one row for each document:
``keyphrases``, a list, and perhaps ``id`` and texts, or the fields of keyphrase data sets on Hugging Face: tokens, and
extractive and abstractive keyphrases.
"""

import difflib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, needs_extra
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction, Run
from keywright.evaluation.run_formats import format as frame
from keywright.evaluation.run_formats.format import GOLD, LoadedRun, PhraseLists, count_note
from keywright.reading.formats.jsonl import document_of_record
from keywright.reading.model_lists import has_marks, parse_model_list

Fields: TypeAlias = Mapping[str, Any]
Row: TypeAlias = tuple[str, Fields]  # the place of a row, for messages, and its fields
IDS: Final = ("id", "doc_id", "document_id", "docno")  # columns of ids, the documented name first
MORE_IDS: Final = ("doc", "file", "filename")  # columns of ids where there is none of ``IDS``
PHRASES: Final = ("keyphrase", "phrase", "keyword", "term")  # columns with one phrase a row, the documented name first
PHRASE_LISTS: Final = ("keyphrases", "keywords", "phrases")  # columns with all phrases of a document, in the same order
ANSWERS: Final = ("output", "response", "answer", "completion", "prediction", "predictions", "generated_text", "result")
"""Columns with the answer of a language model, read where there is none of ``PHRASE_LISTS``."""
_LISTED: Final = ("extractive_keyphrases", "abstractive_keyphrases")
_TAGS: Final = "doc_bio_tags"
_TEXTS: Final = ("title", "abstract", "text")  # keys of a record with text, as in labelled JSON Lines
_PAIR: Final = 2  # a phrase and its score
# Libraries of tables that narwhals reads.
_LIBRARIES: Final = frozenset({"cudf", "dask", "duckdb", "ibis", "modin", "pandas", "polars", "pyarrow", "pyspark"})
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
    if not items or not all(isinstance(item, Prediction | Failure) for item in items):
        return _convert_lists(value, items).as_run()
    ids = tuple(outcome.document_id for outcome in items)
    if len(set(ids)) < len(ids):  # only the order counts
        return _gold_of_outcomes(items).as_run()
    predictions = tuple(outcome for outcome in items if isinstance(outcome, Prediction))
    failures = tuple(outcome for outcome in items if isinstance(outcome, Failure))
    return LoadedRun("predictions", Run("predictions", "", "", predictions, failures), order=ids)


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
    return () if _is_frame(value) or isinstance(value, Mapping) or not isinstance(value, Iterable) else tuple(value)


def _gold_of_outcomes(outcomes: Sequence[Prediction | Failure]) -> PhraseLists:
    """Return predictions in the place of gold, to measure how far two systems agree; lists where ids repeat."""
    texts = [outcome.texts if isinstance(outcome, Prediction) else () for outcome in outcomes]
    ids = [outcome.document_id for outcome in outcomes]
    if len(set(ids)) < len(ids):
        return from_sequence(texts)
    documents = (frame.label_document(Document(name, ""), phrases) for name, phrases in zip(ids, texts, strict=True))
    return PhraseLists("predictions", tuple(documents))


def _is_frame(value: Any) -> bool:
    return any(kind.__module__.partition(".")[0] in _LIBRARIES for kind in type(value).__mro__)


def _convert_lists(value: Any, items: Sequence[Any]) -> PhraseLists:
    if _is_frame(value):
        lists = _from_frame(value)
    elif isinstance(value, Mapping):
        ids = [parse_id(name, "a key of the dict") for name in value]
        rows = [(f"document {key!r}", {"id": name}) for key, name in zip(value, ids, strict=True)]
        lists = collect_rows("dict", rows, list(value.values()), "id", rows_are="keys")
    elif not isinstance(value, Iterable):
        raise BadParameter(f"{value!r:.60} of type {type(value).__name__} is not a list of phrases", _EXPECTED)
    elif items and all(isinstance(item, Mapping) for item in items):
        lists = _from_records(items, "records", "record")
    else:
        flat = next((place for place, item in enumerate(items) if isinstance(item, str)), None)
        if flat is not None:  # phrases of one document in the place of documents
            message = f"item {flat + 1} is the text {items[flat]!r:.60}, not a list of phrases"
            raise BadRecord(message, 'one list for each document: for a single document [["a phrase", "another"]]')
        odd = next((item for item in items if not isinstance(item, Iterable) and not is_missing(item)), None)
        if odd is not None:
            raise BadRecord(f"{odd!r:.60} of type {type(odd).__name__} is not a list of phrases", _EXPECTED)
        lists = from_sequence(items)
    if not lists.labelled:
        raise BadParameter("there is no document to score", _EXPECTED)
    return lists


def _from_frame(value: Any) -> PhraseLists:
    """Read a table, or a column of lists in the order of the documents; errors name a missing column or broken row."""
    with needs_extra("tables", "tables need the package narwhals"):
        import narwhals as nw  # noqa: PLC0415 - optional, and only tables need it
    table = nw.from_native(value, allow_series=True)
    if isinstance(table, nw.Series):
        return from_sequence(table.to_list())
    cells = (table.collect() if isinstance(table, nw.LazyFrame) else table).to_dict(as_series=False)
    columns = {str(name): column for name, column in cells.items()}
    lists, single = choose_name(columns, PHRASE_LISTS), choose_name(columns, PHRASES)
    if lists is not None and single is not None:
        message = f"the table has the columns {single!r}, one phrase a row, and {lists!r}, one document a row"
        raise BadRecord(message, "leave out one of them")
    if single is not None:
        return _read_long_table(columns, single)
    if lists is None and not is_huggingface(columns):
        raise missing_name_error("keyphrase", columns, "the table")
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return _from_records(records, "table", "row")


def _read_long_table(columns: Mapping[str, Sequence[Any]], single: str) -> PhraseLists:
    """Read one row for each phrase, ordered by rank, else by score, else by row, as in CSV files."""
    by_id = require_name(columns, IDS, "the table")
    rank, score = choose_name(columns, ("rank",)), choose_name(columns, ("score",))
    ordered_by, sign = (rank, 1.0) if rank is not None else (score, -1.0)
    orders = [0.0] * len(columns[single])
    for place, cell in enumerate(columns[ordered_by] if ordered_by is not None else ()):
        try:
            orders[place] = sign * frame.parse_finite(str(cell), str(ordered_by))
        except ValueError as error:
            hint = "give every row a number, or leave the column out"
            raise BadRecord(f"row {place + 1}: {error}", hint) from None
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


def _from_records(records: Sequence[Fields], form: str, row: str) -> PhraseLists:
    """Read one record for each document: phrases, perhaps an id, texts, and ``by``; without ids they are numbered."""
    names = tuple(dict.fromkeys(name for record in records for name in record))
    if is_huggingface(names) and choose_name(names, PHRASE_LISTS) is None:
        records = [
            {**record, "keyphrases": collect_phrases(record), "text": join_tokens(record.get("document"))}
            for record in records
        ]
        names = (*names, "keyphrases")
    field = require_name(names, PHRASE_LISTS, f"the {form}")
    rows = [(f"{row} {number}", record) for number, record in enumerate(records, start=1)]
    values = [record.get(field) for record in records]
    return collect_rows(form, rows, values, choose_id(names), make_document, rows_are=f"{row}s", by="by")


def from_sequence(lists: Sequence[Any]) -> PhraseLists:
    """Read lists of phrases in the order of the documents."""
    return collect_rows("lists", [(f"document {number + 1}", {}) for number in range(len(lists))], lists, None)


def collect_rows(  # noqa: PLR0913 - keywords, of which most callers need few
    form: str,  # name of the format
    rows: Sequence[Row],
    values: Sequence[Any],  # phrases of each row, see ``parse_phrase_list``
    by_id: str | None,  # field of the ids; None where rows have none, and are numbered
    # Returns the document from its id and the fields of its first row.
    document: Callable[[str, Fields], Document] = lambda name, _: Document(name, ""),
    *,
    rows_are: str = "rows",  # name of rows in messages
    by: str | None = None,  # field of the kind of gold
    joined: bool = False,  # whether rows with the same id are joined; else they are refused
) -> PhraseLists:
    """Return the phrases of rows by document."""
    ids = [str(number + 1) for number in range(len(rows))]
    if by_id is not None:
        ids = [parse_id(fields.get(by_id), place) for place, fields in rows]
    first: dict[str, int] = {}
    for number, name in enumerate(ids, start=1):
        if first.setdefault(name, number) != number and not joined:
            message = f"{rows_are} {first[name]} and {number} have the same id {name!r}"
            raise BadRecord(message, "every document needs a different id")
    entries: dict[str, tuple[GoldKeyphrase, ...]] = dict.fromkeys(ids, ())
    for name, (place, fields), value in zip(ids, rows, values, strict=True):
        kind = fields.get(by) if by else None
        entries[name] += parse_phrase_list(value, place, kind if isinstance(kind, str) else GOLD)
    labelled = (LabelledDocument(document(name, rows[first[name] - 1][1]), entries[name]) for name in entries)
    notes = count_note(len(ids) - len(first), "rows were joined to an earlier row with the same id")
    missing = count_note(sum(map(is_missing, values)), "documents have no list: no phrases")
    return PhraseLists(form, tuple(labelled), by_id is None, notes + missing)


def choose_name(names: Collection[str], accepted: Sequence[str]) -> str | None:
    """Return the name that is the first of ``accepted``, else the only other one among them; case does not count."""
    by_form = {name.strip().casefold(): name for name in names}
    matches = [by_form[form] for form in accepted if form in by_form]
    if len(matches) > 1 and accepted[0] not in by_form:
        raise BadRecord(f"both {' and '.join(map(repr, matches))} are there", f"rename one of them to {accepted[0]!r}")
    return matches[0] if matches else None


def choose_id(names: Collection[str]) -> str | None:
    """Return the column of ids; in results of a batch ``custom_id``, as ``id`` is that of the request."""
    return choose_name(names, ("custom_id",)) or choose_name(names, IDS) or choose_name(names, MORE_IDS)


def require_name(names: Collection[str], accepted: Sequence[str], what: str, kind: str = "column") -> str:
    """Return the name of a column that must be there; the error for a missing one has the nearest name."""
    if (name := choose_name(names, accepted)) is None:
        raise missing_name_error(accepted[0], names, what, kind)
    return name


def missing_name_error(name: str, names: Collection[str], what: str, kind: str = "column") -> BadRecord:
    """Return the error for a missing column or field, with those that are there and the nearest."""
    near = difflib.get_close_matches(name, list(names), n=1)
    suggestion = f"; is it {near[0]!r}?" if near else ""
    return BadRecord(f"{what} has no {kind} {name!r}", f"there are {', '.join(map(repr, names)) or 'none'}{suggestion}")


def is_huggingface(fields: Collection[str]) -> bool:
    """Return whether the fields of a row are those of data sets on Hugging Face."""
    return "document" in fields and not {*_LISTED, _TAGS}.isdisjoint(fields)


def collect_phrases(fields: Fields) -> list[Any]:
    """Return extractive, then abstractive phrases; without both, those that the tags mark."""
    lists = [_to_list(fields[name]) for name in _LISTED if fields.get(name) is not None]
    if lists:
        return [phrase for phrases in lists for phrase in phrases]
    tokens, tags = _to_list(fields.get("document")), _to_list(fields.get(_TAGS))
    if not isinstance(tokens, list) or not isinstance(tags, list):
        return []
    phrases: list[list[str]] = []
    inside = False
    for token, tag in zip(tokens, tags, strict=False):  # B begins a phrase, I continues it, all else ends it
        if tag == "B":
            phrases.append([])
        inside = tag == "B" or (inside and tag == "I")
        if inside:
            phrases[-1].append(str(token))
    return list(map(" ".join, phrases))


def join_tokens(value: Any) -> str:
    """Return a text of tokens; a text unchanged, and nothing for a missing value."""
    value = _to_list(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _to_list(value: Any) -> Any:  # arrays are what tables hold in place of lists
    return value.tolist() if hasattr(value, "tolist") else value


def parse_phrase_list(value: Any, where: str, by: str = GOLD) -> tuple[GoldKeyphrase, ...]:
    """Return the phrases of one document; a missing value is an empty list.

    A phrase is a string, a pair of a string and a score, a keyphrase or a record with its text, or, for gold, a list of
    accepted forms; an answer of a language model is a list if all its items are phrases. The order counts; scores are
    not read. Raises BadRecord: the value is not a list of phrases; the message has ``where``.
    """
    value = _to_list(() if is_missing(value) else value)
    if isinstance(value, str) and has_marks(value) and not (answer := parse_model_list(value)).dropped:
        value = answer.phrases
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        hint = "expected a list of phrases for each document, such as ['grid computing', 'tides'], or text.split(';')"
        raise BadRecord(f"{where} has {'the text ' * isinstance(value, str)}{value!r:.60}, not a list of phrases", hint)
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)  # an order that does not change from call to call
    return tuple(GoldKeyphrase(_accepted_forms(phrase, where), by) for phrase in value)


def _accepted_forms(phrase: Any, where: str) -> tuple[str, ...]:
    phrase = _to_list(phrase)
    if isinstance(phrase, str):
        return (phrase,)
    if isinstance(phrase, Keyphrase):
        return (phrase.text,)
    if isinstance(phrase, Mapping):
        name = next((name for name in ("text", *PHRASES) if isinstance(phrase.get(name), str)), None)
        if name:
            return (phrase[name],)
    elif isinstance(phrase, list | tuple) and phrase and isinstance(phrase[0], str):
        if len(phrase) == _PAIR and isinstance(phrase[1], int | float):
            return (phrase[0],)
        if all(isinstance(form, str) for form in phrase):
            return tuple(phrase)
    raise BadRecord(f"{where} has the phrase {phrase!r:.60}", "a phrase is a text, such as 'grid computing'")


def is_missing(value: Any) -> bool:
    """Return whether a value of a table is missing: None, nan, or pandas' NA."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"


def parse_id(value: Any, where: str) -> str:
    """Return an id as text."""
    if is_missing(value) or value == "" or not isinstance(value, str | int | float):
        if not hasattr(value, "item"):
            raise BadRecord(f"{where} has {value!r:.60} as id", "every document needs an id, a text or a number")
        value = value.item()
    return str(value)


def make_document(name: str, record: Fields) -> Document:
    """Return a document with the texts of a record, which may have none."""
    texts = {key: record[key] for key in _TEXTS if isinstance(record.get(key), str) and record[key].strip()}
    return document_of_record({"id": name, **texts}) if texts else Document(name, "")
