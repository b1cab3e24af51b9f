"""Calibrators of few numbers: beside scikit-learn's logistic regression on the same features, and by hand."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from tests.unit.calibration.calibrators.phrases import drawn, of

from keywright.calibration.calibrators.parametric import Beta, Correctness, Platt, RankTransform, Temperature
from keywright.core.errors import BadParameter

SEEN, CORRECT = drawn()
LOW, HIGH = np.log(SEEN.confidence), -np.log(1 - SEEN.confidence)
ABSENT = (~SEEN.present).astype(float)
MORE = (np.log(SEEN.rank), np.log(SEEN.count), np.log1p(SEEN.mentions), SEEN.first, SEEN.words)
FEATURES = {
    Platt: (LOW + HIGH, ABSENT, ABSENT * (LOW + HIGH)),
    Beta: (LOW, HIGH, ABSENT, ABSENT * LOW, ABSENT * HIGH),
    Correctness: (LOW, HIGH, ABSENT, ABSENT * LOW, ABSENT * HIGH, *MORE),
    RankTransform: (
        SEEN.standard, np.log(SEEN.rank), np.log(SEEN.count), SEEN.words, ABSENT, ABSENT * SEEN.standard,
        ABSENT * np.log(SEEN.rank),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FEATURES, ids=lambda kind: kind.__name__)
def test_it_is_logistic_regression_with_weights_of_differences_for_absent_phrases(kind):
    columns = np.column_stack(FEATURES[kind])
    theirs = LogisticRegression(C=10, tol=1e-10, max_iter=10_000).fit(columns, CORRECT).predict_proba(columns)[:, 1]
    assert kind.fit(SEEN, CORRECT).probabilities(SEEN) == pytest.approx(theirs, abs=2e-5)


def test_temperature_is_one_weight_without_intercept():
    columns, answers = (LOW + HIGH)[:, None], SEEN.confidence * 0.9 > np.tile([0.2, 0.5, 0.8], 200)
    theirs = LogisticRegression(C=1e9, fit_intercept=False, tol=1e-10).fit(columns, answers)
    assert Temperature.fit(SEEN, answers).weights == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert Temperature((0.5,)).probabilities(of([0.5, 0.8])) == pytest.approx([0.5, 2 / 3])  # odds 4 become 2


def test_weights_that_leave_confidences_as_they_are():
    seen = of([0.1, 0.5, 0.9], [True, False, True])
    assert Platt((0, 1, 0, 1)).probabilities(seen) == pytest.approx(seen.confidence)
    assert Beta((0, 1, 1, 0, 1, 1)).probabilities(seen) == pytest.approx(seen.confidence)
    assert Temperature((1,)).probabilities(seen) == pytest.approx(seen.confidence)
    assert Correctness((0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0)).probabilities(seen) == pytest.approx(seen.confidence)


def test_classes_have_weights_of_their_own():
    assert Platt((0, 1, -2, 0)).probabilities(of([0.3, 0.3], [True, False])) == pytest.approx(
        [0.3, 1 / (1 + np.exp(2))]
    )


def test_confidences_of_0_and_1_have_probabilities():
    for kind in (Platt, Beta, Temperature, Correctness):
        found = kind.fit(SEEN, CORRECT).probabilities(of([0.0, 1.0], [True, False]))
        assert ((found >= 0) & (found <= 1)).all()


def test_platt_and_temperature_never_turn_the_order_around():
    wrong = SEEN.confidence > np.median(SEEN.confidence)
    for kind in (Platt, Temperature):
        found = kind.fit(SEEN, ~wrong).probabilities(of([0.1, 0.9]))
        assert found[0] == pytest.approx(found[1])


def test_beta_may_fall_near_1_where_loops_are():
    confidence = [*np.linspace(0.05, 0.8, 100), *np.full(100, 0.9999)]
    answers = np.array([*(np.arange(100) % 4 == 0), *(np.arange(100) % 20 == 0)])
    found = Beta.fit(of(confidence), answers).probabilities(of([0.5, 0.9999]))
    assert found[1] == pytest.approx(0.05, abs=0.01)
    assert found[1] < found[0]


def test_a_class_without_phrases_is_read_like_the_other():
    for kind in (Platt, Beta):
        found = kind.fit(SEEN.where(SEEN.present), CORRECT[SEEN.present]).probabilities(of([0.4, 0.4], [True, False]))
        assert found[0] == pytest.approx(found[1], abs=1e-6)


@pytest.mark.parametrize("kind", [Platt, Beta, Temperature, Correctness, RankTransform], ids=lambda kind: kind.__name__)
def test_what_cannot_be(kind):
    for answers in (np.ones(3, bool), np.zeros(3, bool)):
        with pytest.raises(BadParameter, match="no calibrator can be fitted"):
            kind.fit(of([0.1, 0.2, 0.3]), answers)
    with pytest.raises(BadParameter, match="there are no phrases"):
        kind.fit(of([]), np.zeros(0, bool))
    with pytest.raises(BadParameter, match="2 weights"):
        kind((1.0, 2.0))
