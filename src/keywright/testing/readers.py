"""Promises of every reader of a data set, checked on the files themselves."""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument
from keywright.datasets.card import Card
from keywright.datasets.collection import SplitReader
from keywright.datasets.files import Files
from keywright.testing.promises import require

_BEGINNING: Final = 20
"""Documents that are read twice; arbitrary."""


@dataclass(frozen=True)
class Subject:
    """A reader under check, with the card that names it and a copy of the files.

    At most ``most`` documents of a split are checked; if None, all of them, and their number.
    """

    read: SplitReader
    card: Card
    files: Files
    most: int | None = None

    def documents(self, split: str, form: str) -> list[LabelledDocument[Document]]:
        """Read the documents to check."""
        return list(itertools.islice(self.read(self.files, split, form), self.most))

    def splits(self) -> list[tuple[str, str, list[LabelledDocument[Document]]]]:
        """Read every split in every form of its gold."""
        written = [(name, form) for name, split in self.card.splits.items() for form in split.fingerprints]
        return [(name, form, self.documents(name, form)) for name, form in written]


Promise: TypeAlias = Callable[[Subject], None]


def gives_documents(subject: Subject) -> None:
    """Check number of documents, unique ids, text, the card's language and plain metadata."""
    for name, _, labelled in subject.splits():
        if subject.most is None:
            expected = subject.card.splits[name].documents
            require(len(labelled) == expected, subject.read, f"{name} has {expected} documents", len(labelled))
        require(labelled, subject.read, f"{name} has documents", labelled)
        ids = [each.id for each in labelled]
        twice = sorted({each for each in ids if ids.count(each) > 1})
        require(not twice, subject.read, f"ids are unique in {name}", twice)
        for each in labelled:
            document = each.document
            require(document.id and document.text.strip(), subject.read, "a document has an id and text", document.id)
            language = subject.card.language
            require(document.language == language, subject.read, f"documents are in {language}", document.language)
            plain = json.loads(json.dumps(dict(document.meta)))
            require(plain == document.meta, subject.read, "metadata are JSON values", document.meta)


def gives_gold(subject: Subject) -> None:
    """Check that gold is of the kinds on the card, each entry with forms, none padded with blanks."""
    for name, form, labelled in subject.splits():
        gold = [entry for each in labelled for entry in each.gold]
        require(gold, subject.read, f"{name} has gold as {form}", gold)
        for entry in gold:
            require(entry.by in subject.card.gold, subject.read, "kinds of gold are on the card", entry.by)
            require(entry.forms, subject.read, "a gold entry has a form", entry)
            padded = [each for each in entry.forms if each != each.strip()]
            require(not padded, subject.read, "no form is padded with blanks", padded)


def repeats_itself(subject: Subject) -> None:
    """Check that the same files give the same documents in the same order."""
    name, split = next(iter(subject.card.splits.items()))
    once, again = (subject.documents(name, next(iter(split.fingerprints)))[:_BEGINNING] for _ in range(2))
    require(once == again, subject.read, "reading twice gives equal documents", [each.id for each in again])


READER_PROMISES: Final[tuple[Promise, ...]] = (gives_documents, gives_gold, repeats_itself)


def check_reader(read: SplitReader, card: Card, files: Files, most: int | None = None) -> None:
    """Check every promise of a reader.

    Args:
        read: the reader.
        card: names its splits, kinds and forms of gold.
        files: a copy of the collection.
        most: maximum number of documents per split to check; all if None.

    Raises:
        BrokenPromise: the first promise that does not hold.
    """
    for promise in READER_PROMISES:
        promise(Subject(read, card, files, most))
