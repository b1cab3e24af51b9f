"""Ranked measures and diversity by hand, at their boundaries."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from keywright.core.errors import BadParameter
from keywright.evaluation.measures import list_measures
from keywright.evaluation.measures.list_measures import (
    Ideal,
    Reach,
    Relevant,
    alpha_ndcgs,
    average_precision,
    ndcg,
    r_precision,
    reciprocal_rank,
    relevance,
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


SECOND, THIRD = 1 / log2(3), 1 / 2


def alpha_ndcg(listed, gold, depth, ideal=Ideal.GOLD, alpha=list_measures.ALPHA):
    return alpha_ndcgs(listed, gold, (depth,), ideal, alpha)[0]


def test_duplicate_share():
    assert list_measures.duplicate_share(["a", "b", "a", "a"]) == 1 / 2
    assert list_measures.duplicate_share(["a b", "b a"]) == 0
    assert list_measures.duplicate_share([]) is None


def test_duplicate_word_share():
    assert list_measures.duplicate_word_share(["a b", "a c"]) == 1 / 4
    assert list_measures.duplicate_word_share(["a"]) == 0
    assert list_measures.duplicate_word_share(["", ""]) is None


def test_redundancy_is_the_mean_over_pairs():
    assert list_measures.redundancy(["a b", "a c", "d"]) == pytest.approx((1 / 3 + 0 + 0) / 3)
    assert list_measures.redundancy(["a", "a"]) == 1
    assert list_measures.redundancy(["a b", "b a a"]) == 1
    assert list_measures.redundancy(["a", "b"]) == 0
    assert list_measures.redundancy(["a"]) is None
    assert list_measures.redundancy(["", ""]) == 0


def test_coverage_of_the_golds_words():
    assert list_measures.stem_coverage(["a b", "d"], ["a c", "b c", "e"]) == 2 / 4
    assert list_measures.stem_coverage([], ["a"]) == 0
    assert list_measures.stem_coverage(["a"], []) is list_measures.stem_coverage(["a"], [""]) is None


def test_relevance():
    assert (Relevant.EQUAL("a b", "a b"), Relevant.EQUAL("a", "a b")) == (True, False)
    assert (Relevant.WITHIN("b c", "ab cd"), Relevant.WITHIN("ab cd", "b c")) == (True, False)
    assert (Relevant.WORDS_EITHER_WAY("b a", "a c b"), Relevant.WORDS_EITHER_WAY("a c b", "b a")) == (True, True)
    assert Relevant.WORDS_EITHER_WAY("a d", "a c b") is False
    assert relevance(["a", "b"], [("x", "a"), ("b",), ("c",)]).tolist() == [[True, False, False], [False, True, False]]
    assert relevance([], [("a",)]).shape == (0, 1)


def test_alpha_ndcg_pays_less_for_the_second_phrase_of_an_entry():
    listed, gold = np.array([[1, 0], [1, 0], [0, 1]], dtype=bool), np.eye(2, dtype=bool)
    gains = 1 + 0.5 * SECOND + 1 * THIRD
    assert alpha_ndcg(listed, gold, 3) == pytest.approx(gains / (1 + SECOND))
    assert alpha_ndcg(listed, gold, 2) == pytest.approx((1 + 0.5 * SECOND) / (1 + SECOND))
    assert alpha_ndcg(listed, gold, 3, Ideal.OWN) == pytest.approx(gains / (1 + SECOND + 0.5 * THIRD))
    assert alpha_ndcg(listed, gold, 3, alpha=1) == pytest.approx((1 + THIRD) / (1 + SECOND))
    assert alpha_ndcg(listed, gold, 2, alpha=0) == pytest.approx(1)


def test_alpha_ndcg_counts_every_entry_that_a_phrase_serves():
    listed, gold = np.array([[1, 1, 0]], dtype=bool), np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    # Ideal: the phrase that serves two, then the third entry's own, then half for the second entry again.
    assert alpha_ndcg(listed, gold, 3) == pytest.approx(2 / (2 + SECOND + 0.5 * THIRD))


def test_alpha_ndcg_at_its_edges():
    gold = np.eye(2, dtype=bool)
    assert alpha_ndcg(np.zeros((0, 2), dtype=bool), gold, 5) == 0
    assert alpha_ndcg(np.zeros((3, 2), dtype=bool), gold, 5, Ideal.OWN) == 0
    # The own ideal is made of all predictions, also of those that do not count.
    assert alpha_ndcg(np.array([[True, False], [True, True]]), gold, 1, Ideal.OWN) == 1 / 2
    assert alpha_ndcg(np.zeros((3, 0), dtype=bool), np.zeros((0, 0), dtype=bool), 5) is None
    with pytest.raises(BadParameter, match="alpha"):
        alpha_ndcg(gold, gold, 5, alpha=1.1)


@given(st.lists(st.sampled_from(["a", "b", "a b", "c"]), max_size=8))
def test_shares_lie_between_0_and_1(forms):
    for value in (
        list_measures.duplicate_share(forms),
        list_measures.duplicate_word_share(forms),
        list_measures.redundancy(forms),
        list_measures.stem_coverage(forms, ["a c"]),
    ):
        assert value is None or 0 <= value <= 1


@given(st.integers(1, 6), st.integers(1, 8))
def test_the_gold_itself_has_1(size, depth):
    assert alpha_ndcg(np.eye(size, dtype=bool), np.eye(size, dtype=bool), depth) == pytest.approx(1)
