"""Tests for risks, by values worked out by hand."""

import numpy as np
import pytest

from keywright.calibration.guarantees import compute_p_values, count_conformal, count_rejected


@pytest.mark.parametrize(
    ("risk", "documents", "limit", "p_value"),
    [
        (0.0, 10, 0.5, 2.0**-10),  # both bounds are powers of a half; Bentkus's has the factor e
        (0.25, 4, 0.5, np.exp(-4 * (0.25 * np.log(0.5) + 0.75 * np.log(1.5)))),  # Bentkus: e 5/16 = .85
        (0.4, 100, 0.5, np.e * 0.0284439668),  # binomial of 100 and a half up to 40; Hoeffding's is .1335
        (0.5, 100, 0.5, 1.0),
        (0.9, 100, 0.5, 1.0),
        (0.0, 0, 0.5, 1.0),
        (1.0, 5, 0.2, 1.0),
    ],
)
def test_p_values(risk, documents, limit, p_value):
    assert compute_p_values(np.array([risk]), np.array([documents]), limit)[0] == pytest.approx(p_value, rel=1e-8)


def test_sums_of_fractions_are_not_rounded_up_by_their_last_digit():
    thirds = np.full(30, 1 / 3).sum() / 30
    exact = compute_p_values(np.array([10 / 30]), np.array([30]), 0.5)
    assert compute_p_values(np.array([thirds]), np.array([30]), 0.5) == pytest.approx(exact)
    assert compute_p_values(np.array([(10 + 1e-12) / 30]), np.array([30]), 0.5) == pytest.approx(exact)


def test_a_sequence_ends_with_the_first_that_stays():
    assert count_rejected(np.array([0.01, 0.1, 0.2, 0.01]), 0.1) == 2
    assert count_rejected(np.array([0.2, 0.01]), 0.1) == 0
    assert count_rejected(np.array([0.1, 0.1]), 0.1) == 2


def test_the_new_document_counts_as_lost():
    losses = np.array([[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0], [0.0, 0.0, 0.5, 0.5]])
    # sums and one more, over one more than three documents: .25, .375, .625, .875
    assert [count_conformal(losses, limit) for limit in (0.2, 0.25, 0.4, 0.65, 0.9)] == [0, 1, 2, 3, 4]


def test_a_true_hypothesis_is_rejected_no_more_often_than_the_level_says():
    chance = np.random.default_rng(3)
    losses = chance.random((4000, 100)) < 0.5  # the risk is the limit itself
    p_values = compute_p_values(losses.mean(1), np.full(4000, 100), 0.5)
    assert (p_values <= 0.1).mean() <= 0.1
    assert (p_values <= 0.1).mean() > 0.01  # and the test has some power
