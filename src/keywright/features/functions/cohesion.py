"""Cohesion of the words of a phrase (phraseness)."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.features.functions.words import over_words, word_mentions

SINGLE_WORD_WEIGHT: Final = 0.1
"""Weight of single words against phrases of several; arbitrary, and part of what the shipped trees were trained on."""


@dataclass(frozen=True, slots=True)
class GeneralisedDice:
    """Words times log10(mentions) times mentions over the mentions of all words, at least 0, (candidates,).

    The generalised Dice coefficient of Park, Byrd and Boguraev (2002). A single word, whose coefficient would be its
    logarithm, has ``single * log10(1 + mentions)``.

    Attributes:
        single: weight of single words.
    """

    single: float = SINGLE_WORD_WEIGHT

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        mentions = candidates.frequency
        of_words = over_words(word_mentions(document), candidates, document, "sum")
        several = candidates.length * np.log10(mentions) * mentions / np.maximum(of_words, 1)
        return np.where(candidates.length > 1, several, self.single * np.log10(1 + mentions))


def pointwise_mutual_information(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return ``log2(p(phrase) / product of p(word))``, (candidates,); about 0 for single words.

    Probabilities are mentions per token of the document. Church and Hanks (1990), for any number of words.
    """
    size = max(1, len(document))
    information = np.log2(word_mentions(document) / size)
    of_words = over_words(information, candidates, document, "sum")
    return np.asarray(np.log2(candidates.frequency / size) - of_words)
