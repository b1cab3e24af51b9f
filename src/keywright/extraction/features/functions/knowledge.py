"""External statistics of a phrase: training labels, lexicons, a reference corpus; tables are counts by key."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import pair_keys
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.words import over_words


@dataclass(frozen=True, slots=True, eq=False)
class Keyphraseness:
    """Other documents of a labelled collection with each candidate as a keyphrase, (candidates,).

    Frank et al. (1999), who call it keyphrase frequency.
    """

    collection: LabelledCollection

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return self.collection.keyphraseness(candidates, document)


@dataclass(frozen=True, slots=True, eq=False)
class ExternalKeyphraseness:
    """Keyphrase frequency per document frequency, from two tables, at least 0, (candidates,).

    ``chosen / (1 + holding)``, like the share of links in Wikipedia keyphraseness (Mihalcea and Csomai 2007); not
    limited to 1, as both collections may differ.
    """

    chosen: PhraseCounts
    holding: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return self.chosen.of(candidates.key) / (1 + self.holding.of(candidates.key))


@dataclass(frozen=True, slots=True, eq=False)
class Membership:
    """1 for phrases of a lexicon, else 0, (candidates,)."""

    lexicon: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return (self.lexicon.of(candidates.key) > 0).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LogCount:
    """``log10(1 + count)`` of each candidate in a table, 0 for phrases that it lacks, (candidates,)."""

    table: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return np.log10(1 + self.table.of(candidates.key))


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """``log10(1 + count)`` of each candidate less the mean of that of its words, (candidates,).

    How much more common a phrase is than its words suggest. Eichler and Neumann (2010), from web counts.
    """

    phrases: PhraseCounts
    words: PhraseCounts

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        of_words = over_words(np.log10(1 + self.words.of(document.word_key)), candidates, document, "mean")
        return np.log10(1 + self.phrases.of(candidates.key)) - of_words


Ties: TypeAlias = Literal["dense", "sparse"]
"""Rank after equal frequencies: the next one, or one less for each of them."""


@dataclass(frozen=True, slots=True, eq=False)
class RankRatio:
    """Rank by frequency in the document over rank in a reference corpus, above 0, small for keyphrases, (candidates,).

    Paukkeri and Honkela (2010): both ranks are among phrases of the same number of tokens; the most frequent has rank
    1, and equal frequencies share a rank. A phrase that the reference lacks has the rank after its last.

    Attributes:
        reference: counts of n-grams of 1, 2, 3 ... words; longer candidates are looked up in the last table.
    """

    reference: tuple[PhraseCounts, ...]
    ties: Ties = "sparse"

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return self.here(candidates) / self.elsewhere(candidates)

    def here(self, candidates: Candidates) -> Floats:
        """Return the rank in the document, from 1, (candidates,)."""
        rank = np.ones(len(candidates))
        for length in np.unique(candidates.length).tolist():
            these = candidates.length == length
            mentions = candidates.frequency[these]
            rank[these] = _rank(mentions, _ascending(mentions, self.ties))
        return rank

    def elsewhere(self, candidates: Candidates) -> Floats:
        """Return the rank in the reference, from 1, (candidates,)."""
        rank, counts = np.ones(len(candidates)), self.counts(candidates)
        for table, these in self._tables(candidates):
            rank[these] = _rank(counts[these], _ascending_of(table, self.ties))
        return rank

    def counts(self, candidates: Candidates) -> Floats:
        """Return the occurrences in the reference, (candidates,)."""
        counts = np.zeros(len(candidates))
        for table, these in self._tables(candidates):
            counts[these] = table.of(candidates.key[these])
        return counts

    def word_rank(self, document: AnalysedDocument) -> Floats:
        """Return the rank of each word form among the words of the reference, (words,)."""
        return _rank(self.reference[0].of(document.word_key), _ascending_of(self.reference[0], self.ties))

    def _tables(self, candidates: Candidates) -> Iterator[tuple[PhraseCounts, Bools]]:
        """Yield each table with a mask of the candidates that are looked up in it, (candidates,)."""
        number = np.minimum(candidates.length, len(self.reference)) - 1
        return ((table, number == at) for at, table in enumerate(self.reference))


def _rank(counts: Floats | Ints, ascending: Ints) -> Floats:
    """Return 1 plus the number of larger counts, (counts,)."""
    return np.asarray(1 + len(ascending) - np.searchsorted(ascending, counts, "right"), float)


def _ascending(counts: Ints, ties: Ties) -> Ints:
    """Return sorted counts, equal ones once where ranks are dense."""
    return np.unique(counts) if ties == "dense" else np.sort(counts)


@lru_cache(maxsize=16)  # four tables in both kinds of ranks, and as many again for tests and comparisons
def _ascending_of(table: PhraseCounts, ties: Ties) -> Ints:
    """Return the sorted counts of a table, sorted once in a process."""
    return _ascending(table.counts, ties)


def mean_co_usage(candidates: Candidates, best: Ints, lists: PhraseCounts, pairs: PhraseCounts) -> Floats:
    """Return how often keyphrase lists with the best candidates also have each candidate, at least 0, (candidates,).

    The mean over the best candidates, without the candidate itself, of ``log(1 + P)``: P is the share of the lists with
    the best one that also have the candidate. 0 for a candidate in no list, and for all where ``best`` is empty.
    """
    best_keys = candidates.key[best]
    keys = pair_keys(candidates.key[:, None], best_keys[None, :])
    joint = pairs.of(keys.ravel()).reshape(keys.shape)
    shares = joint / np.maximum(lists.of(best_keys), 1)
    itself = candidates.key[:, None] == best_keys[None, :]
    others = np.maximum((~itself).sum(axis=1), 1)
    return np.asarray(np.log1p(np.where(itself, 0.0, shares)).sum(axis=1) / others)
