"""Brier score with its parts, and log loss: by hand, and beside scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from keywright.calibration.proper_scores import decompose_brier, measure_brier, measure_log_loss
from keywright.core.errors import BadParameter

PROBABILITIES = np.array([0.2, 0.4, 0.8, 0.6])
ANSWERS = np.array([False, True, True, True])


def test_brier_and_its_parts_over_two_bins():
    """Low bin: mean .3, share .5. High bin: mean .7, share 1. All: share .75."""
    found = measure_brier(PROBABILITIES, ANSWERS, 2)
    assert found.score == pytest.approx((0.04 + 0.36 + 0.04 + 0.16) / 4)
    assert found.reliability == pytest.approx((2 * 0.04 + 2 * 0.09) / 4)
    assert found.resolution == pytest.approx(0.0625)
    assert found.uncertainty == pytest.approx(0.1875)
    # variance inside bins .04 / 4, twice the covariance inside bins 2 * .1 / 4
    assert found.within == pytest.approx(0.01 - 0.05)


def test_nothing_is_left_over_where_bins_hold_one_probability():
    found = measure_brier(np.array([0.2, 0.2, 0.9, 0.9]), np.array([False, True, True, True]))
    assert found.within == pytest.approx(0, abs=1e-15)
    assert found.score == pytest.approx(found.reliability - found.resolution + found.uncertainty)


@pytest.mark.parametrize("answer", [True, False])
def test_one_class_has_no_uncertainty(answer):
    found = measure_brier(np.array([0.3, 0.9]), np.array([answer, answer]))
    assert (found.uncertainty, found.resolution) == (0, 0)


def test_murphy_without_rows_has_no_value():
    assert np.isnan(decompose_brier(np.zeros((3, 10)))).all()


def test_log_loss_is_clipped():
    assert measure_log_loss(np.array([0.5, 0.25]), np.array([True, False])) == pytest.approx(
        (np.log(2) + np.log(4 / 3)) / 2
    )
    assert measure_log_loss(np.array([0.0]), np.array([True])) == pytest.approx(12 * np.log(10))
    assert measure_log_loss(np.array([1.0]), np.array([False])) == pytest.approx(12 * np.log(10), abs=1e-4)
    assert measure_log_loss(np.array([0.0, 1.0]), np.array([False, True])) == pytest.approx(0, abs=1e-11)


def test_scores_are_those_of_scikit_learn():
    chance = np.random.default_rng(3)
    p = chance.beta(0.4, 0.6, 2000)
    answers = chance.random(2000) < p**1.5
    assert measure_brier(p, answers).score == pytest.approx(metrics.brier_score_loss(answers, p), abs=1e-12)
    inside = np.clip(p, 1e-9, 1 - 1e-9)  # scikit-learn clips elsewhere
    assert measure_log_loss(inside, answers) == pytest.approx(metrics.log_loss(answers, inside), abs=1e-12)


@pytest.mark.parametrize("score", [measure_brier, measure_log_loss])
@pytest.mark.parametrize(
    ("probabilities", "answers"),
    [([], []), ([0.5], [True, False]), ([1.1], [True]), ([-0.1], [True]), ([float("nan")], [True]), ([0.5], [2])],
)
def test_what_has_no_score_is_refused(score, probabilities, answers):
    with pytest.raises(BadParameter):
        score(np.array(probabilities), np.array(answers))
