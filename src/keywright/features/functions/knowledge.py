"""What is known of a phrase from elsewhere: training labels, lexicons, a reference corpus. Tables are counts by key."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.labelled import LabelledCollection
from keywright.features.functions.words import over_words


@dataclass(frozen=True, slots=True, eq=False)
class Keyphraseness:
    """Other documents of a labelled collection that each candidate was chosen for, (candidates,).

    Frank et al. (1999), who call it keyphrase frequency.
    """

    collection: LabelledCollection

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return self.collection.keyphraseness(candidates, document)


@dataclass(frozen=True, slots=True, eq=False)
class ExternalKeyphraseness:
    """How often a phrase is chosen for each time that it is there, from two tables, at least 0, (candidates,).

    ``chosen / (1 + holding)``: the share that Wikipedia keyphraseness (Mihalcea and Csomai 2007) is of links; not held
    to 1, as both collections may differ.

    Attributes:
        chosen: how often phrases are keyphrases.
        holding: how many documents phrases are in.
    """

    chosen: PhraseCounts
    holding: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return self.chosen.of(candidates.key) / (1 + self.holding.of(candidates.key))


@dataclass(frozen=True, slots=True, eq=False)
class Membership:
    """1 for phrases that a lexicon has, else 0, (candidates,)."""

    lexicon: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return (self.lexicon.of(candidates.key) > 0).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LogCount:
    """``log10(1 + count)`` of each candidate in a table, 0 for what it does not know, (candidates,)."""

    table: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return np.log10(1 + self.table.of(candidates.key))


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """How much more common a phrase is than its words let expect, (candidates,).

    ``log10(1 + count)`` of the phrase less the mean of that of its words. Eichler and Neumann (2010), from web counts.

    Attributes:
        phrases: counts of phrases.
        words: counts of words.
    """

    phrases: PhraseCounts
    words: PhraseCounts

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        of_words = over_words(np.log10(1 + self.words.of(document.word_key)), candidates, document, "mean")
        return np.log10(1 + self.phrases.of(candidates.key)) - of_words


Ties: TypeAlias = Literal["dense", "sparse"]
"""How ranks go on after equal frequencies: with the next rank, or as if these had taken one each."""


@dataclass(frozen=True, slots=True, eq=False)
class RankRatio:
    """Rank by frequency in the document over rank in a reference corpus, above 0, small is telling, (candidates,).

    Paukkeri and Honkela (2010): both ranks are among phrases of as many tokens; the most frequent has 1, and equals
    share the rank of the first of them. A phrase that the reference does not know has the rank behind its last.

    Attributes:
        reference: counts of n-grams of 1, 2, 3 ... words; longer candidates are looked up in the last.
        ties: which rank comes after equals.
    """

    reference: tuple[PhraseCounts, ...]
    ties: Ties = "sparse"

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        return self.here(candidates) / self.elsewhere(candidates)

    def here(self, candidates: Candidates) -> Floats:
        """Rank in the document, from 1 on, (candidates,)."""
        rank = np.ones(len(candidates))
        for length in np.unique(candidates.length).tolist():
            these = candidates.length == length
            mentions = candidates.frequency[these]
            rank[these] = _rank(mentions, _ascending(mentions, self.ties))
        return rank

    def elsewhere(self, candidates: Candidates) -> Floats:
        """Rank in the reference, from 1 on, (candidates,)."""
        rank, counts = np.ones(len(candidates)), self.counts(candidates)
        for table, these in self._tables(candidates):
            rank[these] = _rank(counts[these], _ascending_of(table, self.ties))
        return rank

    def counts(self, candidates: Candidates) -> Floats:
        """Occurrences in the reference, (candidates,)."""
        counts = np.zeros(len(candidates))
        for table, these in self._tables(candidates):
            counts[these] = table.of(candidates.key[these])
        return counts

    def word_rank(self, document: AnalysedDocument) -> Floats:
        """Rank of each word form among the words of the reference, (words,)."""
        return _rank(self.reference[0].of(document.word_key), _ascending_of(self.reference[0], self.ties))

    def _tables(self, candidates: Candidates) -> Iterator[tuple[PhraseCounts, Bools]]:
        """Each table with the candidates that are looked up in it, (candidates,)."""
        number = np.minimum(candidates.length, len(self.reference)) - 1
        return ((table, number == at) for at, table in enumerate(self.reference))


def _rank(counts: Floats | Ints, ascending: Ints) -> Floats:
    """1 and the number of larger counts, (counts,)."""
    return np.asarray(1 + len(ascending) - np.searchsorted(ascending, counts, "right"), float)


def _ascending(counts: Ints, ties: Ties) -> Ints:
    """Counts in order; equal ones once where ranks are dense."""
    return np.unique(counts) if ties == "dense" else np.sort(counts)


@lru_cache(maxsize=16)
def _ascending_of(table: PhraseCounts, ties: Ties) -> Ints:
    """The counts of a table in order, sorted once."""
    return _ascending(table.counts, ties)
