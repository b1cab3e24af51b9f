"""What the papers of the shared task leave open: values to try beside the usual one, by system and parameter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

OPTIONS: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "tfidf": {"stop_words": ("edges", "nowhere", "ignored", "removed"), "longest": (1, 2, 4, 5)},
    "kpminer": {
        "cutoff": (200, 850, 1500),
        "least_seen": (2, 4),
        "refined": (0, 30, 50),
        "near_start": (True,),
        "alpha": (1.5, 3.0),
        "sigma": (2.0, 4.0),
    },
    "kx": {
        "pattern": ("[JNG]{0,3}N",),
        "black_lists": (False,),
        "least_seen": (3,),
        "rarity": (0.5,),
        "length": (1.5,),
        "early": (1.0, 2.0),
        "subsumed": (2.0, 0.8),
        "transferred": (0.0,),
        "boosted": (0.0, 0.1),
    },
    "deriunlp": {"heads": (False,), "seen_first": (False,), "length": (0.0, 1.0, 2.0), "context": (0.0, 0.5)},
    "default": {
        "mentions": (1.0,),
        "rarity": (0.0, 1.0),
        "phrase": (1.0, 4.0),
        "long": (1.0,),
        "stop_word": (1.0,),
        "acronym": (0.0,),
        "title": (0.0,),
        "abstract": (0.0,),
        "introduction": (0.0,),
        "conclusion": (0.0,),
        "decay": (0.0, 3.0),
    },
}
