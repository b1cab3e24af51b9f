"""The reader kit finds broken readers."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BrokenPromise
from keywright.datasets.card import card
from keywright.datasets.files import Files
from keywright.testing.readers import check_reader

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
