"""Promises of every reader of a data set, checked on the files themselves."""

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument
from keywright.datasets.card import Card
from keywright.datasets.collection import SplitReader
from keywright.datasets.files import Files
from keywright.testing.promises import require

_BEGINNING: Final = 20  # documents that are read twice; arbitrary


@dataclass(frozen=True)
class Subject:
    """A reader under check, with the card that names it and a copy of the files."""

    read: SplitReader
    card: Card
    files: Files
    most: int | None = None  # documents of a split that are checked; if None, all of them, and their number

    def documents(self, split: str, form: str) -> list[LabelledDocument[Document]]:
        """Read the documents to check."""
        return list(itertools.islice(self.read(self.files, split, form), self.most))

    def splits(self) -> Iterator[tuple[str, str, list[LabelledDocument[Document]]]]:
        """Read every split in every form of its gold."""
        for name, split in self.card.splits.items():
            for form in split.fingerprints:
                yield name, form, self.documents(name, form)

    def require(self, holds: object, promise: str, observed: object) -> None:
        """Raise ``BrokenPromise`` unless a promise of the reader holds."""
        require(holds, self.read, promise, observed)


Promise: TypeAlias = Callable[[Subject], None]


def gives_documents(subject: Subject) -> None:
    """Check number of documents, unique ids, text, the card's language and plain metadata."""
    for name, _, labelled in subject.splits():
        if subject.most is None:
            expected = subject.card.splits[name].documents
            subject.require(len(labelled) == expected, f"{name} has {expected} documents", len(labelled))
        subject.require(labelled, f"{name} has documents", labelled)
        ids = [each.id for each in labelled]
        twice = sorted({each for each in ids if ids.count(each) > 1})
        subject.require(not twice, f"ids are unique in {name}", twice)
        for each in labelled:
            document = each.document
            subject.require(document.id and document.text.strip(), "a document has an id and text", document.id)
            language = subject.card.language
            subject.require(language in {"mul", document.language}, f"documents are in {language}", document.language)
            plain = json.loads(json.dumps(dict(document.meta)))
            subject.require(plain == document.meta, "metadata are JSON values", document.meta)


def gives_gold(subject: Subject) -> None:
    """Check that gold is of the kinds on the card, each entry with forms, none padded with blanks."""
    for name, form, labelled in subject.splits():
        gold = [entry for each in labelled for entry in each.gold]
        subject.require(gold, f"{name} has gold as {form}", gold)
        for entry in gold:
            subject.require(entry.by in subject.card.gold, "kinds of gold are on the card", entry.by)
            subject.require(entry.forms, "a gold entry has a form", entry)
            padded = [each for each in entry.forms if each != each.strip()]
            subject.require(not padded, "no form is padded with blanks", padded)


def repeats_itself(subject: Subject) -> None:
    """Check that the same files give the same documents in the same order."""
    name, split = next(iter(subject.card.splits.items()))
    form = next(iter(split.fingerprints))
    once, again = (list(itertools.islice(subject.read(subject.files, name, form), _BEGINNING)) for _ in range(2))
    subject.require(once == again, "reading twice gives equal documents", [each.id for each in again])


READER_PROMISES: Final[tuple[Promise, ...]] = (gives_documents, gives_gold, repeats_itself)


def check_reader(read: SplitReader, card: Card, files: Files, most: int | None = None) -> None:
    """Check every promise of a reader on so many documents of each split of ``card``, or raise ``BrokenPromise``."""
    for promise in READER_PROMISES:
        promise(Subject(read, card, files, most))
