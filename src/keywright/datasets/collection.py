"""Data sets, loaded by name or from a labelled JSON Lines file, and compared with their cards.

A fingerprint tells whether a copy of a collection, in any packing, holds the same records. How to compute one, in any
language:

1. For each document make one JSON object with three keys. ``id`` is its id. ``text`` is its text as the reader gives
   it. ``gold`` is an object from each kind of gold that the document has to the list of its entries, in the
   collection's order, each entry the list of its accepted forms.
2. Write it without blanks, keys sorted, no character escaped that JSON does not demand, as UTF-8
   (Python: ``json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)``). The SHA-256 of these
   bytes, in hexadecimal, is the record's digest.
3. Sort the digests by the id of their record (code points), put a line feed after each; the SHA-256 of all that, in
   hexadecimal, is the fingerprint.

With two steps a collection of any size needs one short digest per document in memory, in any order of documents.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Final, TypeAlias, cast

from keywright.core.documents import Document, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadParameter, WrongFingerprint
from keywright.core.predictions import Failure
from keywright.datasets.card import Card, GoldCount, Split, find_card
from keywright.datasets.files import (
    Files,
    count_lines,
    find_file,
    find_files,
    is_file_name,
    make_files,
    read_documents,
    read_readable,
)
from keywright.reading.bare_text.sections import find_sections

SplitReader: TypeAlias = Callable[[Files, str, str], Iterator[LabelledDocument[Document]]]
"""Reads one split, from the files, the split's name, and the form of the gold."""
SURFACE: Final = "surface"  # form of gold as people wrote it, the only form in files
_FRONT: Final = {SectionKind.TITLE, SectionKind.AUTHORS, SectionKind.ABSTRACT}


