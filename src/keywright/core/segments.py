"""Columns in segments, one for each document of a batch: adjacent rows from a bound to the next."""

import itertools

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys


def sizes(bounds: Ints) -> Ints:
    """Return the number of rows of each segment, (segments,)."""
    return np.asarray(bounds[1:] - bounds[:-1])  # np.diff takes several times as long for a single document


def places(bounds: Ints) -> tuple[Ints, Ints]:
    """Return the segment of each row and its place in the segment, from 0, (rows,) each."""
    segment = np.repeat(np.arange(len(bounds) - 1), sizes(bounds))
    return segment, np.arange(len(segment)) - bounds[segment]


def rows_between(begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return the rows of ranges, one range behind the other, and the number of the range of each, (rows,) both.

    Ranges are half-open, (ranges,) both; they may be empty, overlap, and come in any order.
    """
    number = ends - begins
    which = np.repeat(np.arange(len(begins)), number)
    return np.repeat(begins - (np.cumsum(number) - number), number) + np.arange(len(which)), which


def sums(values: Ints | Bools, bounds: Ints) -> Ints:
    """Return the sums of whole numbers, (..., rows), over each segment, (..., segments)."""
    # Prefix sums: the sum of a segment is the difference of the running sums at its bounds, also of an empty one.
    running = np.zeros((*values.shape[:-1], values.shape[-1] + 1), np.int64)
    np.cumsum(values, axis=-1, out=running[..., 1:])
    return np.asarray(running[..., bounds[1:]] - running[..., bounds[:-1]])


def padded(values: Floats, bounds: Ints, fill: float = np.nan) -> Floats:
    """Return values, (..., rows), with a row for each segment, (..., segments, longest), ``fill`` behind shorter ones.

    Sorts and running sums along the last axis then serve all segments at once; nan is sorted behind all values.
    """
    segment, place = places(bounds)
    matrix = np.full((*values.shape[:-1], len(bounds) - 1, int(sizes(bounds).max(initial=0))), fill)
    matrix[..., segment, place] = values
    return matrix


def sorted_in_segments(keys: Keys, bounds: Ints) -> tuple[Ints, Bools]:
    """Return rows in the order of keys inside their segments, and whether each begins a run of equal keys, (rows,)."""
    # A fast sort for each segment costs less than one stable sort by segment and key.
    sorts = [begin + np.argsort(keys[begin:end]) for begin, end in itertools.pairwise(bounds.tolist())]
    order = np.concatenate(sorts)
    begins = np.ones(len(keys), bool)
    begins[1:] = keys[order[1:]] != keys[order[:-1]]
    begins[bounds[bounds < len(keys)]] = True
    return order, begins
