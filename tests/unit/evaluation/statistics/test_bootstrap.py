"""Drawing documents with replacement: against cases computed by hand and against formulas for the variance."""

from dataclasses import replace

import numpy as np
import pytest

from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.rules import NoGold
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics import bootstrap
from keywright.evaluation.statistics.bootstrap import Resampling, group_rows, resample

MANY = Resampling(40_000)
GOLD = (
    GoldSet(
        "author", (GoldDocument("1", (("tide",), ("gauge",))), GoldDocument("2", (("sea",),)), GoldDocument("3", ()))
    ),
)
LISTS = {"1": ("tide", "moon"), "2": ("moon",), "3": ("sand",)}


def sums_of(column, resampling=MANY, strata=None):
    return resample(np.array(column, dtype=float)[:, None], resampling, strata)[:, 0]


def test_two_documents_give_three_sums_with_chances_of_a_quarter_a_half_and_a_quarter():
    found, often = np.unique(sums_of([0, 1]), return_counts=True)
    assert found.tolist() == [0, 1, 2]
    assert (often / 40_000).tolist() == pytest.approx([0.25, 0.5, 0.25], abs=0.01)


@pytest.mark.parametrize("repeated", [1, 20], ids=["documents are drawn", "sizes of groups are drawn"])
def test_the_variance_of_a_sum_is_that_of_drawing_documents(repeated):
    # n draws from values with mean m and variance v: mean n m, variance n v.
    column = [0.0, 0.1, 0.35, 0.4, 0.9, 1.0] * repeated
    sums = sums_of(column)
    n, mean = len(column), 2.75 / 6
    variance = (0.01 + 0.1225 + 0.16 + 0.81 + 1) / 6 - mean**2
    assert sums.mean() == pytest.approx(n * mean, rel=0.01)
    assert sums.var() == pytest.approx(n * variance, rel=0.04)


def test_rows_that_differ():
    rows = np.array([[0.5, 1], [0, 2], [0.5, 1], [-0.0, 2], [0.5, 2]])
    groups, sizes = group_rows(rows)
    assert sorted(zip(groups.tolist(), sizes.tolist(), strict=True)) == [([0, 2], 2), ([0.5, 1], 2), ([0.5, 2], 1)]
    groups, sizes = group_rows(rows[:0])
    assert (len(groups), len(sizes)) == (0, 0)


def test_rows_of_one_number_are_told_apart(monkeypatch):
    monkeypatch.setattr("keywright.evaluation.statistics.bootstrap._MULTIPLIER", np.uint64(0))
    groups, sizes = group_rows(np.array([[1.0], [2.0], [1.0]]))
    assert (groups.tolist(), sizes.tolist()) == ([[1], [2]], [2, 1])


def test_columns_of_a_document_are_drawn_together():
    rows = np.array([[1, 10], [2, 20], [5, 50]], dtype=float)
    sums = resample(rows, Resampling(200))
    assert np.array_equal(sums[:, 1], 10 * sums[:, 0])


def test_every_stratum_gives_as_many_documents_as_it_has():
    # Equal within each stratum: nothing can vary. Then one stratum of 0, 1 (variance 2 * .25) and one of 3, 3.
    assert set(sums_of([1, 1, 5, 5, 5], strata=np.array([0, 0, 1, 1, 1]))) == {17}
    sums = sums_of([0, 1, 3, 3], strata=np.array([0, 0, 1, 1]))
    assert set(sums) == {6, 7, 8}
    assert sums.var() == pytest.approx(0.5, rel=0.05)


def test_the_seed_decides_and_the_order_of_documents_does_not():
    column = [0.0, 0.5, 0.5, 1.0, 0.25]
    first = sums_of(column, Resampling(50))
    assert np.array_equal(first, sums_of(column[::-1], Resampling(50)))
    assert not np.array_equal(first, sums_of(column, Resampling(50, seed=1)))


def test_memory_is_bounded_by_pieces_that_do_not_show(monkeypatch):
    column = [0.0, 0.5, 0.5, 1.0, 0.25] * 4
    whole = sums_of(column, Resampling(50))
    monkeypatch.setattr("keywright.evaluation.statistics.bootstrap.AT_ONCE", 12)
    assert np.array_equal(whole, sums_of(column, Resampling(50)))


def test_percentile_interval():
    # 0, 1, ... 100: the 2.5th and the 97.5th percentile are 2.5 and 97.5; at a level of .9, 5 and 95.
    samples = np.arange(101.0)[:, None]
    assert bootstrap.percentile_interval(samples, 0.95).ravel().tolist() == pytest.approx([2.5, 97.5])
    assert bootstrap.percentile_interval(samples, 0.9).ravel().tolist() == pytest.approx([5, 95])


@pytest.mark.parametrize("protocol", [KEYWRIGHT_1, replace(SEMEVAL2010, golds=()), SEMEVAL2010_STRICT])
def test_functionals_give_the_values_of_the_report_before_rounding(protocol):
    protocol = replace(protocol, golds=(), no_gold=NoGold.ZERO if protocol is SEMEVAL2010_STRICT else protocol.no_gold)
    gentle = replace(protocol, zero_divisor=KEYWRIGHT_1.zero_divisor)
    report = score(LISTS, GOLD, gentle)
    found = {}
    for functional in bootstrap.make_functionals("author", report.counts["author"], protocol):
        found |= dict(zip(functional.names, functional.observed.tolist(), strict=True))
    assert found.keys() == report.values.keys()
    assert found == pytest.approx(dict(report.values), abs=1e-4)


def test_nothing_is_rounded_before_it_is_resampled():
    # One hit in a list of two, the other lists are too short: R = 1/3, P = 1/200, of which F = 2/203.
    protocol = replace(SEMEVAL2010, golds=(), measures=at(2))
    (functional,) = bootstrap.make_functionals("author", score(LISTS, GOLD, protocol).counts["author"], protocol)
    assert functional.observed.tolist() == pytest.approx([1 / 200, 1 / 3, 2 / 203], abs=1e-12)


def test_document_scores_are_absent_where_the_protocol_leaves_a_document_out():
    protocol = replace(KEYWRIGHT_1, measures=at(2))
    counts = score(LISTS, GOLD, protocol).counts["author"]
    scores = bootstrap.document_scores(counts, protocol)
    # One hit of two and of two gold entries; none; a document without gold, whose predictions count in P alone.
    assert scores["P@2"].tolist() == [0.5, 0, 0]
    assert scores["R@2"][:2].tolist() == [0.5, 0]
    assert scores["F@2"][:2].tolist() == [0.5, 0]
    assert np.isnan(scores["R@2"][2])
    everywhere = bootstrap.document_scores(counts, replace(protocol, no_gold=NoGold.ZERO))
    assert everywhere["F@2"].tolist() == [0.5, 0, 0]


def test_strata():
    assert bootstrap.number_strata(("a", "b", "c"), {"a": "J", "b": "C", "c": "J", "d": "H"}).tolist() == [2, 0, 2]
    assert bootstrap.number_strata(("a", "b"), {}) is None
    with pytest.raises(BadRecord, match="'b' has no category"):
        bootstrap.number_strata(("a", "b"), {"a": "J"})


@pytest.mark.parametrize("odd", [{"samples": 0}, {"seed": -1}, {"level": 1.0}])
def test_what_cannot_be_drawn_is_refused(odd):
    with pytest.raises(BadParameter):
        Resampling(**odd)
