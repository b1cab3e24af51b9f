"""Batches of examples of about one length, in an order that a seed and the epoch decide."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_POOL: Final = 64
"""Batches' worth of examples that are sorted together: enough for batches of nearly one length, few enough that each
epoch mixes anew; arbitrary."""


def batches(lengths: NDArray[Any], size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """Return an epoch's batches of at most ``size`` indices; the same for the same seed and epoch.

    Indices are shuffled, sorted by length within pools, cut into batches, and the batches are shuffled.

    Args:
        lengths: words of each example, (examples,).
        size: examples of a batch.
        seed: of the training.
        epoch: from 0.
    """
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(lengths))
    pools = [order[at : at + size * _POOL] for at in range(0, len(order), size * _POOL)]
    ordered = np.concatenate([pool[np.argsort(lengths[pool], kind="stable")] for pool in pools])
    cut = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    return [cut[place] for place in random.permutation(len(cut)).tolist()]


def by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield batches of at most ``size`` indices, in ascending order of length."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for at in range(0, len(order), size):
        yield order[at : at + size]
