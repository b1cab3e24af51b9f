"""Stop lists by position: words that a keyphrase does not begin with, end with, contain or consist of."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument

Place: TypeAlias = Literal["start", "middle", "end", "alone"]
"""Position of a word in a phrase; ``alone`` for the word of a one-word phrase."""

_ANYWHERE: Final = "anywhere"
_ENDINGS: Final = ("", "s", "es")
"""Endings of regular plurals, so that the lists need singulars only."""


@lru_cache(maxsize=1)
def black_lists() -> Mapping[str, frozenset[str]]:
    """Return forbidden English word forms in lower case, by ``Place``."""
    text = resources.files("keywright.candidates").joinpath("black_lists_en.txt").read_text("utf-8")
    words: dict[str, list[str]] = {}
    place = ""
    for line in text.splitlines():
        if line.startswith("["):
            place = line.strip("[]")
        elif not line.startswith("#"):
            words.setdefault(place, []).extend(line.split())
    places = [place for place in words if place and place != _ANYWHERE]
    return {
        place: frozenset(word + ending for word in words[place] + words[_ANYWHERE] for ending in _ENDINGS)
        for place in places
    }


def black_listed(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether the first mention has a word where a list forbids it, (candidates,)."""
    first, last = candidates.first, candidates.first + candidates.length - 1
    single = candidates.length == 1
    # Prefix sums: forbidden words inside a span are a difference of two cumulative counts, whatever its length.
    before_middle = np.concatenate(([0], np.cumsum(_forbidden(document, "middle"))))
    in_middle = before_middle[last] > before_middle[np.minimum(first + 1, last)]
    at_edge = _forbidden(document, "start")[first] | _forbidden(document, "end")[last]
    return np.where(single, _forbidden(document, "alone")[first], at_edge | in_middle)


def _forbidden(document: AnalysedDocument, place: Place) -> Bools:
    """Return whether each token is on the list of a place, (tokens,)."""
    listed = black_lists()[place]
    return np.fromiter((word in listed for word in document.words), bool, len(document.words))[document.word]
