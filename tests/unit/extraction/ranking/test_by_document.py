"""What is decided for each document of a batch: its candidates, scores behind its shortlist, its list's length.

How many phrases to stand by: by hand, and against the exact expectation of F1.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed

from keywright.core.document_batches import join_documents
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import plain_ngrams
from keywright.extraction.candidates.prefilter import usual_candidates
from keywright.extraction.ranking.rank import (
    candidates_of,
    count_by_expected_f1,
    counts_by_expected_f1,
    with_scores_behind,
)
from keywright.text.keys import phrase_key

BOUNDS = np.array([0, 3, 3, 5])  # three candidates, none, two


def test_equal_phrases_of_two_documents_are_two_candidates():
    documents = [analysed("Salt marsh. Salt"), analysed(""), analysed("A salt marsh")]
    batch = join_documents(documents)
    candidates = usual_candidates(batch)
    assert candidates.key.tolist() == 2 * [phrase_key(phrase) for phrase in ("salt", "salt marsh", "marsh")]
    assert candidates.frequency.tolist() == [2, 1, 1, 1, 1, 1]
    assert candidates.first.tolist() == [0, 0, 1, 5, 5, 6]
    last = candidates_of(candidates, 3, 6, int(batch.bounds[2]))
    alone = plain_ngrams(documents[2], 5)
    for name in ("key", "length", "frequency", "first", "last", "offsets", "positions", "widths"):
        assert getattr(last, name).tolist() == getattr(alone, name).tolist()


def test_scores_behind_the_shortlist_are_below_it():
    weight = np.array([1.0, 3, 2, 9, 8])
    in_shortlist = np.array([False, True, False, True, True])
    scores = with_scores_behind(weight, np.array([-2.0, 5, 6]), in_shortlist, BOUNDS)
    # Of three candidates the second weighs most and is listed: the third and the first follow it, 1 below and more.
    assert scores.tolist() == [-2 - 1 - 2 / 3, -2, -2 - 1 - 1 / 3, 5, 6]


def test_nothing_listed():
    scores = with_scores_behind(np.array([1.0, 2]), np.zeros(0), np.zeros(2, bool), np.array([0, 2]))
    assert scores.tolist() == [-1.5, -1.0]


def test_counts_are_those_of_each_document():
    # By hand for .9 .1 .6: 2 * .9 / (1 + 1.6), 2 * 1.5 / (2 + 1.6), 2 * 1.6 / (3 + 1.6): the second is the largest.
    probabilities = np.array([0.9, 0.1, 0.6, 0.2, 0.0])
    assert counts_by_expected_f1(probabilities, BOUNDS).tolist() == [2, 0, 1]
    assert counts_by_expected_f1(np.zeros(0), np.array([0, 0])).tolist() == [0]


@pytest.mark.parametrize("seed", range(5))
def test_counts_equal_those_of_single_documents(seed):
    rng = np.random.default_rng(seed)
    bounds = np.concatenate(([0], np.cumsum(rng.integers(0, 40, 30))))
    probabilities = rng.random(bounds[-1]) ** 3
    parts = [probabilities[begin:end] for begin, end in itertools.pairwise(bounds)]
    expected = [count_by_expected_f1(np.sort(part)[::-1]) for part in parts]
    assert counts_by_expected_f1(probabilities, bounds).tolist() == expected


def hits_among(probabilities) -> np.ndarray:
    """Probability of 0, 1, 2 ... hits among independent phrases."""
    found = np.ones(1)
    for one in probabilities:
        found = np.convolve(found, [1 - one, one])
    return found


def exact_f1(probabilities, count: int) -> float:
    """Expected F1 of the best so many; no hit is worth 0."""
    hits, missed = hits_among(probabilities[:count]), hits_among(probabilities[count:])
    i, j = np.arange(len(hits))[:, None], np.arange(len(missed))
    return float((hits[:, None] * missed * 2 * i / (count + i + j)).sum())


def test_the_exact_expectation_is_that_of_all_cases():
    probabilities = [0.7, 0.4, 0.2]
    for count in (1, 2, 3):
        total = 0.0
        for truth in itertools.product((0, 1), repeat=3):
            weight = math.prod(p if true else 1 - p for p, true in zip(probabilities, truth, strict=True))
            total += weight * 2 * sum(truth[:count]) / (count + sum(truth))
        assert exact_f1(probabilities, count) == pytest.approx(total)


@pytest.mark.parametrize(
    ("probabilities", "most", "count"),
    [
        ([0.9, 0.1], None, 1),  # 1.8/2 = .9, 2/3
        ([0.5, 0.5, 0.5], None, 3),  # 1/2.5, 2/3.5, 3/4.5
        ([0.5, 0.5, 0.5], 2, 2),
        ([0.5, 0.5, 0.5], 9, 3),
        ([0.6, 0.3, 0.3], None, 3),  # 1.2/2.2 = .545, 1.8/3.2 = .5625, 2.4/4.2 = .571
        ([0.6, 0.2, 0.2], None, 1),  # 1.2/2 = .6, 1.6/3, 2/4
        ([1, 0.4, 0.1], None, 1),  # 2/2.5 = .8, 2.8/3.5 = .8, 3/4.5: a tie
        ([0, 0], None, 1),
        ([], None, 0),
        ([], 3, 0),
    ],
)
def test_count_by_expected_f1(probabilities, most, count):
    assert count_by_expected_f1(np.array(probabilities, float), most) == count


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=10))
def test_not_much_is_lost_beside_the_exact_best(probabilities):
    falling = np.sort(probabilities)[::-1]
    exact = [exact_f1(falling, count) for count in range(1, len(falling) + 1)]
    assert exact[count_by_expected_f1(falling) - 1] >= max(exact) - 0.08


def test_next_to_nothing_is_lost_for_lists_like_those_of_documents():
    chance = np.random.default_rng(7)
    for _ in range(20):
        falling = np.sort(chance.beta(0.3, chance.uniform(1, 6), 60))[::-1]
        exact = [exact_f1(falling, count) for count in range(1, len(falling) + 1)]
        assert exact[count_by_expected_f1(falling) - 1] >= max(exact) - 0.005


@pytest.mark.parametrize("wrong", [[0.2, 0.3], [1.1, 0.5], [0.5, -0.1], [math.nan], [0.5, math.nan]])
def test_what_are_no_probabilities_best_first(wrong):
    with pytest.raises(BadParameter, match="probabilit"):
        count_by_expected_f1(np.array(wrong))


def test_numbers_out_of_range():
    with pytest.raises(BadParameter, match="most 0"):
        count_by_expected_f1(np.array([0.5]), 0)
