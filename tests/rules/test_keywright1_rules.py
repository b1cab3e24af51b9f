"""The rules of ``keywright-1`` by hand: populations, averages, cutoffs M and O, normal forms, ids."""

from dataclasses import replace

import pytest

from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction, Run
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import NoGold, OddIds, neutral
from keywright.evaluation.scoring.scorer import score


def gold(**entries: list[str | tuple[str, ...]]):
    """Gold of one kind: documents with their entries, each a tuple of forms or one form."""
    forms = {name: tuple((form,) if isinstance(form, str) else form for form in all_) for name, all_ in entries.items()}
    return (GoldSet("uncontr", tuple(GoldDocument(name, these) for name, these in forms.items())),)


def test_precision_divides_by_the_cutoff_or_by_the_list_or_by_the_gold():
    found = score({"a": ["p", "q", "x"]}, gold(a=["p", "q", "r", "s"]), KEYWRIGHT_1).values
    assert found["uncontr/P@5"] == 2 / 5
    assert found["uncontr/P@M"] == 2 / 3
    assert found["uncontr/P@O"] == 2 / 4
    assert found["uncontr/R@M"] == found["uncontr/R@O"] == 2 / 4
    assert found["uncontr/F@M"] == pytest.approx(4 / 7)


def test_cutoff_o_takes_as_many_as_there_is_gold():
    found = score({"a": ["x", "y", "p"]}, gold(a=["p", "q"]), KEYWRIGHT_1).values
    assert found["uncontr/R@O"] == 0
    found = score({"a": ["x", "p", "q"]}, gold(a=["p", "q"]), KEYWRIGHT_1).values
    assert found["uncontr/R@O"] == 1 / 2


def test_three_averages():
    # a: P 1/1, R 1/1, F 1. b: P 1/3, R 1/2, F 2/5.
    found = score({"a": ["p"], "b": ["p", "x", "y"]}, gold(a=["p"], b=["p", "q"]), KEYWRIGHT_1).values
    assert found["uncontr/P@M"] == 2 / 4
    assert found["uncontr/R@M"] == 2 / 3
    assert found["uncontr/F@M"] == pytest.approx(4 / 7)
    assert found["uncontr/macro-P@M"] == found["uncontr/mean-P@M"] == pytest.approx(2 / 3)
    assert found["uncontr/macro-R@M"] == found["uncontr/mean-R@M"] == pytest.approx(3 / 4)
    assert found["uncontr/macro-F@M"] == pytest.approx(12 / 17)
    assert found["uncontr/mean-F@M"] == pytest.approx(7 / 10)


def test_documents_without_gold_are_left_out_of_r_and_f_only():
    report = score({"a": ["p"], "b": ["x"]}, gold(a=["p"], b=[]), KEYWRIGHT_1)
    assert report.values["uncontr/P@M"] == report.values["uncontr/macro-P@M"] == 1 / 2
    assert report.values["uncontr/R@M"] == report.values["uncontr/macro-R@M"] == 1
    assert report.values["uncontr/F@M"] == report.values["uncontr/macro-F@M"] == report.values["uncontr/mean-F@M"] == 1
    assert report.skipped == {"no gold (uncontr)": 1}
    assert (
        report.to_dict()["counts"]["uncontr"] | {"documents": 2, "with_gold": 1}
        == report.to_dict()["counts"]["uncontr"]
    )
    counted = score({"a": ["p"], "b": ["x"]}, gold(a=["p"], b=[]), replace(KEYWRIGHT_1, no_gold=NoGold.ZERO)).values
    assert counted["uncontr/macro-R@M"] == counted["uncontr/macro-F@M"] == counted["uncontr/mean-F@M"] == 1 / 2
    assert counted["uncontr/F@M"] == pytest.approx(2 / 3)  # pooled P 1/2, R 1/1


def test_repeats_and_alternatives():
    report = score(
        {"a": ["Nets", "net", "", "of  trees", "third"]},
        gold(a=["net", "nets", ("x", "y", "third"), " ", ("tree of", "of tree")]),
        KEYWRIGHT_1,
    )
    # Predictions: net, of tree, third. Gold: net, one with third, one with of tree.
    assert report.values["uncontr/P@M"] == report.values["uncontr/R@M"] == 1
    assert report.counts["uncontr"].hits.tolist() == [[3, 3, 3, 3, 3]]


def test_one_credit_for_a_gold_phrase():
    report = score({"a": ["p", "q"]}, gold(a=[("p", "q"), "r"]), KEYWRIGHT_1)
    assert report.values["uncontr/P@M"] == report.values["uncontr/R@M"] == 1 / 2


@pytest.mark.parametrize(
    ("phrase", "form"),
    [
        ("Grid-Enabling  Ontologies", "grid-enabl ontolog"),
        ("ｆｉｌｔｅｒｓ\u00a0bank", "filter bank"),
        ("STRASSE", "strass"),
        ("Straße", "strass"),
        ("  ", ""),
    ],
)
def test_normal_form(phrase, form):
    assert neutral(phrase) == form


@pytest.mark.parametrize("lists", [{}, {"a": ["p"], "b": []}])
def test_ids_are_strict(lists):
    with pytest.raises(BadRecord, match="1 documents"):
        score(lists, gold(a=["p"]), KEYWRIGHT_1)


def test_ids_can_be_lenient_and_are_counted():
    lenient = replace(KEYWRIGHT_1, missing_ids=OddIds.COUNTED, unknown_ids=OddIds.COUNTED)
    report = score({"b": ["p"]}, gold(a=["p"]), lenient)
    assert report.skipped == {"no answer": 1, "not in the gold": 1}
    assert report.scored == 0
    assert set(report.values.values()) == {0.0}


def test_a_failed_document_is_an_empty_list_and_counted():
    run = Run("s", "d", "", (Prediction("a", (Keyphrase("P", 1.0),)),), (Failure("b", "broken_file", "?"),))
    report = score(run, gold(a=["p"], b=["q"]), KEYWRIGHT_1)
    assert report.skipped == {"failed": 1}
    assert (report.scored, report.run) == (1, "s")
    assert report.values["uncontr/R@M"] == 1 / 2


def test_a_document_that_failed_but_was_answered_later_is_answered():
    run = Run("s", "d", "", (Prediction("a", (Keyphrase("P", 1.0),)),), (Failure("a", "broken_file", "?"),))
    assert score(run, gold(a=["p"]), KEYWRIGHT_1).skipped == {}


def test_an_empty_list_has_precision_zero():
    report = score({"a": []}, gold(a=["p"]), KEYWRIGHT_1)
    assert set(report.values.values()) == {0.0}
    assert report.skipped == {}
