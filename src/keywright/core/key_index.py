"""An index of ascending 64-bit hashes, in which a search takes one or two steps instead of twenty."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys

_KEY_BITS: Final = 64
"""Bits of a key."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyIndex:
    """The places of ascending keys by their leading bits.

    Keys are hashes, so their leading bits almost determine their place: buckets of equal leading bits hold a key or
    two. A binary search waits for memory at each of its twenty steps; here all keys are looked up at once.

    Attributes:
        keys: ascending, distinct, (rows,).
        starts: first row of each value of the leading bits, and the number of rows, (2 ** bits + 1,).
        shift: number of bits of a key after the leading ones.
    """

    keys: Keys
    starts: Ints
    shift: np.uint64

    @classmethod
    def of(cls, keys: Keys) -> Self:
        """Return the index of ascending, distinct keys."""
        bits = max(1, len(keys).bit_length())  # about one key per value of the leading bits
        shift = np.uint64(_KEY_BITS - bits)
        number = np.bincount((keys >> shift).astype(np.int64), minlength=1 << bits)
        return cls(keys, np.concatenate(([0], np.cumsum(number))).astype(np.int32), shift)

    def look_up(self, keys: Keys) -> tuple[Ints, Bools]:
        """Return the row of each key, and whether it is there, (keys,) both; the row of a missing key is any."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64), np.zeros(len(keys), bool)
        bucket = (keys >> self.shift).astype(np.int64)
        row = self.starts.take(bucket).astype(np.int64)
        last = self.starts.take(bucket + 1) - 1
        # All keys step through their buckets together, none beyond the last key of its bucket.
        while (before := (row < last) & (self.keys.take(row, mode="clip") < keys)).any():
            row += before
        return row, np.asarray(self.keys.take(row, mode="clip") == keys)
