"""Redundant parts of longer phrases."""

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.ranking.nesting import nested_pairs


def redundant(
    document: AnalysedDocument,
    candidates: Candidates,
    scores: Floats,
    *,
    advantage: float = 1.0,
    equally_often: bool = False,
) -> Bools:
    """Return whether each candidate is part of a longer one that is not worse and not redundant itself, (candidates,).

    With the defaults this is KEA's rule (Witten et al. 1999): no phrase is listed behind one that contains it.

    Args:
        document: the document.
        candidates: its candidates.
        scores: higher is better, (candidates,).
        advantage: a part stays if its score exceeds the longer one's by this factor. Above 1 scores must not be
            negative.
        equally_often: only parts with no more mentions than the longer one are redundant: those that never occur
            alone.
    """
    part, whole = nested_pairs(document, candidates)
    worse = scores[part] <= advantage * scores[whole]
    if equally_often:
        worse &= candidates.frequency[part] <= candidates.frequency[whole]
    part, whole = part[worse], whole[worse]
    removed = np.zeros(len(candidates), bool)
    # Longest first, as only candidates that stay make others redundant; each length is decided at once.
    for length in np.unique(candidates.length[part])[::-1].tolist():
        of_length = (candidates.length[part] == length) & ~removed[whole]
        removed[part[of_length]] = True
    return removed
