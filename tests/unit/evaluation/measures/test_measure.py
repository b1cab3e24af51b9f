"""Measures print, parse and compare."""

import pytest

from keywright.core.errors import BadParameter
from keywright.evaluation.measures.counts import ALPHA_NDCG, F1, MAP, MRR, NDCG, RP, F, Measure, P, R, measure


def test_measures_print_and_parse():
    assert str(F @ 15) == "F@15"
    assert str(R @ "M") == "R@M"
    assert str(P) == "P"
    assert [measure(text) for text in ("F@15", "F1 @ 15", " R@M ", "P@O")] == [F @ 15, F1 @ 15, R @ "M", P @ "O"]


def test_means_print_and_parse_with_and_without_a_cutoff():
    assert [str(one) for one in (MAP @ 10, MRR, NDCG @ "M", ALPHA_NDCG @ 5)] == [
        "MAP@10",
        "MRR",
        "nDCG@M",
        "AlphaNDCG@5",
    ]
    assert [measure(text) for text in ("MAP@10", "MRR", " RP ", "SemF", "nDCG @ 5")] == [
        *(MAP @ 10, MRR, RP, Measure("SemF")),
        NDCG @ 5,
    ]


def test_measures_are_values():
    assert Measure("F", 5) == F @ 5
    assert len({F @ 5, F1 @ 5, F @ 10}) == 2


@pytest.mark.parametrize("text", ["F", "F@0", "F@05", "F@N", "Q@5", "F@-1", "F@5.0", ""])
def test_what_is_no_measure(text):
    with pytest.raises(BadParameter):
        measure(text)


@pytest.mark.parametrize("k", [0, -1, "N", True])
def test_what_is_no_cutoff(k):
    with pytest.raises(BadParameter, match="no cutoff"):
        F @ k
