"""Naive Bayes and logistic regression against scikit-learn's, on random data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model, naive_bayes, pipeline, preprocessing

from keywright.core.errors import BadParameter
from keywright.extraction.learners.classifiers import GaussianNaiveBayes, LogisticRegression


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
