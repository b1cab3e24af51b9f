"""Effect sizes, computed by hand."""

import numpy as np
import pytest

from keywright.evaluation.statistics.significance import Effect, measure_effect


def test_effect():
    # Differences 1, 2, 3: mean 2, standard deviation 1. Pairs of any two documents: 8 higher, none lower, 1 equal.
    found = measure_effect(np.array([3.0, 4.0, 5.0]), np.array([2.0, 2.0, 2.0]))
    assert found == Effect(wins=3, ties=0, losses=0, cohens_d=2.0, cliffs_delta=1.0)
    # 3 beats 2 and 2; 1 loses to 2, 2 and 5; 2 loses to 5, 3 loses to 5: (2 - 5) / 9.
    found = measure_effect(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 5.0]))
    assert (found.wins, found.ties, found.losses) == (0, 1, 2)
    assert found.cliffs_delta == pytest.approx(-1 / 3)
    # Differences -1, 0, -2: mean -1, variance 1.
    assert found.cohens_d == pytest.approx(-1)


def test_documents_without_a_score_are_left_out():
    found = measure_effect(np.array([1.0, np.nan, 0.0]), np.array([0.0, 1.0, np.nan]))
    assert (found.wins, found.ties, found.losses, found.cliffs_delta) == (1, 0, 0, 1.0)
    assert found.cohens_d is None


def test_last_digits_make_no_winner():
    found = measure_effect(np.array([0.1 + 0.2]), np.array([0.3]))
    assert (found.wins, found.ties, found.losses, found.cliffs_delta) == (0, 1, 0, 0.0)


def test_what_is_not_defined_is_absent():
    assert measure_effect(np.array([]), np.array([])) == Effect(0, 0, 0, None, None)
    assert measure_effect(np.array([2.0, 3.0]), np.array([1.0, 2.0])).cohens_d is None
