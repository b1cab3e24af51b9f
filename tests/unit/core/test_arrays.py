"""Columns in segments: places, padding and sorting by hand; keys are found where they are, and nowhere else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.arrays import KeyIndex, locate_rows, pad_segments, sort_segments, sum_segments

BOUNDS = np.array([0, 2, 2, 5])  # two rows, none, three


def test_places_count_from_the_beginning_of_each_segment():
    segment, place = locate_rows(BOUNDS)
    assert segment.tolist() == [0, 0, 2, 2, 2]
    assert place.tolist() == [0, 1, 0, 1, 2]


def test_shorter_segments_are_filled():
    assert pad_segments(np.array([5.0, 6, 7, 8, 9]), BOUNDS, -1).tolist() == [[5, 6, -1], [-1, -1, -1], [7, 8, 9]]
    assert np.isnan(pad_segments(np.array([[5.0, 6, 7, 8, 9]]), BOUNDS)[0, 0, 2])
    assert pad_segments(np.zeros(0), np.array([0, 0])).shape == (1, 0)


def test_runs_end_with_their_segment():
    keys = np.array([4, 4, 4, 1, 4], np.uint64)
    order, begins = sort_segments(keys, BOUNDS)
    assert order.tolist() == [0, 1, 3, 2, 4]
    assert begins.tolist() == [True, False, True, True, False]
    order, begins = sort_segments(keys[:0], np.array([0, 0]))
    assert (len(order), len(begins)) == (0, 0)


def test_sums_of_empty_segments_are_0():
    assert sum_segments(np.array([1, 2, 3, 4, 5]), BOUNDS).tolist() == [3, 0, 12]
    assert sum_segments(np.array([[1, 1, 0, 0, 1], [0, 0, 0, 0, 2]]), BOUNDS).tolist() == [[2, 0, 1], [0, 0, 2]]
    assert sum_segments(np.zeros(0, bool), np.array([0, 0])).tolist() == [0]


LAST = 2**64 - 1
KEYS = st.one_of(st.integers(0, 40), st.integers(0, LAST), st.integers(LAST - 40, LAST))


def test_by_hand():
    index = KeyIndex.of(np.array([3, 4, 1 << 63, LAST], np.uint64))
    row, is_there = index.look_up(np.array([4, 0, LAST, 5, 3, 1 << 63, LAST - 1], np.uint64))
    assert is_there.tolist() == [True, False, True, False, True, True, False]
    assert row[is_there].tolist() == [1, 3, 0, 2]


@given(st.sets(KEYS, max_size=60), st.lists(KEYS, max_size=30))
def test_all_keys_are_found_and_no_others(keys, others):
    ordered = sorted(keys)
    index = KeyIndex.of(np.array(ordered, np.uint64))
    row, is_there = index.look_up(np.array([*ordered, *others], np.uint64))
    assert is_there.tolist() == [True] * len(keys) + [key in keys for key in others]
    assert row[: len(keys)].tolist() == list(range(len(keys)))
