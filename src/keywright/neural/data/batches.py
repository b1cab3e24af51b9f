"""Batches of examples of about one length, in an order that a seed and the epoch decide."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from keywright.neural.data.examples import Example

_POOL: Final = 64
"""Batches' worth of examples that are sorted together: enough for batches of nearly one length, few enough that each
epoch mixes anew; arbitrary."""


def batches(examples: Sequence[Example], size: int, seed: int, epoch: int) -> list[tuple[Example, ...]]:
    """Return an epoch's batches of at most ``size`` examples; the same for the same seed and epoch.

    Examples are shuffled, sorted by length within pools, cut into batches, and the batches are shuffled.
    """
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(examples)).tolist()
    lengths = [len(example.source) for example in examples]
    pools = [order[at : at + size * _POOL] for at in range(0, len(order), size * _POOL)]
    ordered = [index for pool in pools for index in sorted(pool, key=lengths.__getitem__)]
    cut = [tuple(examples[index] for index in ordered[at : at + size]) for at in range(0, len(ordered), size)]
    return [cut[place] for place in random.permutation(len(cut)).tolist()]


def by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield batches of at most ``size`` indices, in ascending order of length."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for at in range(0, len(order), size):
        yield order[at : at + size]
