"""Intervals, tests of trends and typical phrases, beside computations by hand and scipy."""

import itertools

import numpy as np
import pytest
import scipy.stats

from keywright.collecting.groups import adjust_probabilities, count_interval, trend_probability, typical_phrases

RNG = np.random.default_rng(48)


@pytest.mark.parametrize("size", [1, 2, 7, 40, 60])
def test_intervals_are_those_of_scipy(size):
    probabilities = RNG.beta(0.5, 1.5, size)
    exact = scipy.stats.poisson_binom(list(probabilities))
    assert count_interval(probabilities) == (exact.ppf(0.025), exact.ppf(0.975))


def test_long_lists_are_nearly_exact():
    for size in (401, 2_000):
        low, high = count_interval(np.full(size, 0.05))
        exact = scipy.stats.binom(size, 0.05)
        assert abs(low - exact.ppf(0.025)) <= 1
        assert abs(high - exact.ppf(0.975)) <= 1


def test_certain_documents_have_no_interval():
    assert count_interval(np.ones(3)) == (3, 3)
    assert count_interval(np.array([])) == (0, 0)


def test_trend_is_the_permutation_test():
    """All ways to choose 3 of 6 documents, two in each of three years, are listed."""
    years = np.repeat([0, 1, 2], 2)
    sums = [sum(years[list(chosen)]) for chosen in itertools.combinations(range(6), 3)]
    counts = np.array([0, 1, 2])  # years 1, 2, 2: the sum is 5
    expected = 2 * np.mean(np.array(sums) >= 5)
    slope, probability = trend_probability(counts, np.array([2, 2, 2]), np.array([2001.0, 2002, 2003]))
    assert slope > 0
    assert probability == pytest.approx(expected)


def test_many_documents_and_few_agree():
    totals, scores = np.array([500, 500, 500, 500]), np.arange(2000.0, 2004)
    _, exact = trend_probability(np.array([3, 6, 8, 12]), totals, scores)
    _, normal = trend_probability(np.array([3, 6, 8, 12]), totals, scores + 0.5)  # not whole, so by the normal one
    assert exact == pytest.approx(normal, rel=0.25)


def test_no_variation_is_no_trend():
    assert trend_probability(np.array([5]), np.array([9]), np.array([2001.0])) == (0.0, 1.0)


def test_false_alarms_are_as_rare_as_claimed():
    """No phrase has a trend: in at most 5 % of permutations, and some by chance, Benjamini and Hochberg find one."""
    years = np.repeat(np.arange(8.0), [40, 30, 20, 60, 50, 30, 40, 30])
    totals, scores = np.unique(years, return_counts=True)[1], np.arange(8.0)
    alarms = 0
    for _ in range(200):
        values = []
        for documents in (5, 8, 12, 20, 45, 80):
            drawn = RNG.choice(years, documents, replace=False)
            counts = np.array([(drawn == year).sum() for year in scores])
            values.append(trend_probability(counts, totals, scores)[1])
        alarms += min(adjust_probabilities(values)) <= 0.05
    assert alarms <= 20  # 10 are expected; more than 20 have a probability below .002


def test_q_values_are_those_of_the_paper():
    """The example of Benjamini and Hochberg 1995, section 3.2: four of fifteen are rejected at .05."""
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    q = adjust_probabilities(p)
    assert sum(value <= 0.05 for value in q) == 4
    assert q == pytest.approx(scipy.stats.false_discovery_control(p))


def test_typical_phrases_are_more_frequent_than_elsewhere():
    counts = {"a": np.array([50.0, 10, 1]), "b": np.array([5.0, 10, 2])}
    typical = typical_phrases(counts)
    assert [index for index, _ in typical["a"]] == [0]
    prior = np.array([5.5, 2, 0.3])  # a tenth of the counts of both, as they are few
    first, second = counts["a"] + prior, counts["b"] + prior
    odds = np.log(first[0] / (first.sum() - first[0])) - np.log(second[0] / (second.sum() - second[0]))
    assert typical["a"][0][1] == pytest.approx(odds / np.sqrt(1 / first[0] + 1 / second[0]))
