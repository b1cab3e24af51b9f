"""Tests of differences between evaluators."""

from itertools import product

import numpy as np
import pytest

from keywright.core.choices import Coefficient, Level
from keywright.core.errors import BadParameter
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.summaries.agreement.coefficients import Statistic, correlate_at_level, unit_weights
from keywright.summaries.agreement.correlation import EVERY_STATISTIC, ScoreTable
from keywright.summaries.agreement.difference_tests import compare_evaluators, permutation_p, williams

SYSTEM_PEARSON = Statistic(Level.SYSTEM, Coefficient.PEARSON)
DRAWS = Resampling(200, seed=1)


def test_williams_of_the_specification():
    result = williams(0.9, 0.8, 0.85, 12)
    assert (result.t, result.freedom) == (pytest.approx(1.259281, abs=1e-6), 9)
    assert result.p_one_sided == pytest.approx(0.119810, abs=1e-5)
    assert result.p_two_sided == pytest.approx(2 * result.p_one_sided)
    assert williams(0.8, 0.9, 0.85, 12).p_one_sided == pytest.approx(1 - result.p_one_sided)


@pytest.mark.parametrize("arguments", [(0.9, 0.8, 0.85, 3), (0.9, 0.9, 1.0, 12)])
def test_williams_needs_items_and_different_evaluators(arguments):
    with pytest.raises(BadParameter, match="Williams"):
        williams(*arguments)


@pytest.fixture
def sides():
    chance = np.random.default_rng(8)
    human = chance.random((3, 3)) + np.arange(3)[:, None]
    return human + 0.4 * chance.standard_normal((3, 3)), chance.random((3, 3)), human


@pytest.mark.parametrize("statistic", [SYSTEM_PEARSON, *(Statistic(level, Coefficient.KENDALL) for level in Level)])
def test_p_is_that_of_all_exchanges(sides, statistic):
    """All 512 exchanges of nine cells; the sample of 2,000 has a standard error of at most .011."""
    x, y, human = sides
    first, second = ((side - side.mean()) / side.std() for side in (x, y))
    original = unit_weights(3, 3)

    def difference(swapped):
        cells = np.array(swapped).reshape(3, 3).astype(bool)
        exchanged = np.where(cells, second, first), np.where(cells, first, second)
        values = [correlate_at_level(side, human, statistic, original).values[0] for side in exchanged]
        return abs(values[0] - values[1])

    observed = difference((0,) * 9)
    exact = np.mean([difference(swapped) >= observed - 1e-9 for swapped in product((0, 1), repeat=9)])
    assert permutation_p(x, y, human, statistic, Resampling(2000)) == pytest.approx(exact, abs=0.045)


@pytest.mark.parametrize("statistic", EVERY_STATISTIC)
def test_equal_evaluators_differ_by_nothing(sides, statistic):
    x, _, human = sides
    assert permutation_p(x, 2 * x + 1, human, statistic, DRAWS) == 1


def test_a_much_better_evaluator_has_the_least_p():
    chance = np.random.default_rng(0)
    human = chance.random((12, 30))
    worse = chance.random((12, 30))
    assert permutation_p(human, worse, human, Statistic(Level.SUMMARY, Coefficient.KENDALL), DRAWS) == 1 / 201


def test_constant_evaluators_have_no_p(sides):
    x, _, human = sides
    assert permutation_p(x, np.ones((3, 3)), human, SYSTEM_PEARSON, DRAWS) is None
    assert permutation_p(x, x * np.nan, human, SYSTEM_PEARSON, DRAWS) is None
    assert permutation_p(x, x, np.ones((3, 3)), SYSTEM_PEARSON, DRAWS) is None


@pytest.mark.parametrize("level", Level)
def test_missing_cells_are_left_out_of_all(level):
    chance = np.random.default_rng(2)
    x, y, human = chance.random((3, 5, 6))
    missing = np.zeros((5, 6), bool)
    missing[1, 2] = missing[3] = True
    gaps = [np.where(part, np.nan, side) for part, side in ((missing, x), (missing & False, y), (missing, human))]
    statistic = Statistic(level, Coefficient.SPEARMAN)
    masked = [np.where(missing, np.nan, side) for side in (x, y, human)]
    assert permutation_p(*gaps, statistic, DRAWS) == permutation_p(*masked, statistic, DRAWS)


def test_comparisons_are_corrected_for_their_number():
    chance = np.random.default_rng(5)
    human = chance.random((8, 10)) + np.linspace(0, 1, 8)[:, None]
    columns = {
        "good": human + 0.2 * chance.random((8, 10)),
        "fair": human + 1.5 * chance.random((8, 10)),
        "poor": chance.random((8, 10)),
        "constant": np.ones((8, 10)),
        "human": human,
    }
    table = ScoreTable(tuple("abcdefgh"), tuple("0123456789"), columns)
    triples = [("good", "fair", "human"), ("good", "poor", "human"), ("good", "constant", "human")]
    statistics = [SYSTEM_PEARSON, Statistic(Level.SUMMARY, Coefficient.KENDALL)]
    results = compare_evaluators(table, triples, statistics, DRAWS)
    assert [(each.first, each.second) for each in results[::2]] == [triple[:2] for triple in triples]
    defined = [each for each in results if each.p is not None]
    assert {each.comparisons for each in results} == {4} == {len(defined)}
    least = min(defined, key=lambda each: each.p)
    assert least.p_holm == pytest.approx(min(1, 4 * least.p))
    with_williams = [each for each in results if each.p_williams is not None]
    assert [each.statistic for each in with_williams] == [SYSTEM_PEARSON] * 2
    assert max(each.p_williams_holm / each.p_williams for each in with_williams) == pytest.approx(2)
    record = results[-1].as_json()
    assert (record["with"], record["difference"], record["p"], record["p_holm"]) == ("human", None, None, None)
