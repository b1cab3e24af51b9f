"""Skill types: general scientific nouns, *analysis*, *algorithm*, and the phrases that stand beside them."""

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
    """81 general scientific nouns in the singular; English."""
    text = resources.files("keywright.candidates").joinpath("skill_types_en.txt").read_text("utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def word_and_plurals(word: str) -> tuple[str, ...]:
    """An English noun and what its regular plural may look like: *analysis*, *analysiss*, ... *analyses*."""
    changed = [word.removesuffix(end) + plural for end, plural in (("y", "ies"), ("is", "es")) if word.endswith(end)]
    return (word, word + "s", word + "es", *changed)


def beside_skill_type(candidates: Candidates, document: AnalysedDocument, *, heads: bool = True) -> Bools:
    """Which mentions stand beside a skill type, (occurrences,).

    So does a whole run of nouns, adjectives and participles before it (*sensor network* in *sensor network protocol*),
    or behind it and one of the prepositions of, for, in, with or without a determiner (*analysis of the protocol*).

    Args:
        candidates: of the document.
        document: the document.
        heads: whether also a phrase of several words whose own last word is a skill type counts (*sensor network
            protocol* itself).

    Raises:
        NeedsUnmet: the document has no tags.
    """
    letters = np.frombuffer(tag_classes(document).encode("ascii"), np.uint8)
    skill = _forms(document, tuple(form for word in skill_types() for form in word_and_plurals(word)))
    skill = skill & (letters == ord("N"))
    link, determiner = _forms(document, _LINKS), letters == ord("D")
    content = np.isin(letters, np.frombuffer(_PHRASE.encode(), np.uint8))
    begin, end = candidates.positions, candidates.positions + candidates.widths

    def at(mask: Bools, place: Ints) -> Bools:
        """Value of a mask at a token, false outside of the mention's sentence."""
        inside = np.clip(place, 0, max(0, len(document) - 1))
        same = (place == inside) & (document.sentence[inside] == document.sentence[begin])
        return np.asarray(same & mask[inside])

    before = at(skill, end) & ~at(content, begin - 1)
    linked = at(skill, begin - 2) & at(link, begin - 1)
    linked |= at(skill, begin - 3) & at(link, begin - 2) & at(determiner, begin - 1)
    beside = before | (linked & ~at(content, end))
    return np.asarray(beside | (skill[end - 1] & (candidates.widths > 1))) if heads else beside


def _forms(document: AnalysedDocument, forms: tuple[str, ...]) -> Bools:
    """Tokens that are one of these words, in lower case, (tokens,)."""
    wanted = frozenset(forms)
    return np.fromiter((word in wanted for word in document.words), bool, len(document.words))[document.word]
