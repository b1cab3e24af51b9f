"""The data of spaCy 2.0.11's blank English that rules cannot give: exceptions of the tokenizer, lemmas of words.

They are read from ``models/spacy2_english.json.zst`` when first asked for; the card beside that file says whence they
come. Neither table may be altered by its users.
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
    """Chunks that are cut in their own way: tokens with their lemmas."""
    return {chunk: tuple((word, lemma) for word, lemma in cut) for chunk, cut in _tables()["exceptions"].items()}


@lru_cache(maxsize=1)
def lemmas() -> Mapping[str, str]:
    """Lemmas of words; case counts, and a word that is not there is its own lemma."""
    found: dict[str, str] = _tables()["lemmas"]
    return found


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    packed = resources.files("keywright").joinpath("models", FILE).read_bytes()
    found: dict[str, Any] = json.loads(zstandard.decompress(packed))
    return found
