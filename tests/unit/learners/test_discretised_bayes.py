"""Naive Bayes over intervals: counts by hand, cuts against the definition of Fayyad and Irani written out slowly."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.core.errors import BadParameter
from keywright.core.saving import load_system, save_system
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes, even_cuts, informative_cuts


def entropy(labels: list[bool]) -> float:
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -sum(share * math.log2(share) for share in shares)


def cuts_by_definition(pairs: list[tuple[float, bool]]) -> list[float]:
    """Fayyad and Irani (1993), section 3: every cut tried, every entropy counted."""
    labels = [label for _, label in pairs]
    found = []
    for low, high in zip(sorted({v for v, _ in pairs}), sorted({v for v, _ in pairs})[1:], strict=False):
        sides = [[p for p in pairs if p[0] <= low], [p for p in pairs if p[0] >= high]]
        inside = sum(len(side) * entropy([label for _, label in side]) for side in sides) / len(pairs)
        found.append((inside, (low + high) / 2, sides))
    if not found:
        return []
    inside, cut, sides = min(found, key=lambda each: each[0])
    parts = [labels, *([label for _, label in side] for side in sides)]
    kinds, entropies = [len(set(part)) for part in parts], [entropy(part) for part in parts]
    delta = math.log2(3 ** kinds[0] - 2) - sum(s * k * e for s, k, e in zip((1, -1, -1), kinds, entropies, strict=True))
    if entropy(labels) - inside <= (math.log2(len(pairs) - 1) + delta) / len(pairs):
        return []
    return sorted([cut, *cuts_by_definition(sides[0]), *cuts_by_definition(sides[1])])


def test_a_cut_that_pays():
    """1 to 10 are no, 11 to 20 yes: gain 1, its price (log2 19 + log2 7 - 2) / 20 = 0.25; both sides are pure."""
    column, answers = np.arange(1.0, 21), np.arange(1, 21) > 10
    assert informative_cuts(column, answers).tolist() == [10.5]


def test_a_cut_that_does_not_pay():
    """Gain 1 again, but the price with four rows is (log2 3 + log2 7 - 2) / 4 = 0.6; with two, (0 + 0.8) / 2 = 0.4."""
    assert informative_cuts(np.array([1.0, 2, 3, 4]), np.array([False, False, True, True])).tolist() == [2.5]
    assert informative_cuts(np.array([1.0, 2, 3, 4]), np.array([False, True, False, True])).tolist() == []


def test_three_stretches():
    column = np.arange(90.0)
    assert informative_cuts(column, (column >= 30) & (column < 60)).tolist() == [29.5, 59.5]


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 20))
def test_cuts_as_defined(seed, size, distinct):
    random = np.random.default_rng(seed)
    column = random.integers(0, distinct, size).astype(float)
    answers = random.random(size) < np.where(column > distinct / 2, 0.9, 0.1)
    pairs = list(zip(column.tolist(), answers.tolist(), strict=True))
    assert informative_cuts(column, answers).tolist() == pytest.approx(cuts_by_definition(pairs))


def test_even_cuts():
    assert even_cuts(np.arange(1.0, 9), 4).tolist() == [2, 4, 6]
    assert even_cuts(np.arange(1.0, 9), 1).tolist() == []
    assert even_cuts(np.array([1.0, 1, 1, 1, 1, 2]), 3).tolist() == [1]
    assert even_cuts(np.full(5, 3.0), 10).tolist() == []


def test_odds_by_hand():
    """Two intervals, cut at 2: of 3 no rows 2 lie left, of 3 yes rows 1; Laplace makes it 3/5 and 2/5."""
    rows, answers = np.array([[1.0], [2], [3], [1], [4], [5]]), np.array([0, 0, 0, 1, 1, 1], bool)
    fitted = DiscretisedNaiveBayes.fit(rows, answers, intervals=2)
    assert fitted.cuts.tolist() == [2]
    expected = [math.log((2 / 5) / (3 / 5)), math.log((2 / 5) / (3 / 5)), math.log((3 / 5) / (2 / 5))]
    assert fitted.log_odds(np.array([[-7.0], [2.0], [2.1]])) == pytest.approx(expected)


def test_features_add_up_and_the_prior_counts():
    rows = np.array([[1.0, 9], [1, 9], [1, 5], [2, 5]])
    answers = np.array([False, False, False, True])
    fitted = DiscretisedNaiveBayes.fit(rows, answers, intervals=2)
    assert fitted.cuts.tolist() == [1, 5]
    assert fitted.offsets.tolist() == [0, 1, 2]
    # first feature: no 4/5 and 1/5, yes 1/3 and 2/3; second: no 2/5 and 3/5, yes 2/3 and 1/3
    both = math.log(1 / 3) + math.log((2 / 3) / (1 / 5)) + math.log((2 / 3) / (2 / 5))
    assert fitted.log_odds(np.array([[2.0, 5.0]])) == pytest.approx([both])


def test_a_feature_without_cuts_says_nothing():
    rows, answers = np.array([[1.0, 7], [2, 7], [3, 7], [4, 7]]), np.array([0, 0, 1, 1], bool)
    with_still = DiscretisedNaiveBayes.fit(rows, answers, intervals=2)
    without = DiscretisedNaiveBayes.fit(rows[:, :1], answers, intervals=2)
    assert with_still.log_odds(rows) == pytest.approx(without.log_odds(rows[:, :1]))


@pytest.mark.parametrize("intervals", [None, 3])
def test_no_rows_have_no_odds(intervals):
    fitted = DiscretisedNaiveBayes.fit(np.array([[1.0], [2.0]]), np.array([False, True]), intervals)
    assert fitted.log_odds(np.zeros((0, 1))).shape == (0,)


@pytest.mark.parametrize("answers", [[], [True, True], [False, False]])
def test_one_class_is_not_enough(answers):
    with pytest.raises(BadParameter, match="both classes"):
        DiscretisedNaiveBayes.fit(np.ones((len(answers), 1)), np.array(answers, bool))


def test_no_intervals_are_refused():
    with pytest.raises(BadParameter, match="0 intervals"):
        DiscretisedNaiveBayes.fit(np.ones((2, 1)), np.array([True, False]), 0)


def test_it_is_saved(tmp_path):
    rows = np.random.default_rng(1).normal(size=(200, 3))
    fitted = DiscretisedNaiveBayes.fit(rows, rows[:, 0] > 0.5)
    save_system(fitted, tmp_path, {})
    np.testing.assert_array_equal(load_system(tmp_path).log_odds(rows), fitted.log_odds(rows))
