"""Every reader that a card names keeps every promise, on the real files."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from keywright.core.documents import Document, LabelledDocument
from keywright.datasets.card import card, card_names
from keywright.datasets.collection import find_reader
from keywright.datasets.files import Files, find_files
from keywright.testing.readers import READER_PROMISES, Promise, Subject, repeats_itself


@cache
def subject(name: str, mirror: Path) -> Subject:
    """A collection, of which each split is read once for all promises but that of reading it alike twice."""
    read = find_reader(card(name))
    most = 25 if card(name).documents > 200 else None  # large collections: ``datasets verify`` counts them
    documents: dict[tuple[str, str], list[LabelledDocument[Document]]] = {}

    def read_once(files: Files, split: str, form: str) -> Iterator[LabelledDocument[Document]]:
        if (split, form) not in documents:
            documents[split, form] = list(islice(read(files, split, form), most))
        return iter(documents[split, form])

    return Subject(read_once, card(name), find_files(card(name), mirror), most)


@pytest.mark.data
@pytest.mark.parametrize("promise", READER_PROMISES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("name", card_names())
def test_reader_keeps_its_promise(name: str, promise: Promise, mirror: Path) -> None:
    once = subject(name, mirror)
    if promise is repeats_itself:
        once = Subject(find_reader(once.card), once.card, once.files, once.most)
    promise(once)
