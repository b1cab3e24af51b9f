"""A table less what some documents brought, by hand."""

import numpy as np

from keywright.extraction.corpus.counts import PhraseCounts, subtract_counts

TABLE = PhraseCounts(np.array([1, 2, 3], np.uint64), np.array([5, 2, 1], np.uint32), 9)


def keys(*numbers: int):
    return np.array(numbers, np.uint64)


def test_each_entry_is_taken_out_as_often_as_it_is_there():
    assert subtract_counts(TABLE, [keys(1, 2), keys(1, 7)]).counts.tolist() == [3, 1, 1]


def test_nothing_goes_below_none():
    assert subtract_counts(TABLE, [keys(3), keys(3)]).counts.tolist() == [5, 2, 0]


def test_what_is_left_too_few_times_goes():
    assert subtract_counts(TABLE, [keys(2)], least=2).counts.tolist() == [5, 0, 0]


def test_nothing_taken_out_leaves_all():
    left = subtract_counts(TABLE, [])
    assert (left.counts.tolist(), left.documents) == ([5, 2, 1], 9)
