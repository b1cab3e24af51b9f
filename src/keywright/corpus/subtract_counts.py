"""Counts without what some documents brought to them: what a table would say had it never seen them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from keywright.core.arrays import Keys
from keywright.corpus.counts import PhraseCounts


def subtract_counts(table: PhraseCounts, entries: Sequence[Keys], least: int = 1) -> PhraseCounts:
    """The table without these entries, each taken out as often as it is there; its number of documents stays.

    Args:
        table: the counts.
        entries: keys that documents brought, an array (keys,) for each; what the table does not know is passed over.
        least: what is left fewer times than this counts as never seen.
    """
    own, times = np.unique(np.concatenate([np.zeros(0, np.uint64), *entries]), return_counts=True)
    left = np.array(table.counts, np.int64)
    known = table.of(own) > 0
    left[np.searchsorted(table.keys, own[known])] -= times[known]
    return replace(table, counts=np.where(left < least, 0, left))
