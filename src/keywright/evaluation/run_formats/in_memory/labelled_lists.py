"""Phrases by document from Python's containers: lists of lists, dicts by id, records with an id and phrases."""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.predictions import Keyphrase, Prediction, Run
from keywright.evaluation.run_formats.format import GOLD, LoadedRun, no_predictions, note, ranked
from keywright.evaluation.run_formats.in_memory.column_names import PHRASE_LISTS, PHRASES, chosen, column
from keywright.evaluation.run_formats.in_memory.huggingface_rows import is_huggingface, plain_record
from keywright.reading.jsonl import document_of_record

_EXPECTED: Final = 'expected a list of phrases for each document, such as [["grid computing", "scheduling"], ["tides"]]'
_TEXTS: Final = ("title", "abstract", "text")
"""Keys of a record with text, as in labelled JSON Lines."""
_PAIR: Final = 2  # a phrase and its score


@dataclass(frozen=True, slots=True)
class PhraseLists:
    """Phrases by document, as predictions or as gold.

    Attributes:
        form: kind of container or file, part of the signature of a run.
        labelled: documents, with empty texts where there are none, and their phrases, best first.
        numbered: whether ids are only positions, from ``"1"``.
        notes: messages for the user on what was left out or looks odd.
    """

    form: str
    labelled: tuple[LabelledDocument[Document], ...]
    numbered: bool = False
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the documents, in order."""
        return tuple(labelled.id for labelled in self.labelled)

    def as_run(self) -> LoadedRun:
        """Return the phrases as predictions.

        Raises:
            BadRecord: a phrase has several forms, which only gold has.
        """
        predictions = tuple(Prediction(labelled.id, tuple(_predicted(labelled))) for labelled in self.labelled)
        content = repr([(prediction.document_id, prediction.texts) for prediction in predictions])
        digits = hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        run = Run(f"{self.form}|sha256:{digits}", "", "", predictions)
        return LoadedRun(self.form, run, self.notes + no_predictions(run), self.numbered)


def _predicted(labelled: LabelledDocument[Document]) -> Iterator[Keyphrase]:
    for phrase in labelled.gold:
        if len(phrase.forms) > 1:
            message = f"document {labelled.id!r} has {phrase.forms!r:.80} as one prediction"
            hint = "only gold has several forms of a phrase: are predictions and gold in each other's place?"
            raise BadRecord(message, hint)
    for text, score in ranked(phrase.forms[0] for phrase in labelled.gold):
        yield Keyphrase(text, score)


def from_sequence(lists: Sequence[Any]) -> PhraseLists:
    """Read lists of phrases in the order of the documents."""
    labelled = tuple(
        LabelledDocument(Document(str(number), ""), phrases(value, f"document {number}"))
        for number, value in enumerate(lists, start=1)
    )
    return PhraseLists("lists", labelled, numbered=True, notes=_missing_lists(lists))


def from_mapping(lists: Mapping[Any, Any]) -> PhraseLists:
    """Read lists of phrases by id; ids become text."""
    labelled = tuple(
        LabelledDocument(Document(name_of(name, "a key of the dict"), ""), phrases(value, f"document {name!r}"))
        for name, value in lists.items()
    )
    check_distinct([each.id for each in labelled], "keys")
    return PhraseLists("dict", labelled, notes=_missing_lists(lists.values()))


def from_records(records: Sequence[Mapping[str, Any]], form: str = "records", rows: str = "record") -> PhraseLists:
    """Read one record for each document: phrases, perhaps an id, texts as in labelled JSON Lines, and ``by``.

    Without any id the documents are numbered. ``rows``: name of a record in messages.
    """
    names = tuple(dict.fromkeys(name for record in records for name in record))
    if is_huggingface(names) and chosen(names, PHRASE_LISTS) is None:
        records, names = [plain_record(record) for record in records], (*names, "keyphrases")
    values = column(names, PHRASE_LISTS, f"the {form}")
    by_id = chosen(names, ("id", "doc_id", "document_id"))
    labelled = []
    for number, record in enumerate(records, start=1):
        where = f"{rows} {number}"
        name = str(number) if by_id is None else name_of(record.get(by_id), where)
        by = record.get("by")
        entries = phrases(record.get(values), where, by if isinstance(by, str) else GOLD)
        labelled.append(LabelledDocument(document_of_fields(name, record), entries))
    if by_id is not None:
        check_distinct([each.id for each in labelled], f"{rows}s")
    notes = _missing_lists(record.get(values) for record in records)
    return PhraseLists(form, tuple(labelled), by_id is None, notes)


def phrases(value: Any, where: str, by: str = GOLD) -> tuple[GoldKeyphrase, ...]:
    """Return the phrases of one document; a missing value is an empty list.

    A phrase is a string, a pair of a string and a score, a keyphrase or a record with its text, or, for gold, a list of
    accepted forms. The order counts; scores are not read.

    Raises:
        BadRecord: the value is not a list of phrases; the message has ``where``.
    """
    if is_missing(value):
        return ()
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str):
        hint = "give a list of phrases; a text of several phrases is split first, such as text.split(';')"
        raise BadRecord(f"{where} has the text {value!r:.60}, not a list of phrases", hint)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise BadRecord(f"{where} has {value!r:.60}, not a list of phrases", _EXPECTED)
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)  # an order that does not change from call to call
    return tuple(GoldKeyphrase(_forms(phrase, where), by) for phrase in value)


def _forms(phrase: Any, where: str) -> tuple[str, ...]:
    """Return the accepted forms of a phrase."""
    phrase = phrase.tolist() if hasattr(phrase, "tolist") else phrase
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


def name_of(value: Any, where: str) -> str:
    """Return an id as text."""
    if is_missing(value) or value == "" or not isinstance(value, str | int | float):
        if not hasattr(value, "item"):
            raise BadRecord(f"{where} has {value!r:.60} as id", "every document needs an id, a text or a number")
        value = value.item()
    return str(value)


def check_distinct(ids: Sequence[str], rows: str) -> None:
    """Check that no id comes twice."""
    places: dict[str, int] = {}
    for place, name in enumerate(ids, start=1):
        first = places.setdefault(name, place)
        if first != place:
            message = f"{rows} {first} and {place} have the same id {name!r}"
            raise BadRecord(message, "every document needs a different id")


def document_of_fields(name: str, record: Mapping[str, Any]) -> Document:
    """Return a document with the texts of a record, which may have none."""
    texts = {key: record[key] for key in _TEXTS if isinstance(record.get(key), str) and record[key].strip()}
    return document_of_record({"id": name, **texts}) if texts else Document(name, "")


def _missing_lists(values: Iterable[Any]) -> tuple[str, ...]:
    return note(sum(map(is_missing, values)), "documents have no list: no phrases")
