"""The protocol kit and the reader kit find what is broken; ``equal`` compares values that hold arrays."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from keywright.core.candidates import Candidates
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BrokenPromise
from keywright.datasets.card import card
from keywright.datasets.files import Files
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Entries, Form, once
from keywright.testing.promises import equal
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
from keywright.testing.readers import check_reader


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


KRAPIVIN = card("krapivin2009")
CARD = replace(KRAPIVIN, splits={"all": replace(KRAPIVIN.splits["test"], name="all", documents=3)}, whole=("all",))


def labelled(number: int) -> LabelledDocument[Document]:
    document = Document(f"d{number}", f"Text {number}", language="en", meta={"year": 2000})
    return LabelledDocument(document, (GoldKeyphrase(("text mining", "mining of text"), "author"),))


def reading(*documents: LabelledDocument[Document]) -> Callable[..., Iterator[LabelledDocument[Document]]]:
    return lambda files, split, forms: iter(documents)  # noqa: ARG005  (a reader is given these)


SOUND = [labelled(number) for number in range(3)]


def changed(**document: object) -> LabelledDocument[Document]:
    return replace(SOUND[0], document=replace(SOUND[0].document, **document))


def with_gold(*gold: GoldKeyphrase) -> LabelledDocument[Document]:
    return replace(SOUND[0], gold=gold)


def test_a_sound_reader_keeps_every_promise(tmp_path: Path) -> None:
    check_reader(reading(*SOUND), CARD, Files(tmp_path))


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (changed(id="d1"), "ids are unique"),
        (changed(text=" \n"), "an id and text"),
        (changed(language="fr"), "documents are in en"),
        (changed(meta={"years": (1, 2)}), "metadata are JSON values"),
        (with_gold(GoldKeyphrase(("text",), "editor")), "kinds of gold are on the card"),
        (with_gold(GoldKeyphrase((), "author")), "a gold entry has a form"),
        (with_gold(GoldKeyphrase((" text",), "author")), "padded with blanks"),
    ],
)
def test_a_broken_document_is_found(first: LabelledDocument[Document], message: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenPromise, match=message):
        check_reader(reading(first, *SOUND[1:]), CARD, Files(tmp_path))


def test_a_missing_document_is_found(tmp_path: Path) -> None:
    with pytest.raises(BrokenPromise, match="all has 3 documents"):
        check_reader(reading(*SOUND[1:]), CARD, Files(tmp_path))
    check_reader(reading(*SOUND[1:]), CARD, Files(tmp_path), most=2)


def test_a_reader_that_changes_its_mind_is_found(tmp_path: Path) -> None:
    turns = itertools.cycle([SOUND, SOUND[::-1]])
    with pytest.raises(BrokenPromise, match="reading twice"):
        check_reader(lambda *_: iter(next(turns)), CARD, Files(tmp_path))


def candidates(first: int) -> Candidates:
    one = np.array([1])
    return Candidates(
        key=np.array([7], dtype=np.uint64),
        length=one,
        frequency=one,
        first=np.array([first]),
        last=np.array([first]),
        offsets=np.array([0, 1]),
        positions=np.array([first]),
        widths=one,
    )


def test_dataclasses_with_arrays_compare_by_content() -> None:
    assert equal(candidates(3), candidates(3))
    assert not equal(candidates(3), candidates(4))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1, 2]), np.array([1.0, 2.0]), False),  # another type of number is another value
        (np.array([1, 2]), np.array([1, 2, 3]), False),
        (np.array(["a"]), np.array(["a"]), True),
        ((1, np.array([1])), (1, np.array([1])), True),
        ((1, 2), [1, 2], False),
        ({"a": np.array([1])}, {"a": np.array([1])}, True),
        ({"a": 1}, {"b": 1}, False),
        (Section(SectionKind.TITLE, 0, 4), Section(SectionKind.TITLE, 0, 4), True),
        (Section(SectionKind.TITLE, 0, 4), Section(SectionKind.HEADING, 0, 4), False),
        (None, None, True),
    ],
)
def test_same(a: object, b: object, expected: bool) -> None:  # noqa: FBT001  (a parametrised value)
    assert equal(a, b) is expected
