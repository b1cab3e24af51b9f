"""Candidates of one document restricted to some of its tokens, or united."""

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates


def mentions_among(candidates: Candidates, tokens: Bools) -> Candidates:
    """Return the candidates with only those occurrences whose tokens a mask (tokens,) marks.

    Frequencies and first mentions are those of the remaining occurrences; candidates without any are left out.
    """
    # Prefix sums: a span is wholly inside where as many tokens are marked as it has.
    before = np.concatenate(([0], np.cumsum(tokens)))
    inside = before[candidates.positions + candidates.widths] - before[candidates.positions] == candidates.widths
    return regrouped(candidates.key[candidates.owner[inside]], candidates.positions[inside], candidates.widths[inside])


def joined(left: Candidates, right: Candidates) -> Candidates:
    """Return the union of candidates of one document; an occurrence in both counts once."""
    key = np.concatenate((np.repeat(left.key, left.frequency), np.repeat(right.key, right.frequency)))
    position = np.concatenate((left.positions, right.positions))
    width = np.concatenate((left.widths, right.widths))
    _, once = np.unique(np.stack((position, width)), axis=1, return_index=True)
    return regrouped(key[once], position[once], width[once])
