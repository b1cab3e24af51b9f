"""Agreement by hand, and at its edges."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.statistics import significance as agreement
from keywright.evaluation.statistics.significance import hooper, rolling


def sets(*pairs: tuple[Iterable[str], Iterable[str]]):
    return [(frozenset(first), frozenset(second)) for first, second in pairs]


TWO = sets(("ab", "bc"), ("a", "a"))


def test_hooper_and_rolling_are_means_over_documents():
    assert hooper(TWO) == pytest.approx((1 / 3 + 1) / 2)
    assert rolling(TWO) == pytest.approx((2 / 4 + 1) / 2)
    assert hooper(sets(("ab", ""), ("", ""))) == rolling(sets(("ab", ""), ("", ""))) == 0
    assert hooper(sets(("", ""))) is rolling([]) is None


def test_shared_is_pooled():
    found = agreement.count_shared(sets(("ab", "bc"), ("a", "abcd")))
    assert (found.precision, found.recall, found.f) == pytest.approx((2 / 6, 2 / 3, 4 / 9))
    empty = agreement.count_shared([])
    assert (empty.precision, empty.recall, empty.f) == (0, 0, 0)


def test_overlap_counts_covered_entries_of_each_side():
    documents = [([("net",), ("tree", "trees")], [("neural net",), ("deep net",), ("x",)])]
    found = agreement.count_overlap(documents, lambda one, other: any(form in far for form in one for far in other))
    assert (found.first_hit, found.second_hit, found.first, found.second) == (1, 2, 2, 3)
    assert (found.recall, found.precision) == (1 / 2, 2 / 3)


def test_choices_of_two_kinds_of_gold():
    author = GoldSet("author", (GoldDocument("a", (("grid net",), ("x", "y"))), GoldDocument("b", (("z",),))))
    reader = GoldSet("reader", (GoldDocument("a", (("grid",),)), GoldDocument("c", (("w",),))))
    forms = agreement.pair_choices(author, reader, lambda entry: [entry[0]])
    assert forms == sets((["grid net", "x"], ["grid"]), (["z"], []), ([], ["w"]))
    words = agreement.pair_choices(author, reader, lambda entry: entry[0].split())
    assert words[0] == (frozenset({"grid", "net", "x"}), frozenset({"grid"}))


CHOICES = st.lists(
    st.tuples(st.frozensets(st.sampled_from("abcd")), st.frozensets(st.sampled_from("abcd"))), max_size=5
)


@given(CHOICES)
def test_sides_can_be_exchanged(choices):
    turned = [(second, first) for first, second in choices]
    assert hooper(choices) == hooper(turned)
    assert rolling(choices) == rolling(turned)
    assert agreement.count_shared(choices).f == pytest.approx(agreement.count_shared(turned).f)


@given(CHOICES)
def test_nobody_agrees_better_than_with_oneself(choices):
    alike = [(first, first) for first, _ in choices]
    for measure in (hooper, rolling):
        assert measure(alike) in (None, 1)
        assert (measure(choices) or 0) <= 1
