"""Document frequencies of two collections as those of one."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from keywright.corpus.counts import PhraseCounts


def add_counts(general: PhraseCounts, own: PhraseCounts, card: Mapping[str, Any] | None = None) -> PhraseCounts:
    """Counts and documents of both added up: one document counts as much as any other.

    Letting a small collection of one's own weigh more helps some collections as little as it harms others
    (docs/decisions/0016-adapting.md).

    Args:
        general: counts of one collection.
        own: counts of the other, made by the same kind of keys.
        card: of the outcome.
    """
    keys = np.union1d(general.keys, own.keys)
    counts = (general.of(keys) + own.of(keys)).astype(np.uint32)
    return PhraseCounts(keys, counts, general.documents + own.documents, card or {})
