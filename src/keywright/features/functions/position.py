"""Positions of a phrase in the document, as shares of its length in tokens, and relative to other candidates."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.interfaces import Feature


def first_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document before each candidate's first mention, 0 to below 1, (candidates,)."""
    return candidates.first / max(1, len(document))


def last_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document before each candidate's last mention, 0 to below 1, (candidates,)."""
    return candidates.last / max(1, len(document))


def spread(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document between first and last mention, 0 for a single one, (candidates,)."""
    return (candidates.last - candidates.first) / max(1, len(document))


def deviation(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the standard deviation of the mentions' positions, 0 for a single one, at most 0.5, (candidates,)."""
    positions = candidates.positions / max(1, len(document))
    mean = _sums(candidates, positions) / candidates.frequency
    return np.asarray(np.sqrt(_sums(candidates, (positions - mean[candidates.owner]) ** 2) / candidates.frequency))


def _sums(candidates: Candidates, numbers: Floats) -> Floats:
    """Return the sum of a column (occurrences,) over each candidate's occurrences, (candidates,)."""
    return np.asarray(np.bincount(candidates.owner, weights=numbers, minlength=len(candidates)), float)


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """A feature scaled to the range 0 to 1 in each document; all 0 where the values are equal."""

    feature: Feature

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        values = self.feature(candidates, document)
        if not len(values) or values.max() == values.min():
            return np.zeros(len(values))
        return np.asarray((values - values.min()) / (values.max() - values.min()))
