"""Brier score with its parts, and log loss: by hand, and beside scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from keywright.calibration.calibration_error import sum_bins
from keywright.calibration.proper_scores import compute_log_losses, decompose_brier

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
