"""How many phrases to stand by: by hand, and against the exact expectation of F1."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.errors import BadParameter
from keywright.extraction.ranking.by_document import count_by_expected_f1


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
