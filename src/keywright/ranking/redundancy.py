"""Phrases that say again what a better phrase says."""

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
    """Whether each candidate is a part of a longer one that is no worse and stays itself, (candidates,).

    With the defaults this is KEA's rule (Witten et al. 1999): no phrase is listed behind one that holds it.

    Args:
        document: the document.
        candidates: its candidates.
        scores: higher is better, (candidates,).
        advantage: how many times the longer one's score a part must exceed to stay. Above 1 a part must be clearly
            better than the whole; scores must not be negative then.
        equally_often: only parts with no more mentions than the longer one go: those that never stand alone.
    """
    part, whole = nested_pairs(document, candidates)
    worse = scores[part] <= advantage * scores[whole]
    if equally_often:
        worse &= candidates.frequency[part] <= candidates.frequency[whole]
    part, whole = part[worse], whole[worse]
    gone = np.zeros(len(candidates), bool)
    for length in np.unique(candidates.length[part])[::-1].tolist():  # longest first: only who stays outdoes others
        mine = (candidates.length[part] == length) & ~gone[whole]
        gone[part[mine]] = True
    return gone
