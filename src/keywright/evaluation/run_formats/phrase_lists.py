"""Phrases by document from Python's containers: lists of lists, dicts by id, records with an id and phrases.

Records may have the layout of keyphrase data sets on Hugging Face: tokens, and extractive and abstractive keyphrases.
"""

import difflib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.evaluation.run_formats.format import GOLD, PhraseLists, count_note
from keywright.reading.formats.jsonl import document_of_record

IDS: Final = ("id", "doc_id", "document_id", "docno")
PHRASES: Final = ("keyphrase", "phrase", "keyword", "term")
"""Columns with one phrase a row, the documented name first."""
PHRASE_LISTS: Final = ("keyphrases", "keywords", "phrases")
"""Columns with all phrases of a document, the documented name first."""
_LISTED: Final = ("extractive_keyphrases", "abstractive_keyphrases")
_TAGS: Final = "doc_bio_tags"
_TEXTS: Final = ("title", "abstract", "text")
"""Keys of a record with text, as in labelled JSON Lines."""
_PAIR: Final = 2  # a phrase and its score
_EXPECTED: Final = 'expected a list of phrases for each document, such as [["grid computing", "scheduling"], ["tides"]]'


def choose_name(names: Collection[str], accepted: Sequence[str]) -> str | None:
    """Return the name that is the first of ``accepted``, else the only other one among them; case does not count.

    Raises:
        BadRecord: several others are there, and none is the first.
    """
    by_form = {name.strip().casefold(): name for name in names}
    matches = [by_form[form] for form in accepted if form in by_form]
    if len(matches) > 1 and accepted[0] not in by_form:
        raise BadRecord(f"both {' and '.join(map(repr, matches))} are there", f"rename one of them to {accepted[0]!r}")
    return matches[0] if matches else None


def require_name(names: Collection[str], accepted: Sequence[str], what: str, kind: str = "column") -> str:
    """Return the name of a column that must be there.

    Raises:
        BadRecord: it is missing; the hint has the nearest name.
    """
    if (name := choose_name(names, accepted)) is None:
        raise missing_name_error(accepted[0], names, what, kind)
    return name


def missing_name_error(name: str, names: Collection[str], what: str, kind: str = "column") -> BadRecord:
    """Return the error for a missing column or field, with those that are there and the nearest."""
    near = difflib.get_close_matches(name, list(names), n=1)
    suggestion = f"; is it {near[0]!r}?" if near else ""
    return BadRecord(f"{what} has no {kind} {name!r}", f"there are {', '.join(map(repr, names)) or 'none'}{suggestion}")


def is_huggingface(fields: Collection[str]) -> bool:
    """Return whether the fields of a row are those of this layout."""
    return "document" in fields and not {*_LISTED, _TAGS}.isdisjoint(fields)


def collect_phrases(fields: Mapping[str, Any]) -> list[Any]:
    """Return extractive, then abstractive phrases; without both, those that the tags mark."""
    lists = [_to_list(fields[name]) for name in _LISTED if fields.get(name) is not None]
    if lists:
        return [phrase for phrases in lists for phrase in phrases]
    tokens, tags = _to_list(fields.get("document")), _to_list(fields.get(_TAGS))
    return list(_iterate_tagged(tokens, tags)) if isinstance(tokens, list) and isinstance(tags, list) else []


