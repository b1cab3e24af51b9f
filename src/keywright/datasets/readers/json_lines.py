"""Collections in JSON Lines files, one document per line; the card names files and keys.

Blank keyphrases, and records with neither text nor gold, are left out. Schutz 2008 has articles as the text of their
XML without tags, whose parts before the body are marked; leading keyphrases that occur in the article's printed list
are the authors', the others are index terms.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadRecord, BrokenFile
from keywright.datasets.card import Card, Records
from keywright.datasets.files import LIMITS, Files, find_packed, iterate_lines
from keywright.reading.formats.jsonl import document_of_record
from keywright.reading.record_lines import JsonLine

KINDS: Final = ("author", "term")
_JOURNAL = re.compile(r"\n*[^\n].*?\n\n\n+.*?\n\n\n+", re.DOTALL)
_COPYRIGHT = re.compile(r"^©.*?\n\n+", re.DOTALL | re.MULTILINE)
_LISTS = re.compile(r"^(?:Keywords|Key words|Abbreviations|issue-copyright-statement)$", re.MULTILINE)
_OPENING = re.compile(r"^(?:1\.?\s+)?(?:Introduction|INTRODUCTION|Background|BACKGROUND)$", re.MULTILINE)
_GAP = re.compile(r"\n\n\n+")
_FRONT: Final = 10_000  # characters within which an article's front matter ends; arbitrary
_LIST_KINDS: Final = {
    "Keywords": SectionKind.KEYWORDS,
    "Key words": SectionKind.KEYWORDS,
    "Abbreviations": SectionKind.METADATA,
    "issue-copyright-statement": SectionKind.NOTICE,
}


def read_json_lines(files: Files, split: str, forms: str, card: Card) -> Iterator[LabelledDocument[Document]]:
    """Yield documents of a split in the order of its file; other keys of a record are ``meta``."""
    records, ids = card.records, set[str]()
    if records is None:
        raise BrokenFile(f"the card of {card.name} does not describe records", "expected a table [records]")
    path = find_packed(files.place / records.files[split])
    if path is None:
        message = f"there is no file {records.files[split]} in {files.place}"
        raise BrokenFile(message, "expected it, or it with .gz or .zst")
    wanted, usual_kind = records.where.get(split, {}), records.kinds.get(split, next(iter(card.gold)))
    for line in iterate_lines(path):
        record = line.record()
        if any(record.get(key) != value for key, value in wanted.items()):
            continue
        kind = str(record.get(records.kind)) if records.kind else usual_kind
        gold = _list_gold(record, line, card, kind, forms)
        if not gold and not any(record.get(key) for key in ("title", "abstract", "text")):
            continue
        document = _make_document(record, records, card.language)
        if document.id in ids:
            raise BadRecord(f"document {document.id!r} comes twice in {line.file}", "download the collection again")
        ids.add(document.id)
        yield LabelledDocument(document, gold)


def _make_document(record: Mapping[str, Any], records: Records, language: str) -> Document:
    """Return the document without its gold, in the collection's language if the record names none."""
    text: Any = record.get("text")
    for pattern, replacement in records.replace if isinstance(text, str) else ():
        text = re.sub(pattern, replacement, text)
    document = document_of_record({**record, "text": text}, LIMITS)
    meta = {key: value for key, value in document.meta.items() if key not in records.keyphrases.values()}
    return replace(document, language=document.language or language, meta=meta)


def _list_gold(
    record: Mapping[str, Any], line: JsonLine, card: Card, kind: str, forms: str
) -> tuple[GoldKeyphrase, ...]:
    """Return keyphrases of a record; an inverted *Microscopy, Electron* is also *Electron Microscopy*."""
    records: Any = card.records
    phrases = record.get(records.keyphrases[forms])
    if not isinstance(phrases, list) or not all(isinstance(each, str) for each in phrases) or kind not in card.gold:
        message = f"line {line.number} of {line.file} has no keyphrases of {card.name}: {phrases!r:.60}, {kind!r}"
        raise BadRecord(message, f"expected a list of strings, of a kind among {', '.join(card.gold)}")
    gold = []
    for phrase in filter(None, map(str.strip, phrases)):
        parts = phrase.split(", ")
        turned = (" ".join(reversed(parts)),) if records.inverted and len(parts) > 1 else ()
        gold.append(GoldKeyphrase((phrase, *turned), kind))
    return tuple(gold)


def read_schutz2008(files: Files, split: str, forms: str, card: Card) -> Iterator[LabelledDocument[Document]]:
    """Yield documents of a split in the order of its file, front matter marked."""
    for labelled in read_json_lines(files, split, forms, card):
        document = replace(labelled.document, sections=mark_front_matter(labelled.document.text), meta={})
        # The authors' keyphrases lead the list and are in the printed one.
        printed = set(map(_strip_signs, (document.section(SectionKind.KEYWORDS) or "").splitlines()))
        signs = [_strip_signs(entry.forms[0]) for entry in labelled.gold]
        leading = len(list(itertools.takewhile(printed.__contains__, signs)))
        gold = (replace(entry, by=KINDS[at >= leading]) for at, entry in enumerate(labelled.gold))
        yield LabelledDocument(document, tuple(gold))


def mark_front_matter(text: str) -> tuple[Section, ...]:
    """Return the sections up to the body, which is one section; none if an article lacks the landmarks."""
    journal = _JOURNAL.match(text)
    notice = _COPYRIGHT.search(text, journal.end() if journal else 0, _FRONT)
    if not journal or not notice:
        return ()
    title_end = min(text.index("\n\n", journal.end()), notice.start())
    lists = list(_LISTS.finditer(text, notice.end(), _FRONT))
    opening = _OPENING.search(text, lists[-1].end() if lists else notice.end())
    starts = [heading.start() for heading in lists]
    body = _GAP.search(text, starts[-1]) if lists else opening
    if body is None:
        return ()
    after = body.end() if lists else body.start()
    marks = [
        (0, SectionKind.METADATA),
        (journal.end(), SectionKind.TITLE),
        (title_end, SectionKind.AUTHORS),
        (notice.start(), SectionKind.NOTICE),
        (notice.end(), SectionKind.ABSTRACT),
        *((heading.start(), _LIST_KINDS[heading[0]]) for heading in lists),
        (after, SectionKind.BODY),
    ]
    sections = []
    for (start, kind), (end, _) in itertools.pairwise([*marks, (len(text), SectionKind.BODY)]):
        part = text[start:end]
        if part.strip():
            sections.append(Section(kind, start + len(part) - len(part.lstrip()), start + len(part.rstrip())))
    return tuple(sections)


def _strip_signs(phrase: str) -> str:
    """Return a phrase without case, blanks and signs."""
    return "".join(filter(str.isalnum, phrase.casefold()))
