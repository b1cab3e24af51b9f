"""Test sets on this machine, whose documents no generator may be trained on."""

from collections.abc import Iterator
from functools import lru_cache

from keywright.core.documents import Document
from keywright.core.errors import MissingData
from keywright.datasets.card import card, card_names
from keywright.datasets.collection import load
from keywright.neural.data.examples import Words
from keywright.neural.data.words import windows_of


@lru_cache(maxsize=2)
def guarded_documents(longest: int) -> tuple[dict[str, Words], tuple[str, ...]]:
    """Return the words of all documents whose gold is for reporting only, by name, and the test sets not found here.

    Args:
        longest: words of a document that are read, as many as of the training documents.
    """
    words: dict[str, Words] = {}
    missing = []
    for name in _held_out():
        try:
            documents = [labelled.document for labelled in load(name)]
        except MissingData:
            missing.append(name)
            continue
        words |= {f"{name} {document.id}": read for document in documents if (read := _read(document, longest))}
    return words, tuple(missing)


def _held_out() -> Iterator[str]:
    for name in card_names():
        yield from (f"{name}/{split.name}" for split in card(name).splits.values() if split.held_out)


def _read(document: Document, longest: int) -> Words:
    windows = windows_of(document, longest)
    return windows[0].words if windows else ()
