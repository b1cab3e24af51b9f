"""How often, and how rare elsewhere."""

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.corpus.counts import PhraseCounts


def document_frequency(candidates: Candidates, table: PhraseCounts, *, own: bool = False) -> Floats:
    """Other documents of a collection that hold each candidate, (candidates,).

    Args:
        candidates: of one document.
        table: counts of the collection.
        own: whether the document itself is in the collection; it is then taken out.
    """
    counts = table.of(candidates.key)
    return np.maximum(counts - 1, 0) if own else counts


def inverse_document_frequency(candidates: Candidates, table: PhraseCounts, *, own: bool = False) -> Floats:
    """``log2((N + 1) / (df + 1))``, (candidates,): 0 for phrases of every document, never negative."""
    documents = table.documents - own
    return np.log2((documents + 1) / (document_frequency(candidates, table, own=own) + 1))


def tfidf(candidates: Candidates, table: PhraseCounts, *, own: bool = False) -> Floats:
    """Frequency times inverse document frequency, (candidates,)."""
    return candidates.frequency * inverse_document_frequency(candidates, table, own=own)
