"""Columns in segments: places, padding and sorting, each by hand."""

import numpy as np

from keywright.core.arrays import locate_rows, pad_segments, sort_segments, sum_segments

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
