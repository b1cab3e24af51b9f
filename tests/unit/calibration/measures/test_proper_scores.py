"""Brier score, log loss, AUROC and risk by coverage: by hand, over all orders of ties, and beside scikit-learn."""

from itertools import permutations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.metrics import roc_auc_score

from keywright.calibration.calibration_error import sum_bins
from keywright.calibration.proper_scores import compute_log_losses, decompose_brier, measure_auroc, trace_risk_coverage
from keywright.core.errors import BadParameter

PROBABILITIES = np.array([0.2, 0.4, 0.8, 0.6])
ANSWERS = np.array([False, True, True, True])


def brier(p, answers, bins=10):
    """The score, its reliability, resolution and uncertainty, and what is left within bins."""
    score = np.square(p - answers).mean()
    reliability, resolution, uncertainty = decompose_brier(sum_bins(p, answers, bins))
    return score, reliability, resolution, uncertainty, score - reliability + resolution - uncertainty


def test_brier_and_its_parts_over_two_bins():
    """Low bin: mean .3, share .5. High bin: mean .7, share 1. All: share .75."""
    score, reliability, resolution, uncertainty, within = brier(PROBABILITIES, ANSWERS, 2)
    assert score == pytest.approx((0.04 + 0.36 + 0.04 + 0.16) / 4)
    assert reliability == pytest.approx((2 * 0.04 + 2 * 0.09) / 4)
    assert (resolution, uncertainty) == (pytest.approx(0.0625), pytest.approx(0.1875))
    # variance inside bins .04 / 4, twice the covariance inside bins 2 * .1 / 4
    assert within == pytest.approx(0.01 - 0.05)


def test_nothing_is_left_over_where_bins_hold_one_probability():
    *_, within = brier(np.array([0.2, 0.2, 0.9, 0.9]), np.array([False, True, True, True]))
    assert within == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("answer", [True, False])
def test_one_class_has_no_uncertainty(answer):
    _, _, resolution, uncertainty, _ = brier(np.array([0.3, 0.9]), np.array([answer, answer]))
    assert (uncertainty, resolution) == (0, 0)


def test_murphy_without_rows_has_no_value():
    assert np.isnan(decompose_brier(np.zeros((3, 10)))).all()


def test_log_loss_is_clipped():
    losses = compute_log_losses(np.array([0.5, 0.25, 0.0, 1.0]), np.array([True, False, True, False]))
    assert losses[:3] == pytest.approx([np.log(2), np.log(4 / 3), 12 * np.log(10)])
    assert losses[3] == pytest.approx(12 * np.log(10), abs=1e-4)
    assert compute_log_losses(np.array([0.0, 1.0]), np.array([False, True])) == pytest.approx([0, 0], abs=1e-11)


def test_scores_are_those_of_scikit_learn():
    chance = np.random.default_rng(3)
    p = chance.beta(0.4, 0.6, 2000)
    answers = chance.random(2000) < p**1.5
    assert brier(p, answers)[0] == pytest.approx(metrics.brier_score_loss(answers, p), abs=1e-12)
    inside = np.clip(p, 1e-9, 1 - 1e-9)  # scikit-learn clips elsewhere
    assert compute_log_losses(inside, answers).mean() == pytest.approx(metrics.log_loss(answers, inside), abs=1e-12)


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
