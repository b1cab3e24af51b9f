"""Smooth calibration error: beside values of relplot 1.0.3 on rows that formulas give, and at its ends by hand."""

import numpy as np
import pytest

from keywright.calibration.calibration_error import measure_smooth_error, measure_smooth_errors
from keywright.core.errors import BadParameter

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
