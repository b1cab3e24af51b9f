"""Occurrences to candidates: phrases with equal keys become one."""

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.candidates import Candidates


def grouped(key: Keys, position: Ints, width: Ints) -> Candidates:
    """Candidates in the order of their first occurrence; no occurrence gives none.

    Args:
        key: of each occurrence, (occurrences,).
        position: token where it begins, ascending, (occurrences,).
        width: its tokens, (occurrences,).
    """
    order = np.argsort(key)
    sorted_key = key[order]
    begins = np.concatenate(([True], sorted_key[1:] != sorted_key[:-1])) if len(key) else np.zeros(0, bool)
    heads = np.flatnonzero(begins)
    counts = np.diff(np.append(heads, len(key)))
    # The fast sort leaves equal keys in any order; sorting (group, place) as one number puts them in reading order.
    group = (np.cumsum(begins) - 1) * len(key)
    order = np.sort(group + order) - group
    # Within a key the order is that of reading, so an occurrence's head is its first; candidates follow their heads.
    by_first = np.argsort(order[heads], kind="stable")
    frequency = counts[by_first]
    offsets = np.concatenate(([0], np.cumsum(frequency)))
    source = np.repeat(heads[by_first] - offsets[:-1], frequency) + np.arange(len(key))
    positions, widths = position[order[source]], width[order[source]]
    return Candidates(
        key=sorted_key[heads[by_first]],
        length=widths[offsets[:-1]],
        frequency=frequency,
        first=positions[offsets[:-1]],
        last=positions[offsets[1:] - 1],
        offsets=offsets,
        positions=positions,
        widths=widths,
    )


def regrouped(key: Keys, position: Ints, width: Ints) -> Candidates:
    """The same of occurrences in any order, each (occurrences,)."""
    order = np.lexsort((width, position))
    return grouped(key[order], position[order], width[order])
