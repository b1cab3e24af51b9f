"""The sentence on what a collection can tell apart."""

from dataclasses import replace

from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.measure import F, P
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.comparison import compare

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
