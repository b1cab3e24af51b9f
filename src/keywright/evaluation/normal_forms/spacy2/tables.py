"""Tables of spaCy 2.0.11's blank English: exceptions of the tokenizer, lemmas of words.

They are read from ``models/spacy2_english.json.zst`` on first use; the card beside that file documents their origin.
Callers must not modify either table.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final

import zstandard

FILE: Final = "spacy2_english.json.zst"


@lru_cache(maxsize=1)
def exceptions() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the chunks with special tokens, each as tokens with their lemmas."""
    return {chunk: tuple((word, lemma) for word, lemma in cut) for chunk, cut in _tables()["exceptions"].items()}


@lru_cache(maxsize=1)
def lemmas() -> Mapping[str, str]:
    """Return lemmas by word, case-sensitive; a word that is missing is its own lemma."""
    table: dict[str, str] = _tables()["lemmas"]
    return table


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    packed = resources.files("keywright").joinpath("models", FILE).read_bytes()
    tables: dict[str, Any] = json.loads(zstandard.decompress(packed))
    return tables
