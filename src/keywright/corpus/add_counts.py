"""Addition of document frequencies: two collections as one."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keywright.corpus.counts import PhraseCounts


def add_counts(first: PhraseCounts, second: PhraseCounts, card: Mapping[str, Any] | None = None) -> PhraseCounts:
    """Return the sums of counts and documents; all documents have the same weight.

    More weight for a small collection helped some collections as little as it harmed others
    (docs/decisions/0016-adapting.md).

    Args:
        first: counts of one collection.
        second: counts of the other, with the same kind of keys.
        card: of the sum.
    """
    keys = np.union1d(first.keys, second.keys)
    counts = (first.of(keys) + second.of(keys)).astype(np.uint32)
    return PhraseCounts(keys, counts, first.documents + second.documents, card or {})
