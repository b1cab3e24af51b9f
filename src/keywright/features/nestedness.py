"""Phrases inside longer phrases."""

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates


def mentions_inside(candidates: Candidates) -> Floats:
    """Mentions of the most frequent candidate that is one token longer and holds each candidate, (candidates,).

    0 for a candidate that no longer one holds. Divided by the candidate's own frequency and taken from 1 this is the
    DPM-index of Haddoud and Abdeddaïm (2014).
    """
    if not len(candidates):
        return np.zeros(0)
    starts, widths = candidates.positions, candidates.widths
    # Who stands at (start, width)? One row and column more than needed hold "nobody", whose frequency is 0.
    nobody = len(candidates)
    owner_at = np.full((int(starts.max()) + 2, int(widths.max()) + 2), nobody, np.int32)
    owner_at[starts + 1, widths] = candidates.owner
    frequency = np.append(candidates.frequency, 0)
    to_the_right = frequency[owner_at[starts + 1, widths + 1]]
    to_the_left = frequency[owner_at[starts, widths + 1]]
    longer = np.maximum.reduceat(np.maximum(to_the_right, to_the_left), candidates.offsets[:-1])
    return np.asarray(longer, float)
