"""Where in the document a phrase stands; all positions are shares of the document's length in tokens."""

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def first_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Share of the document that lies before each candidate's first mention, 0 to below 1, (candidates,)."""
    return candidates.first / max(1, len(document))


def log_first_mention(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """``log2(1 + tokens before the first mention)``, (candidates,): the early places told apart."""
    return np.asarray(np.log2(1.0 + candidates.first))


def first_sentence(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Number of the sentence of each candidate's first mention, from 0, (candidates,)."""
    return document.sentence[candidates.first].astype(np.float64)


def last_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Share of the document that lies before each candidate's last mention, 0 to below 1, (candidates,)."""
    return candidates.last / max(1, len(document))


def spread(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Share of the document between first and last mention, 0 for a single one, (candidates,)."""
    return (candidates.last - candidates.first) / max(1, len(document))


def deviation(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Standard deviation of the mentions' places, 0 for a single one, at most 0.5, (candidates,)."""
    places = candidates.positions / max(1, len(document))
    mean = _sums(candidates, places) / candidates.frequency
    return np.asarray(np.sqrt(_sums(candidates, (places - mean[candidates.owner]) ** 2) / candidates.frequency))


def _sums(candidates: Candidates, numbers: Floats) -> Floats:
    """Sum of a column (occurrences,) over each candidate's occurrences, (candidates,)."""
    return np.asarray(np.bincount(candidates.owner, weights=numbers, minlength=len(candidates)), float)
