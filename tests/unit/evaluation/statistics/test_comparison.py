"""Runs compared: three documents, three runs, two gold entries a document."""

import json
import math
from dataclasses import replace

import pytest

from keywright.core.choices import PairedTest
from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import F, P
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.comparison import compare, pair_document_scores
from keywright.evaluation.statistics.significance import add_intervals

GOLD = (GoldSet("author", tuple(GoldDocument(name, (("tide",), ("gauge",))) for name in "123")),)
PROTOCOL = replace(KEYWRIGHT_1, measures=(P @ 2, F @ 2))
RUNS = {
    "both": dict.fromkeys("123", ("tide", "gauge")),
    "one": {"1": ("tide", "sand"), "2": ("tide", "sand"), "3": ("tide", "gauge")},
    "none": dict.fromkeys("123", ("sand", "moon")),
}
FEW = Resampling(2_000)


def reports(protocol=PROTOCOL, gold=GOLD, runs=RUNS):
    return {name: score(lists, gold, protocol) for name, lists in runs.items()}


def by_value(comparison):
    return {(one.value, one.first, one.second): one for one in comparison.differences}


def test_differences():
    found = by_value(compare(reports(), PROTOCOL, FEW))
    assert len(found) == 6 * 3
    one = found["author/P@2", "both", "one"]
    # 6 of 6 against 4 of 6; a document of the first run wins over two of three and ties with the third.
    assert one.difference == pytest.approx(1 / 3)
    assert one.relative == pytest.approx(1 / 2)
    assert (one.effect.wins, one.effect.ties, one.effect.losses) == (2, 1, 0)
    assert one.effect.cliffs_delta == pytest.approx(6 / 9)
    # Differences 1/2, 1/2, 0: mean 1/3, standard deviation sqrt(1/12).
    assert one.effect.cohens_d == pytest.approx(math.sqrt(12) / 3)
    # Resampled differences run from 0 (chance 1/27) to 1/2 (8/27).
    assert (one.low, one.high) == (0, 0.5)
    # Both differing documents exchanged or neither: 2 of 4.
    assert one.p == pytest.approx(0.5, abs=0.04)
    # All documents: 2 of 8; no relative difference to nothing.
    nothing = found["author/P@2", "both", "none"]
    assert nothing.p == pytest.approx(0.25, abs=0.04)
    assert nothing.relative is None


def test_p_is_corrected_for_the_pairs_of_one_value():
    comparison = compare(reports(), PROTOCOL, FEW)
    given = [one for one in comparison.differences if one.value == "author/F@2"]
    assert [(one.first, one.second) for one in given] == [("both", "one"), ("both", "none"), ("one", "none")]
    smallest = min(one.p for one in given)
    assert min(one.p_holm for one in given) == pytest.approx(3 * smallest)
    assert all(one.p_holm >= one.p for one in given)
    two = {name: report for name, report in reports().items() if name != "none"}
    assert all(one.p_holm == one.p for one in compare(two, PROTOCOL, FEW).differences)


def test_values_stand_in_the_order_of_reports():
    comparison = compare(reports(), PROTOCOL, FEW)
    assert list(dict.fromkeys(one.value for one in comparison.differences)) == list(reports()["one"].values)
    assert (comparison.test, comparison.intervals_by) == ("ar2000:12345", "pb2000:12345")


def test_bootstrap_as_test():
    comparison = compare(reports(), PROTOCOL, FEW, PairedTest.BOOTSTRAP)
    one = by_value(comparison)["author/P@2", "both", "one"]
    # One-sided: the chance of drawing the third document thrice, 1/27.
    assert one.p == pytest.approx(2 / 27, abs=0.02)
    assert comparison.test == "pb2000:12345"


def test_student_applies_to_means_of_document_scores_alone():
    found = by_value(compare(reports(), PROTOCOL, FEW, PairedTest.T))
    # Differences 1/2, 1/2, 0: t = (1/3) / (sqrt(1/12) / sqrt 3) = 2 with 2 degrees of freedom.
    p = pytest.approx(1 - 2 / math.sqrt(6))
    assert found["author/mean-P@2", "both", "one"].p == p
    assert found["author/macro-P@2", "both", "one"].p == p
    assert found["author/macro-F@2", "both", "one"].p is None
    assert found["author/P@2", "both", "one"].p is None
    assert found["author/P@2", "both", "one"].p_holm is None
    pooled = replace(PROTOCOL, average=(Average.MICRO,))
    with pytest.raises(BadParameter, match="reports none"):
        compare(reports(pooled), pooled, FEW, PairedTest.WILCOXON)


def test_document_scores_side_by_side():
    rows = list(pair_document_scores(compare(reports(), PROTOCOL, FEW)))
    assert rows[0] == ("author", "1", "P@2", (1, 0.5, 0))
    assert rows[-1] == ("author", "3", "F@2", (1, 1, 0))
    empty = (GoldSet("author", (*GOLD[0].documents, GoldDocument("4", ()))),)
    runs = {name: {**lists, "4": ()} for name, lists in RUNS.items()}
    rows = list(pair_document_scores(compare(reports(gold=empty, runs=runs), PROTOCOL, FEW)))
    assert rows[-1] == ("author", "4", "F@2", (None, None, None))


def test_json():
    given = {name: add_intervals(report, PROTOCOL, FEW) for name, report in reports().items()}
    value = json.loads(json.dumps(compare(given, PROTOCOL, FEW).to_dict()))
    assert value["documents"] == {"author": 3}
    assert list(value["runs"]) == ["both", "one", "none"]
    assert value["runs"]["one"]["intervals"]["author/P@2"] == [0.5, 1]
    difference = value["differences"][0]
    assert (difference["value"], difference["first"], difference["second"]) == ("author/P@2", "both", "one")
    assert difference["interval"] == [0, 0.5]
    assert (difference["wins"], difference["ties"], difference["losses"]) == (2, 1, 0)


def test_what_is_not_comparable_is_refused():
    with pytest.raises(BadParameter, match="1 runs"):
        compare(reports(runs={"one": RUNS["one"]}), PROTOCOL)
    other = replace(PROTOCOL, name="other")
    mixed = {"here": score(RUNS["one"], GOLD, PROTOCOL), "there": score(RUNS["one"], GOLD, other)}
    with pytest.raises(BadParameter, match="there was scored under other"):
        compare(mixed, PROTOCOL)
    elsewhere = (GoldSet("author", tuple(GoldDocument(name, (("sea",),)) for name in "123")),)
    mixed = {"here": score(RUNS["one"], GOLD, PROTOCOL), "there": score(RUNS["one"], elsewhere, PROTOCOL)}
    with pytest.raises(BadParameter, match="scored on gold author@"):
        compare(mixed, PROTOCOL)
    single = (GoldSet("author", GOLD[0].documents[:1]),)
    with pytest.raises(BadParameter, match="fewer than two documents"):
        compare(reports(gold=single, runs={name: {"1": lists["1"]} for name, lists in RUNS.items()}), PROTOCOL)
    with pytest.raises(BadRecord, match="no category"):
        compare(reports(), PROTOCOL, FEW, categories={"1": "J"})
