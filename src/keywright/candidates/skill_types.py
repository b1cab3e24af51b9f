"""Skill types: general scientific nouns (*analysis*, *algorithm*), and the phrases beside them."""

from functools import lru_cache
from importlib import resources
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.tag_classes import tag_classes

_LINKS: Final = ("of", "for", "in")
_PHRASE: Final = "NJG"


@lru_cache(maxsize=1)
def skill_types() -> tuple[str, ...]:
    """Return 81 general English scientific nouns in the singular, mined by ``tools/train/mine_skill_types.py``."""
    text = resources.files("keywright.candidates").joinpath("skill_types_en.txt").read_text("utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def word_and_plurals(word: str) -> tuple[str, ...]:
    """Return an English noun and all forms that a regular plural may have: *analysis*, *analysiss*, ... *analyses*."""
    changed = [word.removesuffix(end) + plural for end, plural in (("y", "ies"), ("is", "es")) if word.endswith(end)]
    return (word, word + "s", word + "es", *changed)


def beside_skill_type(candidates: Candidates, document: AnalysedDocument, *, heads: bool = True) -> Bools:
    """Return whether each mention is beside a skill type, (occurrences,).

    A whole run of nouns, adjectives and participles is beside a skill type that follows it (*sensor network* in *sensor
    network protocol*) or precedes it with *of*, *for* or *in* and possibly a determiner (*analysis of the protocol*).
    With ``heads`` a phrase of several words that ends with a skill type counts as well (*sensor network protocol*).
    """
    letters = np.frombuffer(tag_classes(document).encode("ascii"), np.uint8)
    skill = _forms(document, tuple(form for word in skill_types() for form in word_and_plurals(word)))
    skill = skill & (letters == ord("N"))
    link, determiner = _forms(document, _LINKS), letters == ord("D")
    content = np.isin(letters, np.frombuffer(_PHRASE.encode(), np.uint8))
    begin, end = candidates.positions, candidates.positions + candidates.widths

    def at(mask: Bools, place: Ints) -> Bools:
        """Return a mask at some tokens, false outside of the mention's sentence."""
        inside = np.clip(place, 0, max(0, len(document) - 1))
        same = (place == inside) & (document.sentence[inside] == document.sentence[begin])
        return np.asarray(same & mask[inside])

    before = at(skill, end) & ~at(content, begin - 1)
    linked = at(skill, begin - 2) & at(link, begin - 1)
    linked |= at(skill, begin - 3) & at(link, begin - 2) & at(determiner, begin - 1)
    beside = before | (linked & ~at(content, end))
    return np.asarray(beside | (skill[end - 1] & (candidates.widths > 1))) if heads else beside


def _forms(document: AnalysedDocument, forms: tuple[str, ...]) -> Bools:
    """Return whether each token is one of these lower-case words, (tokens,)."""
    wanted = frozenset(forms)
    return np.fromiter((word in wanted for word in document.words), bool, len(document.words))[document.word]
