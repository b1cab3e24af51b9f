"""Readers of collections, imported when needed."""

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias, cast

from keywright.core.documents import Document
from keywright.core.gold import LabelledDocument
from keywright.datasets.card import Card
from keywright.datasets.files import Files

SplitReader: TypeAlias = Callable[[Files, str, str], Iterator[LabelledDocument[Document]]]
"""Reads one split, from the files, the split's name, and the form of the gold."""


def reader(card: Card) -> SplitReader:
    """Return the function that the card names as ``module:function``; readers of records also take the card."""
    module, _, function = card.reader.partition(":")
    read = getattr(importlib.import_module(module), function)
    return cast("SplitReader", partial(read, card=card) if card.records else read)
