"""Mentions in the document: how often, where, in which sections; and rarity elsewhere, (candidates,) each."""

from typing import TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, share_before
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind
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


def first_mention(candidates: Candidates, document: Analysed) -> Floats:
    """Return the share of the document before each candidate's first mention, 0 to below 1, (candidates,)."""
    return share_before(candidates.first, document)


def last_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document before each candidate's last mention, 0 to below 1, (candidates,)."""
    return candidates.last / max(1, len(document))


def deviation(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the standard deviation of the mentions' positions, 0 for a single one, at most 0.5, (candidates,)."""
    positions = candidates.positions / max(1, len(document))
    owner, number = candidates.owner, len(candidates)
    mean = np.bincount(owner, positions, number) / candidates.frequency
    squares = np.bincount(owner, (positions - mean[owner]) ** 2, number)
    return np.asarray(np.sqrt(squares / candidates.frequency))


def mentions_in(candidates: Candidates, document: AnalysedDocument, *kinds: SectionKind) -> Floats:
    """Return the mentions of each candidate in sections of these kinds, (candidates,)."""
    return np.asarray(by_kind(candidates, document)[:, [kind.code for kind in kinds]].sum(axis=1), float)


def by_kind(candidates: Candidates, document: Analysed) -> Ints:
    """Return the mentions of each candidate in sections of each kind, (candidates, kinds)."""
    # A two-dimensional count by one ``bincount``: candidate and kind packed into one integer.
    kinds = len(SECTION_KINDS)
    cells = candidates.owner * kinds + document.section[candidates.positions]
    return np.bincount(cells, minlength=len(candidates) * kinds).reshape(-1, kinds)


def section_tf_idf(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return TF×IDF among the sections of a document (Berend and Farkas 2010), (candidates, kinds), or 0."""
    sizes = np.bincount(document.section, minlength=len(SECTION_KINDS))
    mentions = by_kind(candidates, document)
    rarity = np.log2(np.count_nonzero(sizes) / np.maximum((mentions > 0).sum(axis=1), 1))
    return np.asarray(mentions / np.maximum(1, sizes) * rarity[:, None])
