"""Candidates of one document narrowed to some of its tokens, or put together."""

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates


def mentions_among(candidates: Candidates, tokens: Bools) -> Candidates:
    """Only the occurrences that lie wholly in the tokens for which the mask ``tokens``, (tokens,), is true.

    Frequencies and first mentions are those of what remains; candidates of which nothing does are gone.
    """
    before = np.concatenate(([0], np.cumsum(tokens)))
    inside = before[candidates.positions + candidates.widths] - before[candidates.positions] == candidates.widths
    return regrouped(candidates.key[candidates.owner[inside]], candidates.positions[inside], candidates.widths[inside])


def joined(left: Candidates, right: Candidates) -> Candidates:
    """Candidates of either; both come from the same document. An occurrence that both have counts once."""
    key = np.concatenate((np.repeat(left.key, left.frequency), np.repeat(right.key, right.frequency)))
    position = np.concatenate((left.positions, right.positions))
    width = np.concatenate((left.widths, right.widths))
    _, once = np.unique(np.stack((position, width)), axis=1, return_index=True)
    return regrouped(key[once], position[once], width[once])
