"""Histogram binning and isotonic regression, by hand."""

import numpy as np
import pytest
from tests.unit.calibration.calibrators.phrases import of

from keywright.calibration.calibrators.model import Histogram, Isotonic, find_equal_mass_edges
from keywright.core.errors import BadParameter


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
