"""What holds for intervals and tests of all counts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling, make_functionals
from keywright.evaluation.statistics.comparison import compare
from keywright.evaluation.statistics.significance import add_intervals, correct_holm

PROTOCOL = replace(KEYWRIGHT_1, measures=at(2, "M"))
FEW = Resampling(60)
PHRASES = st.lists(st.sampled_from(["tide", "gauge", "sea", "level"]), max_size=4)
DOCUMENTS = st.lists(st.tuples(PHRASES, PHRASES, PHRASES), min_size=2, max_size=7)


def _gold(documents):
    entries = (tuple((entry,) for entry in gold) for gold, _, _ in documents)
    return (GoldSet("author", tuple(GoldDocument(str(place), one) for place, one in enumerate(entries))),)


def _reports(documents):
    gold = _gold(documents)
    runs = {name: {str(at_): one[place] for at_, one in enumerate(documents)} for place, name in ((1, "a"), (2, "b"))}
    return {name: score(lists, gold, PROTOCOL) for name, lists in runs.items()}


@given(DOCUMENTS)
def test_intervals_are_fractions_for_every_value_and_in_order(documents):
    report = add_intervals(_reports(documents)["a"], PROTOCOL, FEW)
    assert list(report.intervals) == list(report.detectable) == list(report.values)
    assert all(0 <= low <= high <= 1 for low, high in report.intervals.values())
    assert all(one >= 0 for one in report.detectable.values())


@given(DOCUMENTS)
def test_functionals_give_the_values_of_the_report(documents):
    report = _reports(documents)["a"]
    found = [
        dict(zip(one.names, one.observed.tolist(), strict=True))
        for one in make_functionals("author", report.counts["author"], PROTOCOL)
    ]
    assert {name: value for one in found for name, value in one.items()} == pytest.approx(dict(report.values))


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_neither_the_order_of_documents_nor_their_names_matter(documents, chance):
    turned = list(documents)
    chance.shuffle(turned)
    one, other = (add_intervals(_reports(given)["a"], PROTOCOL, FEW).intervals for given in (documents, turned))
    assert dict(one) == {name: pytest.approx(ends) for name, ends in other.items()}


@given(DOCUMENTS)
def test_exchanging_the_runs_turns_the_difference_and_keeps_p(documents):
    reports = _reports(documents)
    there = compare(reports, PROTOCOL, FEW).differences
    back = compare(dict(reversed(reports.items())), PROTOCOL, FEW).differences
    for one, other in zip(there, back, strict=True):
        assert one.value == other.value
        assert one.difference == pytest.approx(-other.difference)
        assert (one.effect.wins, one.effect.losses) == (other.effect.losses, other.effect.wins)
        assert 0 < one.p <= 1
        if not np.isclose(one.difference, 0):
            assert (one.low, one.high) != (0, 0) or one.p == 1


@given(DOCUMENTS)
def test_a_run_does_not_differ_from_itself(documents):
    report = _reports(documents)["a"]
    for one in compare({"here": report, "there": report}, PROTOCOL, FEW).differences:
        assert (one.difference, one.low, one.high, one.p, one.effect.wins, one.effect.losses) == (0, 0, 0, 1, 0, 0)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_p_and_keeps_their_order(given_p):
    found = correct_holm(given_p)
    assert all(one <= other <= 1 for one, other in zip(given_p, found, strict=True))
    ranked = [found[place] for place in sorted(range(len(given_p)), key=given_p.__getitem__)]
    assert ranked == sorted(ranked)
