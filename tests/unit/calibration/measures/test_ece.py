"""Bins, calibration error, noise floor and smooth error: by hand, and beside values of relplot 1.0.3."""

import numpy as np
import pytest

from keywright.calibration import calibration_error as reliability
from keywright.calibration.calibration_error import (
    Bin,
    compute_error,
    make_bins,
    measure_error,
    measure_noise_floor,
    measure_smooth_error,
    measure_smooth_errors,
    sum_bins,
)
from keywright.core.errors import BadParameter

PROBABILITIES = np.array([0.05, 0.15, 0.1, 1.0, 0.95])
ANSWERS = np.array([False, True, False, True, True])


def test_rows_fall_into_equal_bins_and_one_into_the_last():
    first, second, *empty, last = make_bins(sum_bins(PROBABILITIES, ANSWERS))
    assert first == Bin(0.0, 0.1, 1, 0.05, 0.0)
    assert second == Bin(0.1, 0.2, 2, 0.125, 0.5)  # the low end belongs to the bin
    assert (last.low, last.high, last.size, last.share) == (0.9, 1.0, 2, 1.0)
    assert last.probability == pytest.approx(0.975)
    assert [(one.size, one.probability, one.share) for one in empty] == [(0, None, None)] * 7


@pytest.mark.parametrize("place", range(10))
def test_every_edge_belongs_to_the_bin_that_it_opens(place):
    assert sum_bins(np.array([place / 10]), np.array([True]))[0, place] == 1


def test_the_error_is_the_distance_of_each_bin_weighed_by_size():
    # |.05 - 0| + |.25 - 1| + |1.95 - 2| over five rows
    assert measure_error(PROBABILITIES, ANSWERS) == pytest.approx((0.05 + 0.75 + 0.05) / 5)


def test_bins_cancel_what_is_wrong_inside_them():
    assert measure_error(np.array([0.4, 0.6]), np.array([True, False]), bins=1) == 0
    assert measure_error(np.array([0.4, 0.6]), np.array([True, False]), bins=2) == pytest.approx(0.6)


def test_totals_of_parts_add_up():
    whole = sum_bins(PROBABILITIES, ANSWERS)
    parts = sum_bins(PROBABILITIES[:2], ANSWERS[:2]) + sum_bins(PROBABILITIES[2:], ANSWERS[2:])
    np.testing.assert_allclose(parts, whole)
    np.testing.assert_allclose(compute_error(np.stack([whole, whole])), measure_error(PROBABILITIES, ANSWERS))


def test_the_floor_of_one_coin_is_a_half():
    """One row of probability .5 is off by .5 whatever comes; certain rows are never off."""
    half = measure_noise_floor(np.array([0.5]))
    assert (half.error, half.low, half.high) == (0.5, 0.5, 0.5)
    sure = measure_noise_floor(np.array([0.0, 1.0, 1.0]))
    assert (sure.error, sure.low, sure.high) == (0.0, 0.0, 0.0)


def test_the_floor_of_many_coins_is_that_of_the_normal_distribution():
    """A share of n rows is off by sqrt(2 p (1 - p) / (pi n)) on average, and by 2.24 deviations at most in 97.5 %."""
    floor = measure_noise_floor(np.full(900, 0.5), samples=4000)
    deviation = np.sqrt(0.25 / 900)
    assert floor.error == pytest.approx(deviation * np.sqrt(2 / np.pi), rel=0.05)
    assert floor.high == pytest.approx(2.24 * deviation, rel=0.08)
    assert floor.low < 0.1 * deviation


def test_the_floor_is_the_same_however_much_is_drawn_at_a_time(monkeypatch):
    rows = np.linspace(0.01, 0.9, 300)
    floor = measure_noise_floor(rows)
    monkeypatch.setattr(reliability, "_CHUNK", 1000)
    assert measure_noise_floor(rows) == floor
    assert measure_noise_floor(rows, seed=1) != floor


@pytest.mark.parametrize(
    ("probabilities", "answers", "number"),
    [
        ([0.5], [True, False], 10),
        ([1.1], [True], 10),
        ([-0.1], [True], 10),
        ([float("nan")], [True], 10),
        ([[0.5]], [[True]], 10),
        ([0.5], [True], 0),
    ],
)
def test_what_has_no_bins_is_refused(probabilities, answers, number):
    with pytest.raises(BadParameter):
        sum_bins(np.array(probabilities), np.array(answers), number)


def test_no_rows_have_bins_and_no_error():
    assert {one.size for one in make_bins(sum_bins(np.array([]), np.array([], bool)))} == {0}
    assert np.isnan(compute_error(sum_bins(np.array([]), np.array([], bool))))
    with pytest.raises(BadParameter, match="no probabilities"):
        measure_error(np.array([]), np.array([], bool))
    with pytest.raises(BadParameter):
        measure_noise_floor(np.array([]))
    with pytest.raises(BadParameter):
        measure_noise_floor(np.array([0.5]), samples=0)


_GOLDEN, _PLASTIC = 0.6180339887498949, 0.7548776662466927
ENDS = np.array([0.0, 0.0, 1.0, 1.0, 1.0]), np.array([False, True, True, True, False])


def rows(number, power):
    """Probabilities spread evenly, and answers that are a yes with their power."""
    count = np.arange(1, number + 1)
    probabilities = np.modf(count * _GOLDEN)[0]
    return probabilities, np.modf(count * _PLASTIC)[0] < probabilities**power


RELPLOT = [
    (rows(7, 1), 0.12376823663761778),
    (rows(100, 1), 0.034085008517174525),
    (rows(1000, 1), 0.014576015923442358),
    (rows(1000, 2), 0.16479378660542732),
    (rows(3000, 0.5), 0.16555842030417822),
    (ENDS, 0.3999797298499884),
]


@pytest.mark.parametrize(("given", "expected"), RELPLOT)
def test_it_is_that_of_relplot(given, expected):
    assert measure_smooth_error(*given, full_ends=False) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("given", "expected"), RELPLOT[:5])
def test_inside_full_ends_change_little(given, expected):
    assert measure_smooth_error(*given) == pytest.approx(expected, abs=1e-4)


def test_every_row_counts_as_one():
    """A hundred rows of 0 that are right, far from a hundred of .5 that are a yes 60 times: .1 off in half of all."""
    probabilities = np.repeat([0.0, 0.5], 100)
    answers = np.arange(200) % 100 < np.repeat([0, 60], 100)
    assert measure_smooth_error(probabilities, answers) == pytest.approx(0.1 * 100 / 200, rel=0.02)  # read on a grid
    assert measure_smooth_error(probabilities, answers, full_ends=False) == pytest.approx(0.1 * 100 / 150, rel=0.02)


@pytest.mark.parametrize("given", [given for given, _ in RELPLOT])
def test_many_samples_are_as_one(given):
    probabilities, answers = given
    residuals = probabilities - answers
    many = measure_smooth_errors(
        probabilities, np.stack([residuals, 2 * residuals]), np.array([1.0, 2.0]) * len(residuals)
    )
    np.testing.assert_allclose(many, measure_smooth_error(probabilities, answers), atol=0.002)


def test_no_rows_have_no_error():
    assert np.isnan(measure_smooth_errors(np.array([0.5]), np.zeros((1, 1)), np.zeros(1))).all()
    with pytest.raises(BadParameter, match="no probabilities"):
        measure_smooth_error(np.array([]), np.array([], bool))
    with pytest.raises(BadParameter, match="not between 0 and 1"):
        measure_smooth_error(np.array([1.01]), np.array([True]))
