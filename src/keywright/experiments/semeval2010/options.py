"""Values to try beside the usual one, by parameter, of systems without a record: a baseline and our own."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

OPTIONS: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "tfidf": {"stop_words": ("edges", "nowhere", "ignored", "removed"), "longest": (1, 2, 4, 5)},
    "counting": {
        "mentions": (1.0,), "rarity": (0.0, 1.0), "phrase": (1.0, 4.0), "long": (1.0,), "stop_word": (1.0,),
        "acronym": (0.0,), "title": (0.0,), "abstract": (0.0,), "introduction": (0.0,), "conclusion": (0.0,),
        "decay": (0.0, 3.0),
    },
}  # fmt: skip
