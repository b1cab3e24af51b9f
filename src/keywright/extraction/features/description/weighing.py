"""Untrained weights of candidates: a product of five factors.

A keyphrase is frequent outside of longer phrases, is rare elsewhere, occurs early, and occurs where authors put their
topic: title, abstract, introduction, conclusion.

* mentions: less those of the most frequent longer phrase around it (compare the DPM-index of Haddoud and Abdeddaïm
  2014), square-rooted, as the tenth mention is less evidence than the second;
* rarity: inverse document frequency;
* phraseness: favours several words (as the boost of KP-Miner, El-Beltagy and Rafea 2010) and acronyms, and disfavours
  very long phrases and phrases around a stop word;
* zones: a bonus for each of the sections above (as Nguyen and Kan 2007);
* nearness: decays with the share of the document before the first mention.
"""

from dataclasses import dataclass
from typing import Annotated, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import SectionKind
from keywright.extraction.features.functions.mentions import by_kind, first_mention
from keywright.extraction.features.functions.nestedness import mentions_inside
from keywright.extraction.features.functions.words import acronym_share, holds_stop_word
from keywright.text.word_borders import NO_BORDERS, find_word_borders

_LONG: Final = 4  # minimum words of a long phrase; arbitrary: keyphrases of so many words are rare
_ZONES: Final = [
    kind.code for kind in (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
]


@dataclass(frozen=True)
class Weighing:
    """Weights of the factors, chosen by ``tools/train/choose_default.py`` (docs/decisions/0008-default-weights.md)."""

    mentions: Annotated[float, "exponent of mentions outside of longer phrases"] = 0.5
    rarity: Annotated[float, "exponent of the inverse document frequency"] = 0.7
    phrase: Annotated[float, "factor of phrases of several words"] = 2.0
    long: Annotated[float, "factor of phrases of at least four words"] = 0.5
    stop_word: Annotated[float, "factor of English phrases with a stop word inside"] = 0.2
    acronym: Annotated[float, "bonus of words written with inner capitals"] = 0.5
    title: Annotated[float, "bonus of phrases in the title; the same for abstract, introduction, conclusion"] = 2.0
    abstract: float = 1.0
    introduction: float = 0.5
    conclusion: float = 0.3
    decay: Annotated[float, "exponential rate at which the score falls with the share before the first mention"] = 1.0

    def factors(self, candidates: Candidates, document: Analysed, rarity: Floats) -> dict[str, Floats]:
        """Return the factors of each candidate by name, (candidates,) each; their product is its weight."""
        # Candidates are all of the document, as longer ones take mentions from their parts.
        own_mentions = np.maximum(candidates.frequency - mentions_inside(candidates), 0)
        # Tokens are characters where words cannot be told apart, about two of them a word.
        has_borders = find_word_borders(document.language or "en") != NO_BORDERS
        words = candidates.length if has_borders else (candidates.length + 1) // 2
        several = np.where(words > 1, self.phrase, 1.0)
        long = np.where(words >= _LONG, self.long, 1.0)
        english = document.language in {None, "en"}  # elsewhere phrases around a preposition are the rule
        around = np.where(holds_stop_word(candidates, document) & english, self.stop_word, 1.0)
        acronym = 1 + self.acronym * acronym_share(candidates, document)
        bonuses = (self.title, self.abstract, self.introduction, self.conclusion)
        mentioned = by_kind(candidates, document).T[_ZONES] > 0
        zones = 1 + sum(bonus * zone for bonus, zone in zip(bonuses, mentioned, strict=True))
        return {
            "mentions": own_mentions**self.mentions,
            "rarity": rarity**self.rarity,
            "phraseness": several * long * around * acronym,
            "zones": np.asarray(zones),
            "nearness": np.exp(-self.decay * first_mention(candidates, document)),
        }
