"""Adaptive calibration error, by hand."""

import numpy as np
import pytest

from keywright.calibration.calibration_error import assign_equal_mass, measure_adaptive_error, measure_error
from keywright.core.errors import BadParameter

PROBABILITIES = np.array([0.4, 0.1, 0.3, 0.2])
ANSWERS = np.array([True, False, False, True])


def test_bins_hold_equally_many_rows():
    # |.1 + .2 - 1| and |.3 + .4 - 1| over four rows, then each row alone
    assert measure_adaptive_error(PROBABILITIES, ANSWERS, 2) == pytest.approx((0.7 + 0.3) / 4)
    assert measure_adaptive_error(PROBABILITIES, ANSWERS, 4) == pytest.approx((0.1 + 0.8 + 0.3 + 0.6) / 4)
    assert measure_adaptive_error(PROBABILITIES, ANSWERS, 1) == pytest.approx(1 / 4)


def test_more_bins_than_rows_leave_each_row_alone():
    assert measure_adaptive_error(PROBABILITIES, ANSWERS, 100) == pytest.approx((0.1 + 0.8 + 0.3 + 0.6) / 4)


def test_equal_probabilities_stay_together_in_any_order():
    for answers in ([True, False, False, False], [False, False, False, True]):
        assert measure_adaptive_error(np.full(4, 0.5), np.array(answers), 2) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([1, 1, 1, 1], [0, 0, 1, 1]),
        ([3, 1], [0, 1]),  # middles at 1.5 and 3.5 of 4
        ([2, 2, 2], [0, 1, 1]),  # a middle on the border belongs to the upper bin
        ([0, 0], [0, 0]),
    ],
)
def test_a_group_lies_where_its_middle_is(sizes, expected):
    assert assign_equal_mass(np.array(sizes), 2).tolist() == expected


def test_it_differs_from_equal_bins_where_rows_crowd():
    crowded = np.array([0.91, 0.92, 0.98, 0.99])
    answers = np.array([False, False, True, True])
    assert measure_error(crowded, answers, 2) == pytest.approx(1.8 / 4)
    assert measure_adaptive_error(crowded, answers, 2) == pytest.approx((1.83 + 0.03) / 4)


@pytest.mark.parametrize(("probabilities", "number"), [([], 10), ([0.5], 0), ([1.5], 10), ([float("nan")], 10)])
def test_what_has_no_error_is_refused(probabilities, number):
    with pytest.raises(BadParameter):
        measure_adaptive_error(np.array(probabilities), np.ones(len(probabilities), bool), number)
