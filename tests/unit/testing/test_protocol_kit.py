"""The protocol kit finds broken protocols."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from keywright.core.errors import BrokenPromise
from keywright.evaluation.measures.measure import at
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Entries, Form, once
from keywright.testing.protocols import (
    PROTOCOL_PROMISES,
    Promise,
    check_protocol,
    gives_fractions,
    is_described,
    knows_a_perfect_answer,
    reports_its_measures,
    rewards_what_is_right,
    travels,
)


def double(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Two hits where one is due."""
    return [2 * hits for hits in once(forms, entries)]


def generous(forms: Sequence[Form], entries: Entries) -> list[int]:
    """A hit for whatever stands first."""
    return [1, *once(forms, entries)[1:]]


def backwards(forms: Sequence[Form], entries: Entries) -> list[int]:
    """A hit where there is none."""
    return [1 - hits for hits in once(forms, entries)]


def shy(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Nothing after the second rank."""
    return [hits if rank < 2 else 0 for rank, hits in enumerate(once(forms, entries))]


BROKEN = [
    (gives_fractions, replace(KEYWRIGHT_1, matching=double), "fractions from 0 to 1"),
    (gives_fractions, replace(KEYWRIGHT_1, matching=generous), "without a hit give 0"),
    (rewards_what_is_right, replace(KEYWRIGHT_1, matching=backwards), "lowers no value"),
    (rewards_what_is_right, replace(KEYWRIGHT_1, matching=shy, measures=at(5, 10)), "raises a value"),
    (knows_a_perfect_answer, replace(KEYWRIGHT_1, matching=shy), "all gold at the top"),
    (is_described, replace(KEYWRIGHT_1, unit=object()), "no memory address"),
    (reports_its_measures, replace(KEYWRIGHT_1, golds=("author", "author")), "a report has"),
    (travels, replace(KEYWRIGHT_1, accept=lambda form: bool(form)), "it pickles"),  # noqa: PLW0108  (a lambda is the point)
]


@pytest.mark.parametrize(("promise", "protocol", "message"), BROKEN, ids=lambda each: getattr(each, "__name__", None))
def test_a_broken_promise_is_found_and_named(promise: Promise, protocol: object, message: str) -> None:
    with pytest.raises(BrokenPromise, match=message):
        promise(protocol)


def test_a_sound_protocol_keeps_every_promise() -> None:
    check_protocol(KEYWRIGHT_1)


def test_every_promise_is_checked_in_the_order_of_the_table() -> None:
    assert len(set(PROTOCOL_PROMISES)) == len(PROTOCOL_PROMISES) == 7
