"""Collections in JSON Lines files, one document per line; the card names files and keys.

Documents are made by ``keywright.reading.jsonl``: title, abstract and text one after the other. Blanks around a
keyphrase are removed; blank keyphrases, and records with neither text nor gold, are left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord, BrokenFile
from keywright.datasets.card import Card, Records
from keywright.datasets.files import Files
from keywright.datasets.labelled_file import LIMITS, lines_in, packed
from keywright.reading.jsonl import document_of_record
from keywright.reading.record_lines import JsonLine


def read(files: Files, split: str, forms: str, card: Card) -> Iterator[LabelledDocument[Document]]:
    """Yield documents of a split in the order of its file; other keys of a record are ``meta``.

    Raises:
        BadRecord: a line that breaks the format, or an id that comes twice.
        BrokenFile: the file is missing or damaged.
    """
    records, ids = described(card), set[str]()
    wanted = records.where.get(split, {})
    for line in lines_of_split(files, split, records):
        record = line.record()
        if any(record.get(key) != value for key, value in wanted.items()):
            continue
        gold = _gold(record, line, card, forms)
        if not gold and not any(record.get(key) for key in ("title", "abstract", "text")):
            continue
        document = _document(record, records, card.language)
        if document.id in ids:
            raise BadRecord(f"document {document.id!r} comes twice in {line.file}", "download the collection again")
        ids.add(document.id)
        yield LabelledDocument(document, gold)


def described(card: Card) -> Records:
    """Return the layout of a collection's records."""
    if card.records is None:
        raise BrokenFile(f"the card of {card.name} does not describe records", "expected a table [records]")
    return card.records


def lines_of_split(files: Files, split: str, records: Records) -> Iterator[JsonLine]:
    """Return the lines of a split's file, packed or not."""
    path = packed(files.place / records.files[split])
    if path is None:
        raise BrokenFile(
            f"there is no file {records.files[split]} in {files.place}", "expected it, or it with .gz or .zst"
        )
    return lines_in(path)


def _document(record: Mapping[str, Any], records: Records, language: str) -> Document:
    """Return the document without its gold, in the collection's language if the record names none."""
    text: Any = record.get("text")
    for pattern, replacement in records.replace if isinstance(text, str) else ():
        text = re.sub(pattern, replacement, text)
    document = document_of_record({**record, "text": text}, LIMITS)
    meta = {key: value for key, value in document.meta.items() if key not in records.keyphrases.values()}
    return replace(document, language=document.language or language, meta=meta)


def _gold(record: Mapping[str, Any], line: JsonLine, card: Card, forms: str) -> tuple[GoldKeyphrase, ...]:
    """Return the keyphrases of a record, of the kind that record or card name."""
    records = described(card)
    phrases = record.get(records.keyphrases[forms])
    kind = str(record.get(records.kind)) if records.kind else next(iter(card.gold))
    if not isinstance(phrases, list) or not all(isinstance(each, str) for each in phrases) or kind not in card.gold:
        raise BadRecord(
            f"line {line.number} of {line.file} has no keyphrases of {card.name}: {phrases!r:.60}, {kind!r}",
            f"expected a list of strings, of a kind among {', '.join(card.gold)}",
        )
    stripped = (phrase.strip() for phrase in phrases)
    return tuple(
        GoldKeyphrase(with_turned(phrase) if records.inverted else (phrase,), kind) for phrase in stripped if phrase
    )


def with_turned(heading: str) -> tuple[str, ...]:
    """Return an inverted heading and its turned form: *Microscopy, Electron* and *Electron Microscopy*."""
    parts = heading.split(", ")
    return (heading, " ".join(reversed(parts))) if len(parts) > 1 else (heading,)
