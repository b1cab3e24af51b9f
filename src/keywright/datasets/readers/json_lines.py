"""Collections that lie in JSON Lines files: one document a line; the card says in which file and under which keys.

A document is what ``keywright.reading.jsonl`` makes of its record: title, abstract and text one after the other, as the
collection has them. Blanks around a keyphrase are taken off; blank keyphrases, and records with neither text nor gold,
are left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keywright.core.documents import Document
from keywright.core.errors import BadRecord, BrokenFile
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.datasets.card import Card, Records
from keywright.datasets.files import Files
from keywright.datasets.labelled_file import LIMITS, lines_in, packed
from keywright.reading.jsonl import JsonLine, document_of_record


def read(files: Files, split: str, forms: str, card: Card) -> Iterator[LabelledDocument[Document]]:
    """Documents of a split in the order of its file; what else stands in a record is ``meta``.

    Args:
        files: the folder that holds the file.
        split: one of the card's.
        forms: how the gold is to be written, one of those for which the card names a key.
        card: with ``records``.

    Raises:
        BadRecord: a line that breaks the format, or an id that comes twice.
        BrokenFile: the file is missing or damaged.
    """
    records, seen = described(card), set[str]()
    wanted = records.where.get(split, {})
    for line in lines_of_split(files, split, records):
        record = line.record()
        if any(record.get(key) != value for key, value in wanted.items()):
            continue
        gold = _gold(record, line, card, forms)
        if not gold and not any(record.get(key) for key in ("title", "abstract", "text")):
            continue
        document = _document(record, records, card.language)
        if document.id in seen:
            raise BadRecord(f"document {document.id!r} comes twice in {line.file}", "fetch the collection again")
        seen.add(document.id)
        yield LabelledDocument(document, gold)


def described(card: Card) -> Records:
    """How the records of a collection are read.

    Raises:
        BrokenFile: the card does not say.
    """
    if card.records is None:
        raise BrokenFile(f"the card of {card.name} does not describe records", "expected a table [records]")
    return card.records


def lines_of_split(files: Files, split: str, records: Records) -> Iterator[JsonLine]:
    """Lines of the file that holds a split, packed or not.

    Raises:
        BrokenFile: it is not there.
    """
    found = packed(files.place / records.files[split])
    if found is None:
        raise BrokenFile(
            f"there is no file {records.files[split]} in {files.place}", "expected it, or it with .gz or .zst"
        )
    return lines_in(found)


def _document(record: Mapping[str, Any], records: Records, language: str) -> Document:
    """The document without its gold, in the collection's language where the record names none."""
    document = document_of_record(record, LIMITS)
    meta = {key: value for key, value in document.meta.items() if key not in records.keyphrases.values()}
    return replace(document, language=document.language or language, meta=meta)


def _gold(record: Mapping[str, Any], line: JsonLine, card: Card, forms: str) -> tuple[GoldKeyphrase, ...]:
    """Keyphrases of a record, each of the kind that record or card name."""
    records = described(card)
    given = record.get(records.keyphrases[forms])
    kind = str(record.get(records.kind)) if records.kind else next(iter(card.gold))
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given) or kind not in card.gold:
        raise BadRecord(
            f"line {line.number} of {line.file} has no keyphrases of {card.name}: {given!r:.60}, {kind!r}",
            f"expected a list of strings, of a kind among {', '.join(card.gold)}",
        )
    return tuple(GoldKeyphrase((one.strip(),), kind) for one in given if one.strip())
