"""Frequency in the document and rarity elsewhere."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.labelled import LabelledCollection

Collection: TypeAlias = PhraseCounts | LabelledCollection
"""Source of document frequencies. A labelled collection leaves out the document in question; a table of counts does not
know its documents, so a document that went into it counts."""


def term_frequency(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Return the mentions of each candidate, at least 1, (candidates,)."""
    return candidates.frequency.astype(np.float64)


def relative_frequency(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the mentions of each candidate per token of the document, above 0, at most 1, (candidates,)."""
    return candidates.frequency / max(1, len(document))


def log_frequency(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Return ``log2(1 + mentions)``, at least 1, (candidates,)."""
    return np.asarray(np.log2(1.0 + candidates.frequency))


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequency:
    """Other documents of a collection that contain each candidate, (candidates,)."""

    collection: Collection

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        if isinstance(self.collection, LabelledCollection):
            return self.collection.document_frequency(candidates, document)
        return self.collection.of(candidates.key)


@dataclass(frozen=True, slots=True, eq=False)
class InverseDocumentFrequency:
    """``log2((N + 1) / (df + 1))``, (candidates,): 0 for phrases of every document, never negative."""

    collection: Collection

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        counts = self.collection
        others = counts.documents(document) if isinstance(counts, LabelledCollection) else counts.documents
        return np.asarray(np.log2((others + 1) / (DocumentFrequency(counts)(candidates, document) + 1)))


@dataclass(frozen=True, slots=True, eq=False)
class TfIdf:
    """Mentions times inverse document frequency, (candidates,).

    Attributes:
        relative: whether mentions are counted per token of the document, as in KEA.
    """

    collection: Collection
    relative: bool = False

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        rarity = InverseDocumentFrequency(self.collection)
        mentions = (relative_frequency if self.relative else term_frequency)(candidates, document)
        return np.asarray(mentions * rarity(candidates, document))


@dataclass(frozen=True, slots=True, eq=False)
class WordsOnlyRarity:
    """``log2(N / df)`` for words, (candidates,); phrases of several words count as in one document.

    El-Beltagy and Rafea (2009). Words that are in no document also count as in one.
    """

    table: PhraseCounts

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        counts = np.where(candidates.length > 1, 1.0, np.maximum(self.table.of(candidates.key), 1.0))
        return np.asarray(np.log2(max(self.table.documents, 2) / counts))


@dataclass(frozen=True, slots=True)
class BoostingFactor:
    """1 for words; for phrases, mentions of all candidates over alpha times those of phrases, (candidates,).

    El-Beltagy and Rafea (2009), who fitted both values: phrases are rarer than words, so they weigh more. Phrases weigh
    at most ``sigma``.
    """

    alpha: float = 2.3
    sigma: float = 3.0

    def __call__(self, candidates: Candidates, _: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        phrases = candidates.length > 1
        of_phrases = candidates.frequency[phrases].sum()
        boost = min(self.sigma, candidates.frequency.sum() / (of_phrases * self.alpha)) if of_phrases else 1.0
        return np.where(phrases, boost, 1.0)
