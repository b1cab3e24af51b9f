"""Careful counting: what speaks for a candidate without any training, as factors of a weight.

A keyphrase is mentioned often for its own sake, is rare elsewhere, stands early, and stands where authors put what
matters: title, abstract, introduction, conclusion. Each of these is one factor:

* own mentions: mentions less those of the most frequent longer phrase around it (compare the DPM-index of Haddoud and
  Abdeddaïm 2014), square-rooted, as the tenth mention says less than the second;
* rarity: inverse document frequency;
* phraseness: several words are favoured (as by the boost of KP-Miner, El-Beltagy and Rafea 2010), very long phrases and
  phrases around a stop word are not, acronyms are;
* zones: a bonus for each of the places above (as Nguyen and Kan 2007);
* nearness: decays with the share of the document before the first mention.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.features.functions.nestedness import mentions_inside
from keywright.features.functions.position import first_mention
from keywright.features.functions.shape import acronym_share, holds_stop_word
from keywright.features.functions.structure import by_kind

UNSPACED: Final = frozenset({"zh", "ja"})
"""Written without blanks: tokens are characters there, about two of them a word."""

_LONG = 4
_ZONES = [
    kind.code for kind in (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
]


@dataclass(frozen=True)
class Weighing:
    """Weights of the factors; ``tools/train/choose_default.py`` chose these on the SemEval-2010 training papers.

    Attributes:
        mentions: exponent of own mentions.
        rarity: exponent of the inverse document frequency.
        phrase: factor of phrases of several words.
        long: factor of phrases of four words and more.
        stop_word: factor of English phrases with a stop word inside.
        acronym: bonus of words written with inner capitals.
        title: bonus of phrases in the title; likewise ``abstract``, ``introduction``, ``conclusion``.
        decay: how fast the weight falls with the place of the first mention, for each share of the document.
    """

    mentions: float = 0.5
    rarity: float = 0.7
    phrase: float = 2.0
    long: float = 0.5
    stop_word: float = 0.2
    acronym: float = 0.5
    title: float = 2.0
    abstract: float = 1.0
    introduction: float = 0.5
    conclusion: float = 0.3
    decay: float = 1.0

    def factors(self, candidates: Candidates, document: AnalysedDocument, rarity: Floats) -> dict[str, Floats]:
        """What speaks for each candidate, (candidates,) each; their product is its weight.

        Args:
            candidates: all of the document: those that are missing cannot take mentions from their parts.
            document: the document.
            rarity: inverse document frequency of each, (candidates,).
        """
        own = np.maximum(candidates.frequency - mentions_inside(candidates), 0)
        return {
            "mentions": own**self.mentions,
            "rarity": rarity**self.rarity,
            "phraseness": self._phraseness(candidates, document),
            "zones": self._zones(candidates, document),
            "nearness": np.exp(-self.decay * first_mention(candidates, document)),
        }

    def _phraseness(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """What the shape of a phrase says for it, (candidates,)."""
        words = (candidates.length + 1) // 2 if document.source.language in UNSPACED else candidates.length
        several = np.where(words > 1, self.phrase, 1.0)
        long = np.where(words >= _LONG, self.long, 1.0)
        english = document.source.language in {None, "en"}  # elsewhere phrases around a preposition are the rule
        around = np.where(holds_stop_word(candidates, document) & english, self.stop_word, 1.0)
        return np.asarray(several * long * around * (1 + self.acronym * acronym_share(candidates, document)))

    def _zones(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """1 and a bonus for each important place that holds the phrase, (candidates,)."""
        bonuses = (self.title, self.abstract, self.introduction, self.conclusion)
        there = by_kind(candidates, document).T[_ZONES] > 0
        return np.asarray(1 + np.sum([bonus * one for bonus, one in zip(bonuses, there, strict=True)], axis=0))
