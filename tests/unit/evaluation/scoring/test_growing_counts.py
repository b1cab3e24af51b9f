"""Counts that grow: the columns of all blocks, one behind the other, in the type that all fit in."""

import numpy as np
import pytest

from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.scoring.counting import compact_counts
from keywright.evaluation.scoring.scorer import GrowingCounts


def block(hits, predicted, relevance, average):
    """Counts of documents with two cutoffs; every document has one gold entry."""
    ones = np.ones(len(predicted), np.int64)
    tables = np.array(hits, np.int64), np.array([[5, 10]] * len(predicted), np.int64)
    columns = np.array(predicted, np.int64), ones, np.array(relevance, np.uint32)
    return Counts(("x",) * len(predicted), (5, 10), *tables, *columns, {"MAP": np.array(average)})


FIRST = block([[1, 1], [0, 1]], [2, 1], [1, 0, 1], [0.5, np.nan])
SECOND = block([[0, 40_000]], [40_000], [0, 300], [0.25])


@pytest.mark.parametrize("first", [FIRST, compact_counts(FIRST)])
def test_blocks_come_one_behind_the_other(first):
    growing = GrowingCounts.of(first)
    growing.append(compact_counts(SECOND))
    counts = growing.counts(tuple("abc"))
    assert tuple(counts.ids) == ("a", "b", "c")
    assert counts.hits.tolist() == [[1, 1], [0, 1], [0, 40_000]]
    assert counts.divisors.tolist() == [[5, 10]] * 3
    assert counts.predicted.tolist() == [2, 1, 40_000]
    assert counts.gold.tolist() == [1, 1, 1]
    assert counts.relevance.tolist() == [1, 0, 1, 0, 300]
    np.testing.assert_array_equal(counts.means["MAP"], [0.5, np.nan, 0.25])


def test_numbers_take_as_many_bytes_as_the_largest_needs():
    assert [compact_counts(FIRST).hits.dtype, compact_counts(FIRST).relevance.dtype] == [np.int16, np.uint8]
    assert [compact_counts(SECOND).hits.dtype, compact_counts(SECOND).relevance.dtype] == [np.int32, np.uint16]
    growing = GrowingCounts.of(compact_counts(FIRST))
    growing.append(compact_counts(SECOND))
    counts = growing.counts(tuple("abc"))
    assert [counts.hits.dtype, counts.divisors.dtype, counts.relevance.dtype] == [np.int32, np.int16, np.uint16]


def test_a_protocol_without_cutoffs():
    empty = np.zeros((2, 0), np.int64)
    counts = Counts(("x", "y"), (), empty, empty, np.ones(2, int), np.ones(2, int), np.zeros(2, np.uint32))
    growing = GrowingCounts.of(counts)
    growing.append(counts)
    assert growing.counts(tuple("abcd")).hits.shape == (4, 0)
