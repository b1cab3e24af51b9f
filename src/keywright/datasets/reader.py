"""A collection's reader, imported when it is needed."""

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias, cast

from keywright.core.documents import Document
from keywright.core.gold import LabelledDocument
from keywright.datasets.card import Card
from keywright.datasets.files import Files

SplitReader: TypeAlias = Callable[[Files, str, str], Iterator[LabelledDocument[Document]]]
"""Reads one split: the files, the split's name, how the gold is written."""


def reader(card: Card) -> SplitReader:
    """The function that the card names as ``module:function``; a reader of records is handed the card too."""
    module, _, function = card.reader.partition(":")
    found = getattr(importlib.import_module(module), function)
    return cast("SplitReader", partial(found, card=card) if card.records else found)
