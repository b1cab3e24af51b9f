"""Phrases that stand for themselves in a collection, by hand."""

import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions.nestedness import Phrasehood
from keywright.text.keys import phrase_key


def found(document: AnalysedDocument) -> Candidates:
    return ngrams(document, 2)


def values(feature: Phrasehood, document: AnalysedDocument, *names: str) -> list[float]:
    candidates = found(document)
    column = feature(candidates, document)
    return [float(column[candidates.key.tolist().index(phrase_key(name))]) for name in names]


# Outside of grid market, the one phrase with two mentions: grid 1 of 3, market 0 of 2 here; both 1 of 1 there.
HERE, THERE = analysed("grid market; grid market; grid"), analysed("grid; market; tide")
HOOD = Phrasehood.of((HERE, THERE), found)


def test_documents_of_the_collection_count_once():
    assert values(HOOD, HERE, "grid", "market", "grid market") == pytest.approx([2 / 4, 1 / 3, 1])
    assert values(HOOD, THERE, "grid", "market", "tide") == pytest.approx([2 / 4, 1 / 3, 1])


def test_mentions_of_another_document_are_added():
    new = analysed("market grid")
    assert values(HOOD, new, "grid", "market", "market grid") == pytest.approx([3 / 5, 2 / 4, 1])


def test_longer_phrases_may_need_more_mentions():
    assert values(Phrasehood.of((HERE, THERE), found, 3), HERE, "grid", "market") == [1, 1]


def test_phrases_of_one_document_are_in_no_table():
    assert set(HOOD.mentions.keys.tolist()) == {phrase_key("grid"), phrase_key("market")}


def test_nothing():
    assert HOOD(found(analysed("")), analysed("")).shape == (0,)
    empty = Phrasehood.of((), found)
    assert values(empty, HERE, "grid", "market") == pytest.approx([1 / 3, 0])
