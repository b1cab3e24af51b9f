"""Diversity by hand."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.errors import BadParameter
from keywright.evaluation.measures import list_measures
from keywright.evaluation.measures.list_measures import Ideal, Relevant, alpha_ndcgs, relevance

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
