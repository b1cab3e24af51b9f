"""Rows of the concepts that may be subjects of a document: mentioned ones, and those of similar documents."""

from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.extraction.subjects.described_documents import DescribedDocument
from keywright.extraction.subjects.indexed_documents import IndexedDocuments

NEIGHBOURS: Final = 20
"""Similar documents whose subjects count."""
SUGGESTED: Final = 40
"""Concepts of similar documents that are candidates without being mentioned, at most."""
_ABSENT: Final = -1.0
"""Value of columns of mentions for concepts that are not mentioned; below all others."""
_NOT_BELOW: Final = frozenset({"probability of labels", "mentions", "density", "labels"})
"""Columns in which a concept that is not mentioned has 0."""
_PRIOR: Final = 2.0
"""Documents that the share of all concepts counts as, beside those that mention a concept; arbitrary."""


def candidate_rows(document: DescribedDocument, indexed: IndexedDocuments) -> tuple[Ints, Floats, tuple[str, ...]]:
    """Return the candidates, those that are mentioned first, with their rows and the names of the columns.

    Places in the vocabulary are (candidates,), rows (candidates, columns). The document itself must not be among the
    indexed ones in training, or the counts contain what is to be learnt.
    """
    suggested, share = indexed.suggestions(document, NEIGHBOURS)
    mentioned = document.matches.places
    absent = ~np.isin(suggested, mentioned)
    best = np.argsort(-share[absent], kind="stable")[:SUGGESTED]
    places = np.concatenate((mentioned, suggested[absent][best]))
    columns = {name: _extend_column(name, column, len(places)) for name, column in document.columns.items()}
    columns |= {
        "mentioned": (np.arange(len(places)) < len(mentioned)).astype(float),
        **_of_counts(places, indexed, columns["density"]),
        **_of_neighbours(places, suggested, share),
    }
    return places, np.column_stack(list(columns.values())), tuple(columns)


def _extend_column(name: str, column: Floats, length: int) -> Floats:
    """Return a column of mentioned concepts with the value of the others behind it, (candidates,)."""
    absent = 0.0 if name in _NOT_BELOW else _ABSENT
    return np.concatenate((column, np.full(length - len(column), absent)))


def _of_counts(places: Ints, indexed: IndexedDocuments, density: Floats) -> dict[str, Floats]:
    """Return how often concepts are mentioned and are subjects in the indexed documents, (candidates,) each."""
    documents, mentioned = len(indexed), indexed.mentioned_in[places]
    usual = indexed.both.sum() / max(1, indexed.mentioned_in.sum())
    rarity = np.log((documents + 1) / (mentioned + 1))
    return {
        "subject of documents": indexed.subjects_of[places] / documents,
        "mentioned in documents": mentioned / documents,
        "subject where mentioned": (indexed.both[places] + _PRIOR * usual) / (mentioned + _PRIOR),
        "rarity": rarity,
        "density by rarity": density * rarity,
    }


def _of_neighbours(places: Ints, suggested: Ints, share: Floats) -> dict[str, Floats]:
    """Return the share of each candidate in similar documents, and its rank by it, (candidates,) each."""
    at = suggested.searchsorted(places).clip(max=max(0, len(suggested) - 1))
    shares = np.where(suggested[at] == places, share[at], 0.0) if len(suggested) else np.zeros(len(places))
    rank = np.empty(len(places))
    rank[np.argsort(-shares, kind="stable")] = np.arange(len(places))
    return {"subject of similar documents": shares, "rank by similar documents": rank}
