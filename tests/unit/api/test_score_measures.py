"""Measures that a caller chooses, and protocols that do not exist."""

import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.api import with_encoder
from keywright.core.errors import BadParameter, UnknownName
from keywright.evaluation.measures.counts import MRR, F

LABELLED = ROOT / "examples" / "abstracts.jsonl"
PREDICTED = [["sea", "tides", "gauges"], ["grid computing"]]
GOLD = [["tide", "gauges"], ["grid computing", "schedulers", "queues"]]


def values(protocol, measures, predictions=PREDICTED, gold=GOLD):
    return kw.score(predictions, gold, protocol, measures, intervals=False).values


def test_any_cutoff_of_p_r_and_f_counted_by_hand():
    numbers = values("keywright-1", ["P@1", "R@2", "F@3"])
    micro = {name: value for name, value in numbers.items() if "-" not in name}
    # One of two first predictions is right; two of five gold phrases are among the first two, three of five among all.
    assert micro == pytest.approx({"gold/P@1": 1 / 2, "gold/R@2": 2 / 5, "gold/F@3": 2 * 3 / (6 + 5)})


def test_ranked_measures_counted_by_hand():
    numbers = values("keywright-1", ["MAP", "MAP@2", "MRR"])
    # First list: hits at ranks 2 and 3 of 2 gold phrases; second: a hit at rank 1 of 3.
    assert numbers == pytest.approx(
        {
            "gold/MAP": ((1 / 2 + 2 / 3) / 2 + 1 / 3) / 2,
            "gold/MAP@2": ((1 / 2) / 2 + 1 / 3) / 2,
            "gold/MRR": (1 / 2 + 1) / 2,
        }
    )


@pytest.mark.parametrize("protocol", ["keywright-1", "semeval2010-clean", "kpg"])
def test_measures_of_the_protocol_keep_their_values(protocol):
    run = kw.run("kpminer", LABELLED)
    gold = [kw.LabelledDocument(each.document, tuple(kw.GoldKeyphrase(phrase.forms, by) for phrase in each.gold
                                                     for by in ("author", "reader", "combined")))
            for each in kw.dataset(LABELLED)]  # fmt: skip
    usual = kw.score(run, gold, protocol, intervals=False).values
    chosen = kw.score(run, gold, protocol, ["F@5", "F@7"], intervals=False).values
    assert {name: usual[name] for name in usual if name.endswith("F@5")}.items() <= chosen.items()
    assert any(name.endswith("F@7") for name in chosen)


def test_ranked_measures_are_those_of_the_ranked_protocol():
    run = kw.run("kpminer", LABELLED)
    names = ("RP", "MAP@10", "MAP", "MRR", "nDCG@5", "AlphaNDCG@5")
    ranked = kw.score(run, "keywright-1-ranked", intervals=False).values
    chosen = kw.score(run, protocol="keywright-1", measures=names, intervals=False).values
    assert chosen == {f"author/{name}": ranked[f"author/{name}"] for name in names}


def test_measures_may_follow_a_protocol_without_gold():
    run = kw.run("kpminer", LABELLED)
    chosen = kw.score(run, "keywright-1", ["F@3"], intervals=False).values
    assert chosen == kw.score(run, None, "keywright-1", ["F@3"], intervals=False).values


def test_names_with_commas_and_values_are_measures_as_well():
    assert (
        values("keywright-1", "F@3, MRR")
        == values("keywright-1", (F @ 3, MRR))
        == values("keywright-1", {"F@3": 1, "MRR": 1})
    )


def test_chosen_measures_have_intervals_and_are_in_the_signature():
    report = kw.score(PREDICTED, GOLD, "keywright-1", ["F@3", "MAP"], intervals=100)
    assert {"gold/F@3", "gold/MAP"} <= report.intervals.keys()
    assert "|measures:F@3|" in report.protocol
    assert kw.score(PREDICTED, GOLD, "keywright-1", ["MAP"], intervals=100).intervals.keys() == {"gold/MAP"}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("f@3", "did you mean 'F@3'"),
        ("F", "did you mean 'F@5'"),
        ("precision@5", "did you mean 'P@5'"),
        ("F1-score@10", "did you mean 'F@10'"),
        ("ndcg@m", "did you mean 'nDCG@M'"),
        ("F@0", "did you mean 'F@5'"),
        ("hits@5", "; measures are P, R, F, RP, MAP"),
        (5, "5 is not a measure"),
    ],
)  # fmt: skip
def test_an_unknown_measure_gets_the_nearest(name, hint):
    with pytest.raises(BadParameter, match=hint):
        values("keywright-1", [name])


def test_no_measure_is_refused():
    with pytest.raises(BadParameter, match="there is no measure"):
        values("keywright-1", [])


@pytest.mark.parametrize(
    ("protocol", "name", "reason"),
    [
        ("hulth2003-part-of", "MAP", "cannot give MAP: a ranked measure credits each gold phrase once.*keywright-1"),
        ("keywright-1", "Duplicates@5", "needs the list with its repeated phrases; keywright-1-diversity gives it"),
        ("keywright-1", "SemF", "compares forms of phrases, not their meanings; keywright-1-semantic gives it"),
        ("keywright-1-approximate", "AlphaNDCG@5", "finds the gold phrase of each prediction by equal forms"),
    ],
)  # fmt: skip
def test_a_protocol_that_cannot_give_a_measure_says_why(protocol, name, reason):
    with pytest.raises(BadParameter, match=reason):
        values(protocol, [name])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("f1", "F is a measure; .* --protocol keywright-1 --measures F@5.*by hulth2003-exact, kpg, semeval2010"),
        ("F@3", "--measures F@3, in Python protocol='keywright-1', measures=.'F@3'."),
        ("map", "--protocol keywright-1 --measures MAP,.*keywright-1-ranked"),
        ("Duplicates", "--protocol keywright-1-diversity --measures Duplicates"),
        ("semeval", "did you mean 'semeval2010' or 'semeval2010-strict'"),
        ("macro", "did you mean 'semeval2010-macro'"),
        ("kgp", "did you mean 'kpg'"),
        ("nothing", "`keywright protocols` lists all"),
    ],
)  # fmt: skip
def test_an_unknown_protocol_gets_what_is_meant(name, hint):
    with pytest.raises(UnknownName, match=f"no protocol called '{name}'.*{hint}"):
        kw.score(PREDICTED, GOLD, name)


def test_gold_of_another_kind_than_the_protocol_scores():
    with pytest.raises(UnknownName, match="scores author, reader, combined, and this gold has 'gold'"):
        kw.score(PREDICTED, GOLD, "semeval2010")


def test_what_is_not_a_protocol():
    with pytest.raises(BadParameter, match="a value of type int is not a protocol"):
        kw.score(PREDICTED, GOLD, 5)


def test_semantic_protocols_take_an_encoder():
    """Cosines of the toy: sea and tide .8, all other pairs 0; *gauges* is the same."""
    places = {"sea": (1, 0, 0), "tide": (0.8, 0.6, 0), "gauges": (0, 0, 1)}
    protocol = with_encoder("keywright-1-semantic", lambda texts: [places[text] for text in texts])
    numbers = values(protocol, ["SemP", "SemR"], [["sea", "gauges"]], [["tide", "gauges"]])
    assert numbers["gold/SemP"] == pytest.approx((0.8 + 1) / 2)
    assert numbers["gold/SemR"] == pytest.approx((0.8 + 1) / 2)
    with pytest.raises(BadParameter, match="encoder for kpg"):
        with_encoder("kpg", "minilm")
