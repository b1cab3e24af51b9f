"""Keyphrases that are there already: results of ``extract``, and columns of tables."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from keywright.collecting.store import PhrasesOfDocument, PhraseUse, finish_document
from keywright.core.errors import BadParameter, BadRecord, KeywrightError
from keywright.core.json_values import check_object
from keywright.core.predictions import Failure
from keywright.core.records import read_outcome
from keywright.reading.file_names import read_bytes
from keywright.reading.formats.references import KEYWORD_FIELDS, META_TAGS
from keywright.reading.headings import split_keywords
from keywright.reading.language_identification import detect_language, find_language
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import DEFAULT_LIMITS, Unread
from keywright.reading.tables.delimited import delimited_rows
from keywright.reading.tables.files import open_table, table_format
from keywright.reading.tables.rows import Row, Rows, check_column, columns_there, id_text, is_missing, plain_value

Item: TypeAlias = PhrasesOfDocument | Failure

_LONG: Final = frozenset({"id", "rank", "keyphrase"})  # columns of results with a row a keyphrase
_TEXTS: Final = ("title", "ti", "abstract", "ab", "n2", "t1")
_IDS: Final = ("id", "eid", "ut", "doi", "di", "pmid")
"""Columns of ids, in lower case; *id* is a column of keywords in exports of Web of Science."""


@dataclass(frozen=True, slots=True)
class FinishedColumns:
    """Columns or keys of finished keyphrases and ids, None for usual names, and language; ``tell`` takes notes."""

    phrases: str | None = None
    id: str | None = None
    language: str | None = None
    tell: Callable[[str], None] = lambda _note: None

    def make(self, name: str, phrases: Iterable[str], text: str, meta: Mapping[str, Any]) -> PhrasesOfDocument:
        """Return a document with phrases that people chose."""
        declared = meta.get("language")
        language = self.language or find_language(declared if isinstance(declared, str) else None)
        language = language or (detect_language(text) if text.strip() else None)
        uses = (PhraseUse(phrase) for phrase in dict.fromkeys(" ".join(phrase.split()) for phrase in phrases))
        return PhrasesOfDocument.make(name, language, uses, text, meta)


def find_reader(file: Unread, columns: FinishedColumns) -> Callable[[], Iterator[Item]] | None:
    """Return a function that yields the finished keyphrases of a file; None for a file of texts."""
    name = file.name.lower()
    form = table_format(name)
    head = file.head(4_096)
    if head.removeprefix(b"\xef\xbb\xbf").startswith(b"PT\t"):  # Web of Science, whose file ends in .txt
        return lambda: _read_rows(delimited_rows(file.path, file.name, DEFAULT_LIMITS), columns)
    if name.endswith(".json") and head.lstrip().startswith(b"["):
        return lambda: _read_outcomes(file)
    if form is not None and (form.name != "JSON Lines" or columns.phrases):
        return lambda: _read_rows(open_table(file.path, file.name, DEFAULT_LIMITS), columns)
    record: Mapping[str, Any] = {}
    with suppress(KeywrightError):  # the first line of a run, or of results of ``extract``
        line = next(iter(file.lines()), None) if form is not None else None
        record = line.record() if isinstance(line, JsonLine) else {}
    phrases = record.get("keyphrases")
    has_phrases = isinstance(phrases, list) and all(isinstance(each, dict) for each in phrases)
    if has_phrases or {"system", "data"} <= record.keys() or {"id", "error"} == set(record) - {"meta"}:
        return lambda: _read_outcomes(file)
    return None


def _read_outcomes(file: Unread) -> Iterator[Item]:
    """Yield the results in a file that ``extract`` or ``run`` wrote."""
    records: Iterable[tuple[str, Any]]
    if file.name.lower().endswith(".json"):
        try:
            listed = json.loads(read_bytes(file.path, file.name, DEFAULT_LIMITS))
        except (ValueError, RecursionError) as error:
            hint = "name a file that `keywright extract` wrote"
            raise BadRecord(f"{file.name} is not valid JSON: {error}", hint) from None
        records = ((f"{file.name}:{number}", record) for number, record in enumerate(listed, start=1))
    else:
        records = ((f"{file.name}:{line.number}", line) for line in file.lines() if isinstance(line, JsonLine))
    for place, record in records:
        try:
            values = record.record() if isinstance(record, JsonLine) else check_object(record)
            if "id" in values or "system" not in values:  # not the header of a run
                yield finish_document(None, read_outcome(values))
        except (KeywrightError, ValueError, TypeError, LookupError) as error:
            expected = BadRecord(f"{place} is not a result of `keywright extract`: {error}", "leave the line out")
            yield Failure.from_error(place, expected)


def _read_rows(table: Rows, columns: FinishedColumns) -> Iterator[Item]:
    """Yield a document for each row, or for the rows of one id in results of ``extract``."""
    for note in table.notes:
        columns.tell(note)
    folded = {name.casefold(): name for name in reversed(table.columns)}
    if folded.keys() >= _LONG and columns.phrases in {None, folded["keyphrase"]}:
        yield from _read_long_rows(table, columns, folded)
        return
    column = columns.phrases or next((folded[name] for name in KEYWORD_FIELDS if name in folded and name != "id"), None)
    column = column or (folded["id"] if "ut" in folded and "id" in folded else None)
    if column is None:
        options = "--phrases-column NAME, or the column of texts: --text-column NAME"
        hint = f"name it: {options}; {columns_there(table.columns)}"
        raise BadParameter(f"{table.name}: no column has a usual name for keyphrases", hint)
    check_column(column, table)
    if not columns.phrases:
        columns.tell(f"{table.name}: keyphrases are read from the column {column!r}")
    ids = columns.id or next((folded[name] for name in _IDS if name in folded and folded[name] != column), None)
    for row in table.rows:
        yield _read_row(row, column, ids, columns)


def _read_row(row: Row, column: str, ids: str | None, columns: FinishedColumns) -> Item:
    label = row.cells.get(ids) if ids else None
    name = row.place if is_missing(label) else id_text(label)
    if row.problem:
        return Failure.from_error(name, BadRecord(f"{row.place}: {row.problem}", "correct the row in the file"))
    value = row.cells.get(column)
    try:
        phrases = list_phrases(value)
    except TypeError:
        problem = f"{row.place}: the cell in column {column!r} holds {value!r:.60}"
        return Failure.from_error(name, BadRecord(problem, "expected phrases with ; between them, or a list of them"))
    plain = {str(key): plain_value(cell) for key, cell in row.cells.items() if key != column}
    cells = {key: cell for key, cell in plain.items() if cell is not None}
    folded = {key.casefold(): str(cell) for key, cell in cells.items()}
    text = ". ".join(folded[key] for key in _TEXTS if folded.get(key))
    renamed = {META_TAGS[key]: cell for key, cell in cells.items() if key in META_TAGS}
    return columns.make(name, phrases, text, {**renamed, **cells})


def list_phrases(value: Any) -> list[str]:
    """Return the phrases in a cell: a text with separators, a list, or a list of lists of forms, the first of each."""
    if is_missing(value):
        return []
    if isinstance(value, str):
        if value.startswith("["):
            try:
                return list_phrases(json.loads(value))
            except ValueError:
                pass
        return value.split("|") if "|" in value and ";" not in value else split_keywords(value)
    phrases = [each[0] if isinstance(each, list) and each else each for each in value]
    if not all(isinstance(phrase, str) for phrase in phrases):
        raise TypeError
    return phrases


def _read_long_rows(table: Rows, columns: FinishedColumns, folded: Mapping[str, str]) -> Iterator[Item]:
    """Yield the documents of rows with one keyphrase each, those of one document behind each other."""
    for label, grouped in groupby(table.rows, key=lambda row: row.cells.get(folded["id"])):
        rows = list(grouped)
        uses = []
        for row in rows:
            phrase, probability = row.cells.get(folded["keyphrase"]), row.cells.get(folded.get("probability", ""))
            if row.problem or is_missing(phrase):
                continue
            try:
                chance = 1.0 if is_missing(probability) else float(str(probability))
            except ValueError:
                chance = -1.0
            if not 0 <= chance <= 1:
                problem = f"{row.place}: probability {probability!r:.40} is not a number from 0 to 1"
                yield Failure.from_error(id_text(label), BadRecord(problem, "correct the cell"))
                break
            uses.append(PhraseUse(str(phrase), chance))
        else:
            yield PhrasesOfDocument.make(id_text(label), columns.language, uses, "", {})
