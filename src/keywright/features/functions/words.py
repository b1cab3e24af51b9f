"""What the words of a phrase say: a number of each word form, taken over the words of each candidate."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.labelled import LabelledCollection

Over: TypeAlias = Literal["sum", "mean", "least", "most", "first", "last"]
"""How numbers of several words become one."""


def over_words(numbers: Floats, candidates: Candidates, document: AnalysedDocument, over: Over) -> Floats:
    """A number of each word form, taken over the tokens of each candidate's first mention, (candidates,).

    Args:
        numbers: one for each word form, (words,).
        candidates: of the document.
        document: the document.
        over: ``sum``, ``mean``, ``least``, ``most``, or that of the ``first`` or ``last`` token.
    """
    of_tokens = np.asarray(numbers, float)[document.word]
    if over == "first":
        return np.asarray(of_tokens[candidates.first])
    if over == "last":
        return np.asarray(of_tokens[candidates.first + candidates.length - 1])
    if not len(candidates):
        return np.zeros(0)
    begins = np.cumsum(candidates.length) - candidates.length
    tokens = np.repeat(candidates.first - begins, candidates.length) + np.arange(int(candidates.length.sum()))
    gathered = _GATHERED[over].reduceat(of_tokens[tokens], begins)
    return np.asarray(gathered / candidates.length if over == "mean" else gathered)


_GATHERED: Final = {"sum": np.add, "mean": np.add, "least": np.minimum, "most": np.maximum}


def word_mentions(document: AnalysedDocument) -> Floats:
    """Tokens of the document with the stem of each word form, at least 1, (words,)."""
    order = np.argsort(document.word_key)
    keys = document.word_key[order]
    group = np.zeros(len(keys), np.int64)
    group[1:] = np.cumsum(keys[1:] != keys[:-1])
    of_forms = np.bincount(document.word, minlength=len(keys))
    mentions = np.zeros(len(keys))
    mentions[order] = np.bincount(group, weights=of_forms[order])[group]
    return mentions


@dataclass(frozen=True, slots=True)
class WordFrequency:
    """Mentions of a candidate's words in the document, (candidates,)."""

    over: Over = "mean"

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return over_words(word_mentions(document), candidates, document, self.over)


@dataclass(frozen=True, slots=True, eq=False)
class WordRarity:
    """Inverse document frequency of a candidate's words, ``log2((N + 1) / (df + 1))``, (candidates,)."""

    table: PhraseCounts
    over: Over = "mean"

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        rarity = np.log2((self.table.documents + 1) / (self.table.of(document.word_key) + 1))
        return over_words(rarity, candidates, document, self.over)


@dataclass(frozen=True, slots=True, eq=False)
class WordLogCount:
    """``log10(1 + count)`` of a candidate's words in a table, such as one of general English, (candidates,)."""

    table: PhraseCounts
    over: Over = "mean"

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return over_words(np.log10(1 + self.table.of(document.word_key)), candidates, document, self.over)


@dataclass(frozen=True, slots=True, eq=False)
class WordKeyphraseness:
    """Gold keyphrases of other documents that have a candidate's words, (candidates,)."""

    collection: LabelledCollection
    over: Over = "mean"

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return over_words(self.collection.word_keyphraseness(document), candidates, document, self.over)
