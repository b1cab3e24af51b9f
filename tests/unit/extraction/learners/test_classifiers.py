"""Naive Bayes and logistic regression against scikit-learn's, on random data.

Naive Bayes over intervals: counts by hand, cuts against the definition of Fayyad and Irani written out slowly.

Linear discriminant analysis: weights by hand.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model, naive_bayes, pipeline, preprocessing

from keywright.core.errors import BadParameter
from keywright.core.saving import load_system, save_system
from keywright.extraction.learners.classifiers import (
    DiscretisedNaiveBayes,
    GaussianNaiveBayes,
    LinearDiscriminant,
    LogisticRegression,
    even_cuts,
    informative_cuts,
)


def sample(seed: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two overlapping classes, features on very different scales."""
    random = np.random.default_rng(seed)
    answers = random.random(60) < 0.3
    answers[:2] = True, False
    rows = random.normal(size=(60, features)) + answers[:, None] * random.normal(size=features)
    return rows * 10.0 ** random.integers(-3, 4, features), answers


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_naive_bayes_agrees_with_scikit_learn(seed, features):
    rows, answers = sample(seed, features)
    reference = naive_bayes.GaussianNB().fit(rows, answers).predict_joint_log_proba(rows)
    found = GaussianNaiveBayes.fit(rows, answers).log_odds(rows)
    np.testing.assert_allclose(found, reference[:, 1] - reference[:, 0], rtol=1e-9, atol=1e-9)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from([0.1, 1.0, 10.0]))
def test_logistic_regression_agrees_with_scikit_learn(seed, features, strength):
    rows, answers = sample(seed, features)
    steps = preprocessing.StandardScaler(), linear_model.LogisticRegression(C=strength)
    reference = pipeline.make_pipeline(*steps).fit(rows, answers).decision_function(rows)
    found = LogisticRegression.fit(rows, answers, strength).log_odds(rows)
    np.testing.assert_allclose(found, reference, rtol=1e-9, atol=1e-9)


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from([0.03, 0.3, 3.0]))
def test_sparse_logistic_regression_agrees_with_scikit_learn(seed, strength):
    rows, answers = sample(seed, 4)
    scaled = preprocessing.StandardScaler().fit_transform(rows)
    model = linear_model.LogisticRegression(C=strength, l1_ratio=1.0, solver="liblinear", random_state=0)
    reference = model.fit(scaled, answers)
    found = LogisticRegression.fit(rows, answers, strength, "l1")
    np.testing.assert_allclose(found.log_odds(rows), reference.decision_function(scaled), rtol=1e-9, atol=1e-9)
    assert found.weight.tolist() == LogisticRegression.fit(rows, answers, strength, "l1").weight.tolist()


def test_a_penalty_on_sizes_leaves_features_out():
    random = np.random.default_rng(0)
    rows = random.normal(size=(500, 6))
    answers = rows[:, 0] + rows[:, 1] > 0
    weight = LogisticRegression.fit(rows, answers, 0.02, "l1").weight
    assert (weight[:2] > 0).all()
    assert weight[2:].tolist() == [0] * 4
    assert (LogisticRegression.fit(rows, answers, 0.02).weight != 0).all()


def test_naive_bayes_by_hand():
    rows = np.array([[0.0], [2.0], [10.0], [14.0]])
    fitted = GaussianNaiveBayes.fit(rows, np.array([False, False, True, True]))
    assert fitted.prior.tolist() == [0.5, 0.5]
    assert fitted.mean.tolist() == [[1], [12]]
    assert fitted.variance == pytest.approx(np.array([[1], [4]]))
    # at 1: -(ln 4 + 121 / 4) / 2 against 0; at 12: -ln 4 / 2 against -121 / 2
    expected = [-(np.log(4) + 121 / 4) / 2, -np.log(4) / 2 + 121 / 2]
    assert fitted.log_odds(np.array([[1.0], [12.0]])) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("learner", [GaussianNaiveBayes, LogisticRegression])
def test_features_without_spread_do_not_matter(learner):
    rows, answers = sample(1, 2)
    still = np.column_stack((rows, np.full(len(rows), 7.0)))
    odds = learner.fit(still, answers).log_odds(still)
    assert np.all(np.isfinite(odds))
    np.testing.assert_allclose(odds, learner.fit(rows, answers).log_odds(rows), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("learner", [GaussianNaiveBayes, LogisticRegression])
@pytest.mark.parametrize("answers", [[], [True, True], [False, False]])
def test_one_class_is_not_enough(learner, answers):
    with pytest.raises(BadParameter, match="both classes"):
        learner.fit(np.ones((len(answers), 1)), np.array(answers, bool))


@pytest.mark.parametrize("learner", [GaussianNaiveBayes, LogisticRegression])
def test_no_rows_give_no_odds(learner):
    rows, answers = sample(2, 3)
    assert learner.fit(rows, answers).log_odds(np.zeros((0, 3))).shape == (0,)


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
def test_one_class_is_not_enough_of_discretised_bayes(answers):
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


ROWS = np.array([[0.0, 7.0], [2.0, 7.0], [4.0, 7.0], [6.0, 7.0]])
ANSWERS = np.array([False, False, True, True])


def test_weights_follow_from_means_and_variance() -> None:
    # Means 1 and 5, variance 1 in each class: weight (5 - 1) / 1, bias (1² - 5²) / 2. A constant feature has weight 0.
    model = LinearDiscriminant.fit(ROWS, ANSWERS)
    assert model.weight == pytest.approx([4.0, 0.0])
    assert model.bias == pytest.approx([-12.0])
    assert model.log_odds(np.array([[3.0, 7.0], [4.0, 0.0]])) == pytest.approx([0.0, 4.0])


def test_the_share_of_the_classes_moves_the_bias() -> None:
    rows = np.concatenate([ROWS, ROWS[:2], ROWS[:2]])
    answers = np.concatenate([ANSWERS, np.zeros(4, bool)])
    # Means and variances are the same; three times as many are no.
    assert LinearDiscriminant.fit(rows, answers).bias == pytest.approx([-12.0 - np.log(3)])


def test_one_class_is_refused() -> None:
    with pytest.raises(BadParameter, match="discriminant"):
        LinearDiscriminant.fit(ROWS, np.ones(4, bool))
