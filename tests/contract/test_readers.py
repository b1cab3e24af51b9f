"""Every reader that a card names keeps every promise, on the real files."""

from pathlib import Path

import pytest

from keywright.datasets.card import card, card_names
from keywright.datasets.data_folders import files_of
from keywright.datasets.reader import reader
from keywright.testing.readers import READER_PROMISES, Promise, Subject


@pytest.mark.data
@pytest.mark.parametrize("promise", READER_PROMISES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("name", card_names())
def test_reader_keeps_its_promise(name: str, promise: Promise, mirror: Path) -> None:
    most = 25 if card(name).documents > 1000 else None  # large collections: ``datasets verify`` counts them
    promise(Subject(reader(card(name)), card(name), files_of(card(name), mirror), most))