def join_tokens(value: Any) -> str:
    """Return a text of tokens; a text unchanged, and nothing for a missing value."""
    value = _to_list(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _to_list(value: Any) -> Any:
    """Return the list of an array, which tables hold in place of lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def _iterate_tagged(tokens: Sequence[Any], tags: Sequence[Any]) -> Iterator[str]:
    """Yield phrases of tokens: B begins one, I continues it, all else ends it."""
    phrase: list[str] = []
    for token, tag in [*zip(tokens, tags, strict=False), ("", "O")]:
        if tag != "I" and phrase:
            yield " ".join(phrase)
            phrase = []
        if tag == "B" or (tag == "I" and phrase):
            phrase.append(str(token))


def from_sequence(lists: Sequence[Any]) -> PhraseLists:
    """Read lists of phrases in the order of the documents."""
    labelled = tuple(
        LabelledDocument(Document(str(number), ""), parse_phrase_list(value, f"document {number}"))
        for number, value in enumerate(lists, start=1)
    )
    return PhraseLists("lists", labelled, numbered=True, notes=_note_missing(lists))


def from_mapping(lists: Mapping[Any, Any]) -> PhraseLists:
    """Read lists of phrases by id; ids become text."""
    labelled = tuple(
        LabelledDocument(
            Document(parse_id(name, "a key of the dict"), ""), parse_phrase_list(value, f"document {name!r}")
        )
        for name, value in lists.items()
    )
    check_distinct([each.id for each in labelled], "keys")
    return PhraseLists("dict", labelled, notes=_note_missing(lists.values()))


def from_records(records: Sequence[Mapping[str, Any]], form: str = "records", rows: str = "record") -> PhraseLists:
    """Read one record for each document: phrases, perhaps an id, texts as in labelled JSON Lines, and ``by``.

    Without any id the documents are numbered. ``rows``: name of a record in messages.
    """
    names = tuple(dict.fromkeys(name for record in records for name in record))
    if is_huggingface(names) and choose_name(names, PHRASE_LISTS) is None:
        records = [
            {**record, "keyphrases": collect_phrases(record), "text": join_tokens(record.get("document"))}
            for record in records
        ]
        names = (*names, "keyphrases")
    values = require_name(names, PHRASE_LISTS, f"the {form}")
    by_id = choose_name(names, ("id", "doc_id", "document_id"))
    labelled = []
    for number, record in enumerate(records, start=1):
        where = f"{rows} {number}"
        name = str(number) if by_id is None else parse_id(record.get(by_id), where)
        by = record.get("by")
        entries = parse_phrase_list(record.get(values), where, by if isinstance(by, str) else GOLD)
        labelled.append(LabelledDocument(make_document(name, record), entries))
    if by_id is not None:
        check_distinct([each.id for each in labelled], f"{rows}s")
    notes = _note_missing(record.get(values) for record in records)
    return PhraseLists(form, tuple(labelled), by_id is None, notes)


def parse_phrase_list(value: Any, where: str, by: str = GOLD) -> tuple[GoldKeyphrase, ...]:
    """Return the phrases of one document; a missing value is an empty list.

    A phrase is a string, a pair of a string and a score, a keyphrase or a record with its text, or, for gold, a list of
    accepted forms. The order counts; scores are not read.

    Raises:
        BadRecord: the value is not a list of phrases; the message has ``where``.
    """
    if is_missing(value):
        return ()
    value = _to_list(value)
    if isinstance(value, str):
        hint = "give a list of phrases; a text of several phrases is split first, such as text.split(';')"
        raise BadRecord(f"{where} has the text {value!r:.60}, not a list of phrases", hint)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise BadRecord(f"{where} has {value!r:.60}, not a list of phrases", _EXPECTED)
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)  # an order that does not change from call to call
    return tuple(GoldKeyphrase(_accepted_forms(phrase, where), by) for phrase in value)


def _accepted_forms(phrase: Any, where: str) -> tuple[str, ...]:
    """Return the accepted forms of a phrase."""
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


def check_distinct(ids: Sequence[str], rows: str) -> None:
    """Check that no id comes twice."""
    places: dict[str, int] = {}
    for place, name in enumerate(ids, start=1):
        first = places.setdefault(name, place)
        if first != place:
            message = f"{rows} {first} and {place} have the same id {name!r}"
            raise BadRecord(message, "every document needs a different id")


def make_document(name: str, record: Mapping[str, Any]) -> Document:
    """Return a document with the texts of a record, which may have none."""
    texts = {key: record[key] for key in _TEXTS if isinstance(record.get(key), str) and record[key].strip()}
    return document_of_record({"id": name, **texts}) if texts else Document(name, "")


def _note_missing(values: Iterable[Any]) -> tuple[str, ...]:
    return count_note(sum(map(is_missing, values)), "documents have no list: no phrases")
