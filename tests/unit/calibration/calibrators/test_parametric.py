"""Calibrators, and the features that they see of a list: by hand, and beside scikit-learn's logistic regression."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from tests.unit.calibration.calibrators.phrases import drawn, of

from keywright.calibration.calibrators.model import Histogram, Isotonic, find_equal_mass_edges
from keywright.calibration.calibrators.parametric import Beta, Correctness, Platt, RankTransform, Temperature
from keywright.calibration.phrases import compute_list_features, concatenate_features, locate_forms, locate_spans
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.keyphrases import Keyphrase

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


def test_ranges_hold_equally_many():
    edges = find_equal_mass_edges(np.arange(20) / 20)
    assert np.bincount(np.searchsorted(edges, np.arange(20) / 20, side="right")).tolist() == [2] * 10
    assert find_equal_mass_edges(np.full(9, 0.5)).tolist() == []
    assert find_equal_mass_edges(np.array([0.1] * 30 + [0.9])).tolist() == []
    assert find_equal_mass_edges(np.array([0.1] * 5 + [0.9] * 5)).tolist() == [0.9]
    assert find_equal_mass_edges(np.zeros(0)).tolist() == []


def test_bins_have_the_share_that_is_right_with_one_of_each_added():
    confidence = [0.1] * 4 + [0.6] * 8 + [0.2] * 6
    answers = np.array([1, 0, 0, 0] + [1] * 7 + [0] + [0] * 6, dtype=bool)
    present = np.array([True] * 12 + [False] * 6)
    found = Histogram.fit(of(confidence, present), answers)
    assert found == Histogram((0.6,), (2 / 6, 8 / 10), (), (1 / 8,))
    asked = of([0.05, 0.59, 0.6, 0.99, 0.99], [True, True, True, True, False])
    assert found.probabilities(asked) == pytest.approx([2 / 6, 2 / 6, 0.8, 0.8, 1 / 8])


def test_isotonic_lines_rise_class_by_class():
    confidence = np.tile(np.linspace(0.01, 0.99, 50), 2)
    present = np.repeat([True, False], 50)
    answers = np.tile(np.arange(50) >= 25, 2) & (np.arange(100) % 2 == 0)
    answers[50:] &= np.arange(50) % 4 == 0
    line = Isotonic.fit(of(confidence, present), answers)
    found = line.probabilities(of(confidence, present))
    assert (np.diff(found[:50]) >= 0).all()
    assert (np.diff(found[50:]) >= 0).all()
    assert abs(found[:50].sum() - answers[:50].sum()) < 1  # as the line promises
    assert abs(found[50:].sum() - answers[50:].sum()) < 1


@pytest.mark.parametrize("kind", [Histogram, Isotonic])
def test_classes_with_one_answer_or_none(kind):
    confidence, answers = [0.1, 0.2, 0.8, 0.9, 0.5, 0.6], np.array([0, 0, 1, 1, 0, 0], dtype=bool)
    present = np.array([True] * 4 + [False] * 2)
    found = kind.fit(of(confidence, present), answers)
    assert found.probabilities(of([0.1, 0.9], [False])).tolist() == [0.25, 0.25]  # (0 + 1) / (2 + 2)
    for known in ([True], [False]):
        alone = kind.fit(of(confidence, known), answers)
        assert (
            alone.probabilities(of([0.3, 0.7], [True])).tolist()
            == alone.probabilities(of([0.3, 0.7], [False])).tolist()
        )
    for same in (np.ones(6, bool), np.zeros(6, bool)):
        with pytest.raises(BadParameter, match="no calibrator can be fitted"):
            kind.fit(of(confidence), same)


@pytest.mark.parametrize("kind", [Histogram, Isotonic])
def test_values_that_are_no_calibrator(kind):
    for values in (((0.2, 0.1), (0.1,) * 3), ((0.1,), (0.5, 1.5)), ((), ()), ((0.1,), (0.1,) * 3)):
        with pytest.raises(BadParameter, match="expected rising places"):
            kind(*values, *values)


LIST = (
    Keyphrase("grid services", 5.0, spans=((10, 23), (50, 63))),
    Keyphrase("uddi", 3.0),
    Keyphrase("discovery of services", 1.0, spans=((80, 101),)),
)


def test_a_list_is_described():
    seen = compute_list_features(LIST, "score", locate_spans(LIST, 200))
    assert seen.confidence.tolist() == [5, 3, 1]
    assert seen.standard == pytest.approx([1.5**0.5, 0, -(1.5**0.5)])
    assert seen.rank.tolist() == [1, 2, 3]
    assert seen.count.tolist() == [3, 3, 3]
    assert seen.words.tolist() == [2, 1, 3]
    assert seen.present.tolist() == [True, False, True]
    assert seen.mentions.tolist() == [2, 0, 1]
    assert seen.first.tolist() == [0.05, 1.0, 0.4]


def test_phrases_are_compared_with_the_first_of_a_list_only():
    seen = compute_list_features(LIST, "score", locate_spans(LIST, 200), depth=2)
    assert seen.standard.tolist() == [1, -1, -3]  # mean 4, deviation 1
    assert seen.count.tolist() == [2, 2, 2]


def test_equal_scores_and_single_phrases_stand_at_0():
    same = tuple(Keyphrase(text, 0.1) for text in "abc")
    assert compute_list_features(same, "score", locate_spans(same, 9)).standard.tolist() == [0, 0, 0]
    assert compute_list_features(same[:1], "score", locate_spans(same[:1], 9)).standard.tolist() == [0]


def test_no_phrases_give_no_rows():
    assert len(compute_list_features((), "score", locate_spans((), 0))) == 0


def test_phrases_without_spans_are_looked_up_in_the_text():
    found = locate_forms(["grid", "id", "servic"], np.array([True, False, True]), "grid servic of servic")
    assert found.present.tolist() == [True, False, True]
    assert found.mentions.tolist() == [1, 0, 2]
    assert found.first.tolist() == [0.0, 1.0, 5 / 23]


def test_lists_stand_one_after_the_other():
    one = compute_list_features(LIST, "score", locate_spans(LIST, 200))
    both = concatenate_features([one, one.where(one.present)])
    assert both.rank.tolist() == [1, 2, 3, 1, 3]
    assert both.count.tolist() == [3, 3, 3, 3, 3]


def test_a_confidence_that_is_not_there_is_told():
    with pytest.raises(BadRecord, match="has no token probabilities"):
        compute_list_features(LIST, "kpp-s", locate_spans(LIST, 200))
