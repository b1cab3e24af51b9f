"""Test sets on this machine, whose documents no generator may be trained on."""

from collections.abc import Iterator
from dataclasses import dataclass
from sys import intern

from keywright.core.documents import Document
from keywright.core.errors import MissingData
from keywright.datasets.card import card, card_names
from keywright.datasets.collection import DataSet, load
from keywright.neural.data.examples import Words
from keywright.neural.data.words import first_window


@dataclass(frozen=True, slots=True)
class GuardedSets:
    """Collections whose gold is for reporting only.

    Attributes:
        present: those on this machine.
        missing: names of the others.
    """

    present: tuple[DataSet, ...]
    missing: tuple[str, ...]

    @classmethod
    def here(cls) -> "GuardedSets":
        """Return the test sets of this machine; their documents are not read yet."""
        present, missing = [], []
        for name in _held_out():
            try:
                present.append(load(name))
            except MissingData:
                missing.append(name)
        return cls(tuple(present), tuple(missing))

    def documents(self, longest: int) -> tuple[dict[str, Words], tuple[str, ...]]:
        """Return the words of all documents by name, and the names of the test sets that could not be read.

        Args:
            longest: words of a document that are read, as many as of the training documents.
        """
        words: dict[str, Words] = {}
        missing = list(self.missing)
        for data in self.present:
            try:
                documents = [labelled.document for labelled in data]
            except MissingData:
                missing.append(data.name)
                continue
            read = {f"{data.name} {document.id}": _read(document, longest) for document in documents}
            words |= {name: source for name, source in read.items() if source}
        return words, tuple(missing)


def _held_out() -> Iterator[str]:
    for name in card_names():
        yield from (f"{name}/{split.name}" for split in card(name).splits.values() if split.held_out)


def _read(document: Document, longest: int) -> Words:
    """Return the words that are read of a document; equal words share their memory."""
    window, _ = first_window(document, longest)
    return () if window is None else tuple(map(intern, window.words))
