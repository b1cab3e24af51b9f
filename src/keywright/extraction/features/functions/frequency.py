"""Frequency in the document and rarity elsewhere, (candidates,) each."""

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


def relative_frequency(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the mentions of each candidate per token of the document, above 0, at most 1."""
    return candidates.frequency / max(1, len(document))


def document_frequency(candidates: Candidates, document: AnalysedDocument, collection: Collection) -> Floats:
    """Return the number of other documents of a collection that contain each candidate."""
    if isinstance(collection, LabelledCollection):
        return collection.document_frequency(candidates, document)
    return collection.of(candidates.key)


def inverse_document_frequency(candidates: Candidates, document: AnalysedDocument, collection: Collection) -> Floats:
    """Return ``log2((N + 1) / (df + 1))``: 0 for phrases of every document, never negative."""
    others = collection.documents(document) if isinstance(collection, LabelledCollection) else collection.documents
    return np.asarray(np.log2((others + 1) / (document_frequency(candidates, document, collection) + 1)))


def tf_idf(candidates: Candidates, document: AnalysedDocument, collection: Collection) -> Floats:
    """Return mentions times inverse document frequency."""
    return candidates.frequency * inverse_document_frequency(candidates, document, collection)


def words_only_rarity(candidates: Candidates, table: PhraseCounts) -> Floats:
    """Return ``log2(N / df)`` of words, df at least 1 and of phrases 1 (El-Beltagy and Rafea 2009)."""
    counts = np.where(candidates.length > 1, 1.0, np.maximum(table.of(candidates.key), 1.0))
    return np.asarray(np.log2(max(table.documents, 2) / counts))


def external_keyphraseness(candidates: Candidates, chosen: PhraseCounts, holding: PhraseCounts) -> Floats:
    """Return ``chosen / (1 + holding)`` from two tables, like the share of links of Mihalcea and Csomai (2007)."""
    return chosen.of(candidates.key) / (1 + holding.of(candidates.key))
