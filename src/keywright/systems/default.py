"""The default: careful counting, without training data.

Idea. A keyphrase is mentioned often for its own sake, is rare elsewhere, stands early, and stands where authors put
what matters: title, abstract, introduction, conclusion. Each of these is one factor of the score:

* own mentions: mentions less those of the most frequent longer phrase around it (compare the DPM-index of Haddoud and
  Abdeddaïm 2014), square-rooted, as the tenth mention says less than the second;
* rarity: inverse document frequency in the bundled background;
* phraseness: several words are favoured (as by the boost of KP-Miner, El-Beltagy and Rafea 2010), very long phrases and
  phrases around a stop word are not, acronyms are;
* zones: a bonus for each of the places above (as Nguyen and Kan 2007);
* nearness: decays with the share of the document before the first mention.

The weights were chosen on the 144 training papers of SemEval-2010 and checked there on held-out folds by
``tools/choose_default.py``; no test paper was looked at.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from keywright.candidates.ngrams import ngrams
from keywright.candidates.words import content_words_and_capitals, content_words_and_connectors
from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.core.predictions import Prediction
from keywright.corpus.background import background
from keywright.corpus.counts import PhraseCounts
from keywright.features.frequency import InverseDocumentFrequency
from keywright.features.nestedness import mentions_inside
from keywright.features.position import first_mention
from keywright.features.shape import acronym_share, holds_stop_word
from keywright.features.structure import mentions_in
from keywright.ranking.rank import rank

_LONGEST = 5
_LONG = 4
_UNSPACED: Final = frozenset({"zh", "ja"})
"""Written without blanks: tokens are characters there, about two of them a word."""


@dataclass(frozen=True)
class Default:
    """Own mentions, rarity, phraseness, zones and nearness, multiplied.

    frequencies   in how many documents phrases occur; the bundled background
    mentions      exponent of own mentions
    rarity        exponent of the inverse document frequency
    phrase        factor of phrases of several words
    long          factor of phrases of four words and more
    stop_word     factor of English phrases with a stop word inside
    acronym       bonus of words written with inner capitals
    title         bonus of phrases in the title; likewise abstract, introduction, conclusion
    decay         how fast the score falls with the place of the first mention, for each share of the document
    long_text     tokens from which on a phrase must be seen twice, or in title or abstract
    """

    frequencies: PhraseCounts = field(default_factory=background)
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
    long_text: int = 1000

    name: ClassVar[str] = "default"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument, top: int | None = None) -> Prediction:
        """Phrases by the product of what speaks for them."""
        characters_of_word = 2 if document.source.language in _UNSPACED else 1
        found = ngrams(
            document, _LONGEST * characters_of_word, content_words_and_capitals, content_words_and_connectors
        )
        own = np.maximum(found.frequency - mentions_inside(found), 0)
        kept = self.noticed(found, document)
        found, own = found.where(kept), own[kept]
        parts = {
            "mentions": own**self.mentions,
            "rarity": InverseDocumentFrequency(self.frequencies)(found, document) ** self.rarity,
            "phraseness": self.phraseness(found, document),
            "zones": self.zones(found, document),
            "nearness": np.exp(-self.decay * first_mention(found, document)),
        }
        return rank(document, found, np.prod(list(parts.values()), axis=0), top, parts)

    def noticed(self, candidates: Candidates, document: AnalysedDocument) -> Bools:
        """Whether a candidate is worth a look, (candidates,): in a long text only what is repeated or in front."""
        if len(document) < self.long_text:
            return np.ones(len(candidates), bool)
        in_front = mentions_in(candidates, document, SectionKind.TITLE, SectionKind.ABSTRACT) > 0
        return (candidates.frequency > 1) | in_front

    def phraseness(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """What the shape of a phrase says for it, (candidates,)."""
        words = (candidates.length + 1) // 2 if document.source.language in _UNSPACED else candidates.length
        several = np.where(words > 1, self.phrase, 1.0)
        long = np.where(words >= _LONG, self.long, 1.0)
        english = document.source.language in {None, "en"}  # elsewhere phrases around a preposition are the rule
        around = np.where(holds_stop_word(candidates, document) & english, self.stop_word, 1.0)
        return np.asarray(several * long * around * (1 + self.acronym * acronym_share(candidates, document)))

    def zones(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """1 and a bonus for each important place that holds the phrase, (candidates,)."""
        bonuses = {
            SectionKind.TITLE: self.title,
            SectionKind.ABSTRACT: self.abstract,
            SectionKind.INTRODUCTION: self.introduction,
            SectionKind.CONCLUSION: self.conclusion,
        }
        there = [bonus * (mentions_in(candidates, document, kind) > 0) for kind, bonus in bonuses.items()]
        return np.asarray(1 + np.sum(there, axis=0))
