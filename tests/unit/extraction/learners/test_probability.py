"""Probability maps: by hand, against scikit-learn's isotonic regression, and for all inputs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from keywright.core.errors import BadParameter
from keywright.core.saving import load_system, save_system
from keywright.extraction.learners.probability import ProbabilityMap, _merge_blocks

NO, YES = False, True


def fitted(scores, answers, knots=64) -> ProbabilityMap:
    return ProbabilityMap.fit(np.array(scores, float), np.array(answers, bool), knots)


def test_two_blocks():
    """With a yes at 1 and a no at 4 added: a third of yes at 1 and 2, two thirds at 3 and 4.

    The mean score of the lower block is 4/3. Its line may climb .45 of the gap of 1/6 to the least probability 1/6 on
    the way of 1/3 down to 1, and .45 of the gap of 1/3 to the other block on the way of 2/3 up to 2: .225 a unit each.
    """
    found = fitted([1, 2, 3, 4], [NO, NO, YES, YES])
    lowest, low = 1 / 3 - 0.225 / 3, 1 / 3 + 0.225 * 2 / 3
    assert found.scores.tolist() == [1, 2, 3, 4]
    assert found.probabilities == pytest.approx([lowest, low, 1 - low, 1 - lowest])
    asked = np.array([-math.inf, 0, 1, 1.5, 2.5, 4, 5, math.inf])
    expected = [lowest, lowest, lowest, (lowest + low) / 2, 0.5, 1 - lowest, 1 - lowest, 1 - lowest]
    assert found.of(asked) == pytest.approx(expected)


def test_the_order_of_rows_does_not_matter():
    found, other = fitted([1, 2, 3, 4], [NO, NO, YES, YES]), fitted([3, 1, 4, 2], [YES, NO, YES, NO])
    assert found.probabilities.tolist() == other.probabilities.tolist()


def test_one_block_where_knots_are_few():
    """Half of the six are yes, at 2.5 in the mean; .45 of the gap from 1/2 to 1/6 is .15."""
    found = fitted([1, 2, 3, 4], [NO, NO, YES, YES], knots=3)
    assert found.scores.tolist() == [1, 4]
    assert found.probabilities == pytest.approx([0.35, 0.65])


def test_one_block_where_better_scores_are_worse():
    """Two yes at 1, two no at 2: half of the four are yes; .45 of the gap from 1/2 to 1/4 is .1125."""
    assert fitted([1, 2], [YES, NO]).probabilities == pytest.approx([0.3875, 0.6125])


def test_a_single_score_has_a_single_probability():
    found = fitted([7, 7, 7, 7], [YES, NO, NO, NO])
    assert found.of(np.array([6.0, 7, 8])) == pytest.approx([1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize(
    ("rows", "yes", "starts"),
    [
        ([10, 10, 10], [1, 2, 9], [0, 2]),  # added .1²·5 = .05 or .7²·5 = 2.45
        ([100, 100, 1], [10, 30, 1], [0, 1]),  # added .2²·50 = 2 or .7²·100/101 = .485
    ],
)
def test_the_cheapest_neighbours_are_joined(rows, yes, starts):
    assert _merge_blocks(np.arange(3), np.array(rows), np.array(yes, float), 2).tolist() == starts
    assert _merge_blocks(np.arange(3), np.array(rows), np.array(yes, float), 3).tolist() == [0, 1, 2]


def test_blocks_are_those_of_isotonic_regression():
    """Few blocks are all kept, and the mean over each is what scikit-learn says of it."""
    chance = np.random.default_rng(6)
    scores = chance.normal(size=600).round(2)
    answers = chance.random(600) < 1 / (1 + np.exp(2 - 2 * scores))
    rows = np.concatenate((scores, [scores.min(), scores.max()]))
    theirs = IsotonicRegression().fit_transform(rows, np.concatenate((answers, [True, False])))
    found = ProbabilityMap.fit(scores, answers)
    values, block = np.unique(theirs, return_inverse=True)
    assert 8 < len(values) <= 32
    assert np.bincount(block, found.of(rows)) / np.bincount(block) == pytest.approx(values)


def test_no_scores_no_probabilities():
    assert fitted([1, 2], [NO, YES]).of(np.zeros(0)).shape == (0,)


@pytest.mark.parametrize(
    ("scores", "answers", "knots", "what"),
    [
        ([], [], 64, "not 0 rows"),
        ([1, 2], [YES, YES], 64, "2 rows with 2 yes"),
        ([1, 2], [NO, NO], 64, "2 rows with 0 yes"),
        ([1, math.nan], [NO, YES], 64, "nan or infinite"),
        ([1, math.inf], [NO, YES], 64, "nan or infinite"),
        ([1, 2, 3], [NO, YES], 64, "one answer for each score"),
        ([1, 2], [NO, YES], 1, "knots 1"),
    ],
)
def test_what_cannot_be_learned_from(scores, answers, knots, what):
    with pytest.raises(BadParameter, match=what):
        fitted(scores, answers, knots)


def test_a_score_that_is_no_number_has_no_probability():
    with pytest.raises(BadParameter, match="nan"):
        fitted([1, 2], [NO, YES]).of(np.array([1, math.nan]))


def test_it_is_saved_and_loaded(tmp_path):
    found = fitted([1, 2, 3, 4], [NO, NO, YES, YES])
    save_system(found, tmp_path / "map", {})
    again = load_system(tmp_path / "map")
    assert isinstance(again, ProbabilityMap)
    asked = np.linspace(0, 5, 50)
    assert again.of(asked).tolist() == found.of(asked).tolist()


numbers = st.integers(-8, 8) | st.floats(-1e6, 1e6, width=32)
rows_of_both = st.lists(st.tuples(numbers, st.booleans()), min_size=2, max_size=60).filter(
    lambda rows: len({answer for _, answer in rows}) == 2
)


@given(rows_of_both, st.integers(2, 64), st.lists(numbers, max_size=20))
def test_what_holds_for_every_map(rows, knots, asked):
    scores, answers = (np.array(column) for column in zip(*rows, strict=True))
    found = ProbabilityMap.fit(scores, answers, knots)
    assert len(found.scores) <= knots
    assert (np.diff(found.scores) > 0).all()
    assert (np.diff(found.probabilities) > 0).all()
    least = 1 / (len(rows) + 2)
    assert least <= found.probabilities[0] <= found.probabilities[-1] <= 1 - least
    everywhere = np.sort(np.concatenate((scores, asked, [-math.inf, math.inf])))
    given = found.of(everywhere)
    assert (np.diff(given) >= 0).all()
    assert [found.of(np.array([one]))[0] for one in everywhere] == given.tolist()
    # calibrated in the large: exactly over the rows and the two added ones, within one yes over the rows
    ends = found.of(np.array([scores.min(), scores.max()])).sum()
    assert found.of(scores).sum() + ends == pytest.approx(answers.sum() + 1, abs=1e-9 * len(rows))
    assert abs(found.of(scores).sum() - answers.sum()) < 1
