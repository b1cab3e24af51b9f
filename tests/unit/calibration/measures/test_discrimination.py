"""AUROC and risk by coverage: by hand, over all orders of ties, and beside scikit-learn."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from keywright.calibration.proper_scores import measure_auroc, trace_risk_coverage
from keywright.core.errors import BadParameter


def test_ties_count_half():
    # .4 beats .1 and ties with .4; .8 beats both
    assert measure_auroc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0, 1, 0, 1])) == pytest.approx(3.5 / 4)
    assert measure_auroc(np.full(5, 0.3), np.array([1, 0, 0, 1, 0])) == 0.5


@pytest.mark.parametrize("answer", [True, False])
def test_one_class_has_no_auroc(answer):
    assert measure_auroc(np.array([0.1, 0.9]), np.array([answer, answer])) is None


def test_auroc_is_that_of_scikit_learn_and_of_any_scale():
    chance = np.random.default_rng(5)
    scores = chance.normal(size=3000).round(1)
    answers = chance.random(3000) < 1 / (1 + np.exp(-scores))
    assert measure_auroc(scores, answers) == pytest.approx(roc_auc_score(answers, scores), abs=1e-12)
    assert measure_auroc(np.exp(scores), answers) == measure_auroc(scores, answers)


def test_the_curve_answers_the_surest_first():
    curve = trace_risk_coverage(np.array([0.6, 0.9, 0.7, 0.8]), np.array([False, True, True, False]))
    np.testing.assert_allclose(curve.score, [0.9, 0.8, 0.7, 0.6])
    np.testing.assert_allclose(curve.coverage, [0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(curve.risk, [0, 1 / 2, 1 / 3, 1 / 2])
    assert curve.area == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert curve.excess == pytest.approx(curve.area - (0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert [curve.risk_at(share) for share in (0.0, 0.25, 0.3, 1.0)] == [0, 0, 0.5, 0.5]


def test_the_best_order_has_no_excess_and_all_wrong_risks_everything():
    assert trace_risk_coverage(np.array([0.9, 0.8, 0.1]), np.array([1, 1, 0])).excess == pytest.approx(0)
    wrong = trace_risk_coverage(np.array([0.9, 0.8]), np.array([0, 0]))
    assert (wrong.area, wrong.excess) == (1, 0)
    right = trace_risk_coverage(np.array([0.9, 0.8]), np.array([1, 1]))
    assert (right.area, right.excess) == (0, 0)


def test_the_area_of_ties_is_the_mean_over_their_orders():
    scores = np.array([3, 2, 2, 2, 1, 1])
    answers = np.array([1, 0, 1, 0, 1, 0])
    areas = []
    for middle in permutations(answers[1:4]):
        for last in permutations(answers[4:]):
            wrong = 1 - np.array([1, *middle, *last])
            areas.append(np.mean(wrong.cumsum() / np.arange(1, 7)))
    curve = trace_risk_coverage(scores, answers)
    assert curve.area == pytest.approx(np.mean(areas))
    assert len(curve.score) == 3


@pytest.mark.parametrize("measure", [measure_auroc, trace_risk_coverage])
@pytest.mark.parametrize(("scores", "answers"), [([], []), ([0.5], [1, 0]), ([float("nan"), 1], [1, 0])])
def test_what_has_no_order_is_refused(measure, scores, answers):
    with pytest.raises(BadParameter):
        measure(np.array(scores), np.array(answers))
