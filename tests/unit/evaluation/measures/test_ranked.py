"""Ranked measures by hand, at their boundaries."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from keywright.evaluation.measures.list_measures import (
    Ideal,
    Reach,
    average_precision,
    ndcg,
    r_precision,
    reciprocal_rank,
)

# Four documents: two hits of four gold; a late hit; no prediction; no gold.
HITS = np.array([[1, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
GOLD = np.array([4, 5, 2, 0])


def depth(k: int):
    return np.full(4, k)


def test_r_precision_takes_as_many_as_there_is_gold_and_divides_by_it():
    assert r_precision(HITS, GOLD).tolist() == [2 / 4, 1 / 5, 0, 0]
    assert r_precision(HITS, np.array([3, 4, 1, 1])).tolist() == [2 / 3, 0, 0, 0]  # rank 3 is in, rank 5 is not
    assert r_precision(HITS[:, :1], GOLD).tolist() == [1 / 4, 0, 0, 0]  # a short list is not made good


def test_average_precision():
    assert average_precision(HITS, GOLD, depth(5)) == pytest.approx([(1 + 2 / 3) / 4, (1 / 5) / 5, 0, 0])
    assert average_precision(HITS, GOLD, depth(3)) == pytest.approx([(1 + 2 / 3) / 4, 0, 0, 0])
    assert average_precision(HITS, GOLD, depth(2)) == pytest.approx([1 / 4, 0, 0, 0])
    assert average_precision(HITS, GOLD, depth(2), Reach.DEPTH) == pytest.approx([1 / 2, 0, 0, 0])
    assert average_precision(HITS, GOLD, depth(5), Reach.DEPTH)[1] == pytest.approx((1 / 5) / 5)  # no more than gold
    assert average_precision(HITS, GOLD, depth(99), Reach.DEPTH)[0] == pytest.approx((1 + 2 / 3) / 4)


def test_reciprocal_rank_is_of_the_first_hit_alone():
    assert reciprocal_rank(HITS, depth(5)).tolist() == [1, 1 / 5, 0, 0]
    assert reciprocal_rank(HITS, depth(4)).tolist() == [1, 0, 0, 0]
    assert reciprocal_rank(np.array([[0, 0.25, 1]]), np.array([3])).tolist() == [1 / 2]  # any credit will do


def test_partial_credit_counts_as_far_as_it_goes():
    credit, gold, depths = np.array([[0.5, 0, 1]]), np.array([2]), np.array([3])
    assert r_precision(credit, gold).tolist() == [0.5 / 2]
    assert average_precision(credit, gold, depths) == pytest.approx([(0.5 * 0.5 + 1 * (1.5 / 3)) / 2])
    assert ndcg(credit, gold, depths) == pytest.approx([(0.5 + 0.5) / (1 + 1 / log2(3))])


def test_ndcg_against_the_gold_and_against_the_list_itself():
    best = [1, 1 / log2(3), 1 / log2(4), 1 / log2(5), 1 / log2(6)]
    assert ndcg(HITS, GOLD, depth(5))[:2] == pytest.approx([1.5 / sum(best[:4]), best[4] / sum(best)])
    assert ndcg(HITS, GOLD, depth(2))[:2] == pytest.approx([1 / sum(best[:2]), 0])
    assert ndcg(HITS, GOLD, depth(5), Ideal.OWN)[:2] == pytest.approx([1.5 / sum(best[:2]), best[4]])
    assert ndcg(HITS, GOLD, depth(1), Ideal.OWN).tolist() == [1, 0, 0, 0]
    for ideal in Ideal:
        assert ndcg(HITS, GOLD, depth(5), ideal)[2:].tolist() == [0, 0]


def test_no_ranks_at_all_is_0_everywhere():
    nothing, gold, depths = np.zeros((2, 0), dtype=int), np.array([3, 0]), np.array([5, 5])
    for values in (
        r_precision(nothing, gold),
        average_precision(nothing, gold, depths),
        reciprocal_rank(nothing, depths),
        ndcg(nothing, gold, depths),
        ndcg(nothing, gold, depths, Ideal.OWN),
    ):
        assert values.tolist() == [0, 0]


def test_depths_may_differ_between_documents():
    assert reciprocal_rank(HITS, np.array([0, 5, 5, 5])).tolist() == [0, 1 / 5, 0, 0]


LISTS = st.lists(st.integers(0, 1), min_size=2, max_size=12)


@given(LISTS, st.integers(0, 5), st.integers(1, 12))
def test_values_lie_between_0_and_1_and_fall_when_a_hit_comes_later(hits, missed, k):
    row, gold, depths = np.array([hits]), np.array([sum(hits) + missed]), np.array([k])
    later = np.array([sorted(hits)])
    for measure in (
        lambda hits: r_precision(hits, gold),
        lambda hits: average_precision(hits, gold, depths),
        lambda hits: average_precision(hits, gold, depths, Reach.DEPTH),
        lambda hits: reciprocal_rank(hits, depths),
        lambda hits: ndcg(hits, gold, depths),
    ):
        assert 0 <= measure(row)[0] <= 1 + 1e-12
        assert measure(later)[0] <= measure(row)[0] + 1e-12
    assert 0 <= ndcg(row, gold, depths, Ideal.OWN)[0] <= 1 + 1e-12


@given(st.integers(1, 8), st.integers(1, 8))
def test_a_perfect_list_has_1(size, k):
    row, gold, depths = np.ones((1, size), dtype=int), np.array([size]), np.array([k])
    assert r_precision(row, gold)[0] == reciprocal_rank(row, depths)[0] == 1
    assert ndcg(row, gold, depths)[0] == ndcg(row, gold, depths, Ideal.OWN)[0] == pytest.approx(1)
    assert average_precision(row, gold, depths, Reach.DEPTH)[0] == pytest.approx(1)
    assert average_precision(row, gold, depths)[0] == pytest.approx(min(size, k) / size)


@given(LISTS.filter(any))
def test_as_scikit_learn_when_all_gold_is_found(hits):
    row, depths = np.array([hits]), np.array([len(hits)])
    gold, scores = row.sum(axis=1), -np.arange(len(hits))
    assert average_precision(row, gold, depths)[0] == pytest.approx(average_precision_score(hits, scores))
    assert ndcg(row, gold, depths)[0] == pytest.approx(ndcg_score(row, scores[None]))
