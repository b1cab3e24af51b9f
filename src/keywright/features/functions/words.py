"""Values of word forms aggregated over the words of each candidate, and the cohesion of these words."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument
from keywright.core.segments import rows_between, sorted_in_segments
from keywright.corpus.labelled import LabelledCollection

Over: TypeAlias = Literal["sum", "mean", "least", "most", "first", "last"]
"""Aggregate of the values of several words."""


def over_words(values: Floats, candidates: Candidates, document: AnalysedDocument, over: Over) -> Floats:
    """Return values of word forms aggregated over the tokens of each candidate's first mention, (candidates,)."""
    of_tokens = np.asarray(values, float)[document.word]
    if over == "first":
        return np.asarray(of_tokens[candidates.first])
    if over == "last":
        return np.asarray(of_tokens[candidates.first + candidates.length - 1])
    if not len(candidates):
        return np.zeros(0)
    # The tokens of all first mentions in one column, reduced by candidate with one ``reduceat``.
    tokens, _ = rows_between(candidates.first, candidates.first + candidates.length)
    gathered = _GATHERED[over].reduceat(of_tokens[tokens], np.cumsum(candidates.length) - candidates.length)
    return np.asarray(gathered / candidates.length if over == "mean" else gathered)


_GATHERED: Final = {"sum": np.add, "mean": np.add, "least": np.minimum, "most": np.maximum}


def word_mentions(document: Analysed) -> Floats:
    """Return the tokens of the document with the stem of each word form, at least 1, (words,)."""
    # Group by sorting: word forms of one stem are a run of equal keys.
    order, begins = sorted_in_segments(document.word_key, document.word_bounds)
    group = np.cumsum(begins) - 1
    of_forms = np.bincount(document.word, minlength=len(order))
    mentions = np.zeros(len(order))
    mentions[order] = np.bincount(group, weights=of_forms[order])[group]
    return mentions


@dataclass(frozen=True, slots=True, eq=False)
class WordKeyphraseness:
    """Gold keyphrases of other documents that have a candidate's words, (candidates,)."""

    collection: LabelledCollection
    over: Over = "mean"

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return over_words(self.collection.word_keyphraseness(document), candidates, document, self.over)


SINGLE_WORD_WEIGHT: Final = 0.1
"""Weight of single words against phrases of several; arbitrary, and part of what the shipped trees were trained on."""


@dataclass(frozen=True, slots=True)
class GeneralisedDice:
    """Words times log10(mentions) times mentions over the mentions of all words, at least 0, (candidates,).

    The generalised Dice coefficient of Park, Byrd and Boguraev (2002). A single word, whose coefficient would be its
    logarithm, has ``single * log10(1 + mentions)``.
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
