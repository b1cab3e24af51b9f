"""Intervals, tests and what a collection can tell apart: by hand, by listing every exchange, and by simulation."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from keywright.core.arrays import Floats
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import F, P, build_counts
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Average, ShortList, ZeroDivisor
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import compute_all_values, score
from keywright.evaluation.statistics import significance
from keywright.evaluation.statistics.bootstrap import Functional, Resampling, Value
from keywright.evaluation.statistics.comparison import compare
from keywright.evaluation.statistics.significance import add_intervals, randomisation_p, t_test, wilcoxon

MICRO_F = (Value("author/F@5", Average.MICRO, "F@5"),)
MEANS = (Value("author/mean-P@5", Average.MEAN, "P@5"),)


def estimate_uncertainty(counts, protocol, resampling, categories=None):
    values = compute_all_values(counts, replace(protocol, zero_divisor=ZeroDivisor.ZERO))
    report = Report("", "", (), 0, {}, values, "fraction", counts)
    return add_intervals(report, protocol, resampling, categories)


def mean_of(column) -> Functional:
    """The mean of a column."""
    rows = np.array([[one, 1] for one in column], dtype=float)
    ids = tuple(map(str, range(len(rows))))
    return Functional(MEANS, ids, rows, lambda totals: totals[..., :1] / totals[..., 1:])


def pooled(hits, predicted, gold) -> Functional:
    """F of pooled hits, predictions and gold: 2 hits / (predictions + gold)."""

    def of(totals: Floats) -> Floats:
        return 2 * totals[..., :1] / (totals[..., 1:2] + totals[..., 2:])

    return Functional(MICRO_F, tuple(map(str, range(len(hits)))), np.array([hits, predicted, gold], dtype=float).T, of)


def test_p_of_the_bootstrap():
    # Samples -1, 0, 1, 2 of a difference of 1: two do not show its sign, (1 + 2) / 5; twice the complement, 2 * .4.
    samples = np.array([-1.0, 0, 1, 2])[:, None]
    one, two = significance.bootstrap_p(np.array([1.0]), samples)
    assert (one.tolist(), two.tolist()) == ([0.6], [pytest.approx(0.8)])
    # Of -1: three are 0 or more, (1 + 3) / 5, twice the complement.
    one, two = significance.bootstrap_p(np.array([-1.0]), samples)
    assert (one.tolist(), two.tolist()) == ([0.8], [pytest.approx(0.4)])
    # All show it: 1 / 5 and 2 / 5. No difference: 1 and 1.
    assert [part.item() for part in significance.bootstrap_p(np.array([1.0]), np.ones((4, 1)))] == [0.2, 0.4]
    assert [part.item() for part in significance.bootstrap_p(np.array([0.0]), samples)] == [1, 1]


def test_three_documents_exchanged():
    # Differences of 1, 1, 1: of 8 exchanges only none and all leave the means as far apart, 2 / 8.
    found = randomisation_p(mean_of([2, 3, 4]), mean_of([1, 2, 3]), Resampling(20_000))
    assert found.tolist() == [pytest.approx(0.25, abs=0.01)]
    # One exchange suffices to be as far apart where only one document differs, and with no difference every one does.
    assert randomisation_p(mean_of([2, 3, 4]), mean_of([1, 3, 4]), Resampling(100)).tolist() == [1]
    assert randomisation_p(mean_of([2, 3]), mean_of([2, 3]), Resampling(100)).tolist() == [1]


def test_last_digits_do_not_make_exchanges_rarer():
    # Differences of .2 and .1: none and both exchanged are as far apart, 2 of 4, though 1 + .6 - .8 - .5 is not .3.
    found = randomisation_p(mean_of([1.0, 0.6]), mean_of([0.8, 0.5]), Resampling(20_000))
    assert found.tolist() == [pytest.approx(0.5, abs=0.015)]


def test_p_counts_the_sample_as_it_is():
    # 12 documents differ by 1 each: 2 of 4,096 exchanges are as far apart, so that 9 samples hardly show one.
    found = randomisation_p(mean_of([1] * 12), mean_of([0] * 12), Resampling(9))
    assert found.tolist() == [pytest.approx(1 / 10)]


def test_randomisation_of_a_pooled_value_against_all_exchanges():
    first = ([3, 2, 1, 4, 0, 2, 5], [5, 5, 4, 5, 5, 3, 5], [6, 3, 4, 8, 2, 2, 9])
    second = ([1, 2, 0, 3, 1, 2, 2], [5, 4, 5, 5, 5, 5, 5], [6, 3, 4, 8, 2, 2, 9])

    def apart(exchanged) -> float:
        sums = np.zeros((2, 3))
        for place, turned in enumerate(exchanged):
            for side, run in enumerate((first, second)):
                sums[side ^ turned] += [column[place] for column in run]
        one, other = (2 * hits / (predicted + gold) for hits, predicted, gold in sums)
        return abs(one - other)

    every = [apart(exchanged) for exchanged in itertools.product((0, 1), repeat=7)]
    share = sum(one >= every[0] - 1e-9 for one in every) / 128
    assert 0.05 < share < 0.5
    found = randomisation_p(pooled(*first), pooled(*second), Resampling(20_000)).item()
    assert found == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 20_000))


def test_paired_difference_of_means():
    # Differences 0, 1: resampled means 0, 1/2, 1 with chances 1/4, 1/2, 1/4, whatever the level of the scores is.
    found = significance.compare_pair(mean_of([5, 9]), mean_of([5, 8]), Resampling(40_000), randomised=False)
    assert (found.difference.item(), found.low.item(), found.high.item()) == (0.5, 0, 1)
    # One-sided p is the chance of 0, a quarter.
    assert found.p.item() == pytest.approx(0.5, abs=0.02)
    # Standard deviation sqrt(1/8); quantiles 1.95996 + .84162.
    assert found.detectable.item() == pytest.approx(2.80158 * math.sqrt(1 / 8), rel=0.02)
    assert found.names == ("author/mean-P@5",)


def test_detectable_difference_of_one_run():
    # Precision 0 and 1 in two documents: resampled means have variance 1/8, of two such runs 1/4.
    protocol = KEYWRIGHT_1
    counts = build_counts(("a", "b"), [[1, 1, 1, 1, 1], [0] * 5], [9, 9], (5, 10, 15, "M", "O"), ShortList.OF_CUTOFF)
    found = estimate_uncertainty({"author": counts}, protocol, Resampling(40_000))
    assert found.intervals["author/P@5"] == (0, 1)
    assert found.detectable["author/P@5"] == pytest.approx(2.80158 / 2, rel=0.02)


def test_one_document_has_no_interval():
    counts = build_counts(("a",), [[1]], [1], (5, 10, 15, "M", "O"), ShortList.OF_CUTOFF)
    assert not estimate_uncertainty({"author": counts}, KEYWRIGHT_1, Resampling(10)).intervals


def test_categories_narrow_the_interval_where_they_differ():
    counts = build_counts(
        ("a", "b", "c", "d"), [[1] * 5, [1] * 5, [0] * 5, [0] * 5], [9] * 4, (5, 10, 15, "M", "O"), ShortList.OF_CUTOFF
    )
    categories = {"a": "J", "b": "J", "c": "H", "d": "H"}
    found = estimate_uncertainty({"author": counts}, KEYWRIGHT_1, Resampling(100), categories)
    assert found.intervals["author/P@5"] == (0.5, 0.5)


def test_student_and_wilcoxon():
    # Differences 1, 2, 3: t = 2 / (1 / sqrt 3) with 2 degrees of freedom; there p = 1 - t / sqrt(t^2 + 2).
    t = 2 * math.sqrt(3)
    assert t_test(np.array([2.0, 4, 6]), np.array([1.0, 2, 3])) == pytest.approx(1 - t / math.sqrt(t * t + 2))
    # Six differences of one sign, all of different size: 2 of the 64 ways to give them signs are as extreme.
    assert wilcoxon(np.arange(1.0, 7), np.zeros(6)) == pytest.approx(2 / 64)
    assert t_test(np.ones(3), np.ones(3)) == wilcoxon(np.ones(3), np.ones(3)) == 1


def test_differences_without_spread():
    assert t_test(np.array([1.0, 2, 3]), np.array([0.0, 1, 2])) == 0
    assert t_test(np.array([1.0]), np.array([0.0])) == 1


def test_holm():
    # .01 * 3, .03 * 2, .04 * 1, which is not smaller than the one before it.
    assert significance.correct_holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert significance.correct_holm([0.6, 0.7]) == (1, 1)
    assert significance.correct_holm([]) == ()


def test_intervals_cover_the_truth_as_often_as_they_say():
    # Documents with g gold entries (1 to 8), of which each of the five predictions finds one with a chance of its own.
    chance = np.random.default_rng(7)
    protocol = KEYWRIGHT_1

    def collection(documents):
        skill = chance.beta(2, 3, documents)
        gold = chance.integers(5, 12, documents)
        hits = [(chance.random(5) < one).astype(int).tolist() for one in skill]
        return build_counts(
            tuple(map(str, range(documents))), hits, gold.tolist(), (5, 10, 15, "M", "O"), ShortList.OF_CUTOFF
        )

    # E hits = 5 * .4, E predictions = 5, E gold = 8: pooled F = 2 * 2 / 13.
    covered = 0
    for _ in range(120):
        low, high = estimate_uncertainty({"author": collection(80)}, protocol, Resampling(300)).intervals["author/F@5"]
        covered += low <= 4 / 13 <= high
    # 120 intervals of 95 percent: 114 on average, 106 to 120 in all but one of a thousand seeds.
    assert 106 <= covered <= 120


def test_intervals_stand_in_the_order_of_reports():
    counts = build_counts(("a", "b", "c"), [[1, 0], [0], [1]], [2, 0, 1], (5,), ShortList.OF_CUTOFF)
    found = estimate_uncertainty(
        {"author": counts}, replace(KEYWRIGHT_1, measures=(P @ 5, F @ 5)), Resampling(200)
    ).intervals
    assert list(found) == [
        "author/P@5",
        "author/F@5",
        "author/macro-P@5",
        "author/macro-F@5",
        "author/mean-P@5",
        "author/mean-F@5",
    ]


PROTOCOL = replace(KEYWRIGHT_1, measures=(P @ 2, F @ 1, F @ 2, F @ "M"))
DOCUMENTS = tuple(GoldDocument(name, (("tide",), ("gauge",))) for name in "123")
GOLD = (GoldSet("author", DOCUMENTS), GoldSet("combined", DOCUMENTS))
RUNS = {
    "both": dict.fromkeys("123", ("tide", "gauge")),
    "one": {"1": ("tide", "sand"), "2": ("sand", "sea"), "3": ("tide", "gauge")},
    "none": dict.fromkeys("123", ("sand", "moon")),
}


def reports(protocol=PROTOCOL):
    return {name: score(lists, GOLD, protocol) for name, lists in RUNS.items()}


def test_the_main_value_is_f_at_the_deepest_number_of_the_last_gold():
    report = reports()["one"]
    assert report.main_value == "combined/F@2"
    counts = {"all": report.counts["author"], "present": report.counts["author"]}
    classes = replace(report, counts=counts, values={"all/F@5": 0.1, "all/F@10": 0.1, "present/F@50": 0.1})
    assert classes.main_value == "all/F@10"
    assert reports(replace(PROTOCOL, measures=(P @ 2,)))["one"].main_value == ""


def test_one_run():
    report = replace(reports()["one"], detectable={"combined/F@2": 0.123})
    assert report.detectable_note.startswith(
        "with 3 documents, combined/F@2 differences under 12.3 points cannot be detected"
    )
    assert reports()["one"].detectable_note == ""


def test_of_several_pairs_the_largest_counts():
    comparison = compare(reports(), PROTOCOL, Resampling(500))
    found = [one.detectable for one in comparison.differences if one.value == "combined/F@2"]
    assert len(set(found)) > 1
    assert f"under {max(found) * 100:.1f} points" in comparison.detectable_note
    pooled = replace(PROTOCOL, measures=(P @ 2,))
    assert compare(reports(pooled), pooled, Resampling(50)).detectable_note == ""