def digest_record(labelled: LabelledDocument[Document]) -> str:
    """Return the SHA-256 of one record in canonical form, 64 hexadecimal digits. Sections and meta are left out."""
    gold: dict[str, list[tuple[str, ...]]] = {}
    for entry in labelled.gold:
        gold.setdefault(entry.by, []).append(entry.forms)
    record = {"id": labelled.id, "text": labelled.document.text, "gold": gold}
    canonical = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def combine_digests(digests: Mapping[str, str]) -> str:
    """Return the fingerprint of a collection from its record digests by id, 64 hexadecimal digits."""
    lines = "".join(f"{digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode("ascii")).hexdigest()


def compute_fingerprint(labelled: Iterable[LabelledDocument[Document]]) -> str:
    """Return the fingerprint of labelled documents with distinct ids, in any order."""
    return combine_digests({document.id: digest_record(document) for document in labelled})


@dataclass(frozen=True, slots=True)
class DataSet:
    """Labelled documents on this machine; each iteration reads them again."""

    name: str  # ``semeval2010/test``, ``semeval2010`` for all its documents, or the path of a file
    forms: str
    files: Files  # local copy of a collection, or a JSON Lines file
    card: Card | None = None  # None for a file
    splits: tuple[Split, ...] = ()  # splits to iterate, in order; empty for a file

    def __iter__(self) -> Iterator[LabelledDocument[Document]]:
        """Yield documents with sections, in the order of the reader or the file."""
        if self.card is None:
            yield from read_documents(self.files.place)
            return
        for split in self.splits:
            for labelled in find_reader(self.card)(self.files, split.name, self.forms):
                yield LabelledDocument(add_sections(labelled.document), labelled.gold)

    def documents(self) -> Iterator[Document | Failure]:
        """Yield documents without gold, as ``__iter__`` orders them; of a file also a failure for each broken line."""
        return read_readable(self.files.place) if self.card is None else (labelled.document for labelled in self)

    def __len__(self) -> int:
        """Number of documents: as the card says, or lines of the file."""
        return sum(split.documents for split in self.splits) if self.card else count_lines(self.files.place)

    @property
    def held_out(self) -> bool:
        """True if any of its gold is for reporting only."""
        return any(split.held_out for split in self.splits)

    def check_learnable(self, hint: str = "train on another split") -> None:
        """Check that its gold may be learned from; ``hint`` is the advice if it may not."""
        if self.held_out:
            raise BadParameter(f"the gold of {self.name} is for reporting only", hint)

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits: of the card, several splits with a comma between; of a file, computed."""
        return ",".join(self._fingerprints())

    @property
    def signature(self) -> str:
        """Identity of the data: name, forms, first digits of the fingerprints."""
        digits = ",".join(digest[:8] for digest in self._fingerprints())
        return f"{self.name}|forms:{self.forms}|fingerprint:{digits}"

    def _fingerprints(self) -> tuple[str, ...]:
        if self.card is None:
            return (compute_fingerprint(self),)
        return tuple(split.fingerprints[self.forms] for split in self.splits)


def load(name: str, mirror: Path | None = None, forms: str | None = None) -> DataSet:
    """Return a collection, one of its splits, or a JSON Lines file, in one of the card's ``forms``, else the usual."""
    if is_file_name(name):
        if forms not in {None, SURFACE}:
            raise BadParameter(f"gold of {name} is not given as {forms!r}", f"expected {SURFACE}")
        return DataSet(name, SURFACE, Files(find_file(name)))
    card, chosen = find_card(name)
    splits = (chosen,) if chosen else tuple(card.splits[part] for part in card.whole)
    forms = forms or card.forms[0]
    for split in splits:
        if forms not in split.fingerprints:
            message = f"gold of {card.name}/{split.name} is not given as {forms!r}"
            raise BadParameter(message, f"expected one of: {', '.join(split.fingerprints)}")
    return DataSet(name, forms, find_files(card, mirror), card, splits)


def add_sections(document: Document) -> Document:
    """Return the document with sections found in bare text, and within a marked body; other marked sections stay."""
    if not document.sections:
        return replace(document, sections=find_sections(document.text))
    sections: list[Section] = []
    for section in document.sections:
        if section.kind != SectionKind.BODY:
            sections.append(section)
            continue
        for within in find_sections(document.text[section.start : section.end], is_body=True):
            # Titles and abstracts are marked elsewhere, so that those found in a body are body.
            kind = SectionKind.BODY if within.kind in _FRONT else within.kind
            sections.append(Section(kind, section.start + within.start, section.start + within.end))
    return replace(document, sections=tuple(sections))


def find_reader(card: Card) -> SplitReader:
    """Return the function that the card names as ``module:function``; readers of records also take the card."""
    read = resolve_name(card.reader)
    return cast("SplitReader", partial(read, card=card) if card.records else read)


@dataclass(frozen=True, slots=True)
class Verification:
    """One split of a copy, compared with its card."""

    name: str  # such as ``semeval2010/test``
    forms: str
    expected: str  # fingerprint of the card
    computed: str  # fingerprint of the copy
    documents: int
    gold: Mapping[str, GoldCount]  # number of entries and forms in the copy, by kind

    @property
    def ok(self) -> bool:
        """True if the copy has the records of the card."""
        return self.expected == self.computed


def verify(name: str, mirror: Path | None = None, place: Path | None = None) -> tuple[Verification, ...]:
    """Compare a copy with its card, split by split; a difference is in the result, not an error."""
    card, chosen = find_card(name)
    splits = tuple(card.splits.values()) if chosen is None else (chosen,)
    return verify_splits(card, splits, make_files(card, place) if place else find_files(card, mirror))


def verify_splits(card: Card, splits: Iterable[Split], files: Files) -> tuple[Verification, ...]:
    """Compare some splits of a copy with a card."""
    read, verifications = find_reader(card), []
    for split, forms in [(each, forms) for each in splits for forms in each.fingerprints]:
        digests: dict[str, str] = {}
        entries, accepted = Counter[str](), Counter[str]()
        for labelled in read(files, split.name, forms):
            digests[labelled.id] = digest_record(labelled)
            entries.update(gold.by for gold in labelled.gold)
            accepted.update(gold.by for gold in labelled.gold for _ in gold.forms)
        counts = {kind: GoldCount(entries[kind], accepted[kind]) for kind in entries}
        name, expected, computed = f"{card.name}/{split.name}", split.fingerprints[forms], combine_digests(digests)
        verifications.append(Verification(name, forms, expected, computed, len(digests), counts))
    return tuple(verifications)


def demand_equal(verifications: tuple[Verification, ...]) -> None:
    """Raise an error for the first difference."""
    for split in verifications:
        if not split.ok:
            message = f"{split.name} ({split.forms}) has fingerprint {split.computed}, its card says {split.expected}"
            sources = f"`keywright datasets show {split.name.partition('/')[0]}` names the sources"
            raise WrongFingerprint(message, f"{split.documents} documents were found; get another copy: {sources}")
