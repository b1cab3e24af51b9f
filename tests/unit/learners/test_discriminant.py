"""Linear discriminant analysis: weights by hand."""

import numpy as np
import pytest

from keywright.core.errors import BadParameter
from keywright.extraction.learners.classifiers import LinearDiscriminant

ROWS = np.array([[0.0, 7.0], [2.0, 7.0], [4.0, 7.0], [6.0, 7.0]])
ANSWERS = np.array([False, False, True, True])


def test_weights_follow_from_means_and_variance() -> None:
    # Means 1 and 5, variance 1 in each class: weight (5 - 1) / 1, bias (1² - 5²) / 2. A constant feature has weight 0.
    model = LinearDiscriminant.fit(ROWS, ANSWERS)
    assert model.weight == pytest.approx([4.0, 0.0])
    assert model.bias == pytest.approx([-12.0])
    assert model.log_odds(np.array([[3.0, 7.0], [4.0, 0.0]])) == pytest.approx([0.0, 4.0])


def test_the_share_of_the_classes_moves_the_bias() -> None:
    rows = np.concatenate([ROWS, ROWS[:2], ROWS[:2]])
    answers = np.concatenate([ANSWERS, np.zeros(4, bool)])
    # Means and variances are the same; three times as many are no.
    assert LinearDiscriminant.fit(rows, answers).bias == pytest.approx([-12.0 - np.log(3)])


def test_one_class_is_refused() -> None:
    with pytest.raises(BadParameter, match="discriminant"):
        LinearDiscriminant.fit(ROWS, np.ones(4, bool))
