"""Several tables of counts under one look-up: a key is searched once, however many tables are asked.

Keys are hashes, so their leading bits say almost where in the sorted column they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.corpus.counts import PhraseCounts

_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """Counts of the phrases of several tables side by side.

    Attributes:
        keys: of phrases in any of the tables, ascending, with the largest key there can be as the last, (rows,).
        counts: 0 where a table lacks the phrase, and in the last row, (rows, tables).
        starts: first row with some leading bits, (2 ** bits,).
        shift: bits of a key that are not leading ones.
    """

    keys: Keys
    counts: Ints
    starts: Ints
    shift: np.uint64

    @classmethod
    def of_tables(cls, tables: Sequence[PhraseCounts]) -> Self:
        """The tables side by side; takes a few hundredths of a second for half a million entries."""
        everything = np.sort(np.concatenate([np.zeros(0, np.uint64), *(table.keys for table in tables)]))
        distinct = everything[np.diff(everything, prepend=everything[:1] ^ np.uint64(1)) != 0]
        counts = np.zeros((len(distinct) + 1, len(tables)), np.uint32)
        for column, table in zip(counts.T, tables, strict=True):
            column[np.searchsorted(distinct, table.keys)] = table.counts
        bits = max(1, len(distinct).bit_length())
        shift = np.uint64(_BITS - bits)
        number = np.bincount((distinct >> shift).astype(np.int64), minlength=1 << bits)
        return cls(np.append(distinct, ~np.uint64(0)), counts, (np.cumsum(number) - number).astype(np.int32), shift)

    def of(self, keys: Keys) -> Floats:
        """Counts of phrases in each table, (tables, keys); 0 for what a table does not know."""
        row = self.starts.take((keys >> self.shift).astype(np.int64)).astype(np.int64)
        while (behind := self.keys.take(row) < keys).any():
            row += behind
        counts = self.counts.take(row, axis=0)
        counts[self.keys.take(row) != keys] = 0
        return np.ascontiguousarray(counts.T, np.float64)
