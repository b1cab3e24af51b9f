"""Types of numpy columns, columns in segments, and an index of keys.

The axis of a column is beside its name: ``word: Ints  # (tokens,)``. Segments are adjacent rows, such as of each
document.
"""

import itertools
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.floating[Any]]
Numbers: TypeAlias = NDArray[np.number[Any]]
Bools: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]  # keys of phrases: 64-bit hashes of their stems (see ``keywright.text.keys``)


def count_rows(bounds: Ints) -> Ints:
    """Return the number of rows of each segment, (segments,)."""
    return np.asarray(bounds[1:] - bounds[:-1])  # np.diff takes several times as long for a single document


def locate_rows(bounds: Ints) -> tuple[Ints, Ints]:
    """Return the segment of each row and its place in the segment, from 0, (rows,) each."""
    segment = np.repeat(np.arange(len(bounds) - 1), count_rows(bounds))
    return segment, np.arange(len(segment)) - bounds[segment]


def expand_ranges(begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return the rows of half-open ranges, one behind the other, and the number of the range of each, (rows,) both."""
    number = ends - begins
    which = np.repeat(np.arange(len(begins)), number)
    return np.repeat(begins - (np.cumsum(number) - number), number) + np.arange(len(which)), which


def count_inside(marked: Bools, begins: Ints, ends: Ints) -> Ints:
    """Return the number of marked rows in each of some half-open ranges, (ranges,)."""
    before = np.concatenate(([0], np.cumsum(marked)))
    return np.asarray(before[ends] - before[begins])


def sum_segments(values: Ints | Bools, bounds: Ints) -> Ints:
    """Return the sums of whole numbers, (..., rows), over each segment, (..., segments)."""
    # Prefix sums: the sum of a segment is the difference of the running sums at its bounds, also of an empty one.
    running = np.zeros((*values.shape[:-1], values.shape[-1] + 1), np.int64)
    np.cumsum(values, axis=-1, out=running[..., 1:])
    return np.asarray(running[..., bounds[1:]] - running[..., bounds[:-1]])


def pad_segments(values: Floats, bounds: Ints, fill: float = np.nan) -> Floats:
    """Return values, (..., rows), by segment, (..., segments, longest), with ``fill`` behind shorter ones."""
    segment, place = locate_rows(bounds)
    matrix = np.full((*values.shape[:-1], len(bounds) - 1, int(count_rows(bounds).max(initial=0))), fill)
    matrix[..., segment, place] = values
    return matrix


def to_units(vectors: Floats) -> Floats:
    """Return rows of length 1, as (rows, numbers); those of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))


def sort_segments(keys: Keys, bounds: Ints) -> tuple[Ints, Bools]:
    """Return rows in the order of keys inside their segments, and whether each begins a run of equal keys, (rows,)."""
    # A fast sort for each segment costs less than one stable sort by segment and key.
    sorts = [begin + np.argsort(keys[begin:end]) for begin, end in itertools.pairwise(bounds.tolist())]
    order = np.concatenate(sorts)
    begins = np.ones(len(keys), bool)
    begins[1:] = keys[order[1:]] != keys[order[:-1]]
    begins[bounds[bounds < len(keys)]] = True
    return order, begins


@dataclass(frozen=True, slots=True, eq=False)
class KeyIndex:
    """The places of ascending, distinct keys, (rows,), by their leading bits, whose ``starts`` are (2 ** bits + 1,).

    Keys are hashes, so that buckets of equal leading bits hold a key or two. A binary search waits for memory at each
    of its twenty steps; here all keys are looked up at once. ``shift``: bits of a key after the leading ones.
    """

    keys: Keys
    starts: Ints
    shift: np.uint64

    @classmethod
    def of(cls, keys: Keys) -> Self:
        """Return the index of ascending, distinct keys."""
        bits = max(1, len(keys).bit_length())  # about one key per value of the leading bits
        shift = np.uint64(np.iinfo(keys.dtype).bits - bits)
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
