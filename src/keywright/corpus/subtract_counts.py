"""Subtraction of counts: a table as if some documents had never been counted."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from keywright.core.arrays import Keys
from keywright.corpus.counts import PhraseCounts


def subtract_counts(table: PhraseCounts, entries: Sequence[Keys], least: int = 1) -> PhraseCounts:
    """Return the table without some entries, each as often as it is given; the number of documents stays.

    Args:
        table: the counts.
        entries: keys from documents, an array (keys,) for each; keys that are not in the table are ignored.
        least: smaller counts that remain become 0.
    """
    keys, times = np.unique(np.concatenate([np.zeros(0, np.uint64), *entries]), return_counts=True)
    rest = np.array(table.counts, np.int64)
    in_table = table.of(keys) > 0
    rest[np.searchsorted(table.keys, keys[in_table])] -= times[in_table]
    return replace(table, counts=np.where(rest < least, 0, rest))
