"""Open options of the shared task's papers: values to try beside the usual one, by system and parameter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

OPTIONS: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "tfidf": {"stop_words": ("edges", "nowhere", "ignored", "removed"), "longest": (1, 2, 4, 5)},
    "kpminer": {
        "cutoff": (200, 850, 1500), "least_seen": (2, 4), "refined": (0, 30, 50), "near_start": (True,),
        "alpha": (1.5, 3.0), "sigma": (2.0, 4.0),
    },
    "humb": {"stop_words": ("edges",), "usage": (0.0, 1.0, 10.0), "apparatus": (True,), "trees": (20, 100)},
    "sztergak": {"learner": ("naive bayes",), "successor": (True,), "opening": (0.2, 0.5)},
    "wingnus": {
        "columns": ((1, 3, 4, 6), (1, 3, 4, 5, 6)), "intervals": (10,), "everywhere": (False,), "openings": (False,),
        "longest": (3, 5), "scaled": (False,),
    },
    "seerlab": {
        "longest": (3, 5), "least_seen": (2, 4), "trees": (10, 25, 50, 200), "least": (3, 10, 100),
        "share": (0.15, 0.6), "nested": (True,),
    },
    "kx": {
        "pattern": ("[JNG]{0,3}N",), "black_lists": (False,), "least_seen": (3,), "rarity": (0.5,), "length": (1.5,),
        "early": (1.0, 2.0), "subsumed": (2.0, 0.8), "transferred": (0.0,), "boosted": (0.0, 0.1),
    },
    "deriunlp": {"heads": (False,), "seen_first": (False,), "length": (0.0, 1.0, 2.0), "context": (0.0, 0.5)},
    "maui": {
        "longest": (3,), "least_seen": (1,), "apparatus": (False,), "external": (False,), "trees": (5, 20, 50),
        "share": (0.05, 0.3), "seed": (2, 3),
    },
    "dfki": {"window": (1000, 3000), "maximal": (False,), "lexicons": ((),), "strength": (0.1,), "pairs": (10,)},
    "buap": {
        "least_seen": (4, 6, 10), "longest": (3, 4), "acronyms": (False,), "weighted": (False,), "combined": ("mean",),
        "damping": (0.5,),
    },
    "unpmc": {
        "title": (5.0,), "abstract": (1.0,), "introduction": (2.0,), "conclusion": (2.0,), "rest": (0.0, 0.2),
        "sections": (0.0, 2.0), "longer_first": (False,),
    },
    "likey": {
        "unknown": ("left_out", "last"), "ties": ("sparse",), "common": (0, 100), "longest": (2, 3),
        "advantage": (0.0, 2.0),
    },
    "uvt": {"added": (0.0, 0.05), "least_seen": (2,)},
    "polyu": {
        "title": (1.0,), "abstract": (1.0,), "core_words": (12, 15, 25), "phrases": (1, 4), "share": (0.3,),
        "least_seen": (1,),
    },
    "kea": {
        "longest": (4, 5), "least_seen": (1,), "proper_names": (True,), "apparatus": (True,), "keyphraseness": (True,),
        "nested": (True,),
    },
    "counting": {
        "mentions": (1.0,), "rarity": (0.0, 1.0), "phrase": (1.0, 4.0), "long": (1.0,), "stop_word": (1.0,),
        "acronym": (0.0,), "title": (0.0,), "abstract": (0.0,), "introduction": (0.0,), "conclusion": (0.0,),
        "decay": (0.0, 3.0),
    },
}  # fmt: skip
