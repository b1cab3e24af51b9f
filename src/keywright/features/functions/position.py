"""Positions of a phrase in the document, as shares of the document's length in tokens."""

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


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
