"""Several tables of counts with one index: a key is searched once for all tables.

Keys are hashes, so their leading bits almost determine their place in the sorted column: look-ups are interpolation
searches of one or two steps, where a binary search would take twenty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.corpus.counts import PhraseCounts

_KEY_BITS: Final = 64
"""Bits of a key."""


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """Counts of the phrases of several tables side by side.

    Attributes:
        keys: of phrases in any of the tables, ascending, then the largest possible key as a sentinel, (rows,).
        counts: 0 where a table lacks the phrase, and in the row of the sentinel, (rows, tables).
        starts: first row of each value of the leading bits, (2 ** bits,).
        shift: number of bits of a key after the leading ones.
    """

    keys: Keys
    counts: Ints
    starts: Ints
    shift: np.uint64

    @classmethod
    def of_tables(cls, tables: Sequence[PhraseCounts]) -> Self:
        """Return the joined tables; takes a few hundredths of a second for half a million entries."""
        every_key = np.sort(np.concatenate([np.zeros(0, np.uint64), *(table.keys for table in tables)]))
        distinct = every_key[np.diff(every_key, prepend=every_key[:1] ^ np.uint64(1)) != 0]
        counts = np.zeros((len(distinct) + 1, len(tables)), np.uint32)
        for column, table in zip(counts.T, tables, strict=True):
            column[np.searchsorted(distinct, table.keys)] = table.counts
        # About one key per value of the leading bits: a bucket index whose buckets hold a key or two.
        bits = max(1, len(distinct).bit_length())
        shift = np.uint64(_KEY_BITS - bits)
        number = np.bincount((distinct >> shift).astype(np.int64), minlength=1 << bits)
        return cls(np.append(distinct, ~np.uint64(0)), counts, (np.cumsum(number) - number).astype(np.int32), shift)

    def of(self, keys: Keys) -> Floats:
        """Return the counts of phrases in each table, (tables, keys); 0 for phrases that a table lacks."""
        row = self.starts.take((keys >> self.shift).astype(np.int64)).astype(np.int64)
        # All keys step through their buckets together; the sentinel stops those beyond the last key.
        while (before := self.keys.take(row) < keys).any():
            row += before
        counts = self.counts.take(row, axis=0)
        counts[self.keys.take(row) != keys] = 0
        return np.ascontiguousarray(counts.T, np.float64)
