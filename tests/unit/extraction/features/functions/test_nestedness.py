"""Phrases inside longer phrases, by hand and one by one, and in a collection."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.features.functions.nestedness import (
    Nesting,
    Phrasehood,
    c_value,
    mentions_in_longer,
    substring_frequency,
    sum_of_longer,
)
from keywright.text.keys import phrase_key

WORDS = st.lists(st.sampled_from("deep neural network net . of grid-grid grid".split()), max_size=25)


def found_in(document: AnalysedDocument, longest: int = 3) -> Candidates:
    return ngrams(document, longest, content_words, content_words_and_connectors)


# deep neural network, neural network twice, quality of service, deep alone
DOCUMENT = analysed("Deep neural network. A neural network. The quality of service. Deep.")
FOUND = found_in(DOCUMENT)
PHRASES = ("deep", "neural", "neural network", "deep neural network", "quality", "service")


def values(column: np.ndarray) -> list[float]:
    assert (column.shape, column.dtype) == ((len(FOUND),), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


def test_longer_candidates_of_any_length():
    assert values(mentions_in_longer(FOUND)) == [1, 2, 1, 0, 1, 1]
    assert values(sum_of_longer(FOUND)) == [2, 4, 1, 0, 1, 1]


def test_substrings_outside():
    # of "neural network": neither word stands alone; of the whole: deep once, neural network once, its words once each
    assert values(substring_frequency(FOUND)) == [0, 0, 0, 4, 0, 0]


def test_mentions_in_frequent_longer_ones():
    assert values(mentions_in_longer(FOUND, 2)) == [0, 2, 0, 0, 0, 0]  # only "neural network" is frequent enough


def test_c_value():
    expected = [0, 0, 2 - 1, math.log2(3), 0, 0]
    assert values(c_value(FOUND, FOUND.length)) == pytest.approx(expected)
    expected = [2 - 2 / 2, 2 - 4 / 3, math.log2(3), 2, 0, 0]
    assert values(c_value(FOUND, FOUND.length, added=1)) == pytest.approx(expected)


def test_a_mention_inside_two_overlapping_ones_counts_once():
    document = analysed("grid net grid net grid")
    found = ngrams(document, 3)
    at = {phrase: found.key.tolist().index(phrase_key(phrase)) for phrase in ("grid", "grid net grid", "net grid net")}
    shorter, longer, inside = Nesting.of(found).phrases(found)
    counted = dict(zip(zip(shorter.tolist(), longer.tolist(), strict=True), inside.tolist(), strict=True))
    assert counted[at["grid"], at["grid net grid"]] == 3
    assert counted[at["grid"], at["net grid net"]] == 1


@given(WORDS, st.integers(1, 4))
def test_nesting_is_that_found_one_by_one(words, longest):
    found = found_in(analysed(" ".join(words)), longest)
    mentions = list(zip(found.positions.tolist(), found.widths.tolist(), found.owner.tolist(), strict=True))
    expected = [
        (inner, owner)
        for inner, (start, width, _) in enumerate(mentions)
        for begin, size, owner in mentions
        if size > width and begin <= start and start + width <= begin + size
    ]
    nesting = Nesting.of(found)
    assert sorted(zip(nesting.inner.tolist(), nesting.outer.tolist(), strict=True)) == sorted(expected)
    assert nesting.inner.tolist() == sorted(nesting.inner.tolist())


@pytest.mark.parametrize("feature", [mentions_in_longer, sum_of_longer, substring_frequency])
def test_no_candidates_and_no_longer_ones(feature):
    assert feature(ngrams(analysed(""), 3)).shape == (0,)
    assert feature(ngrams(analysed("grid"), 1)).shape == (1,)


def found(document: AnalysedDocument) -> Candidates:
    return ngrams(document, 2)


def values_of_phrasehood(feature: Phrasehood, document: AnalysedDocument, *names: str) -> list[float]:
    candidates = found(document)
    column = feature(candidates, document)
    return [float(column[candidates.key.tolist().index(phrase_key(name))]) for name in names]


# Outside of grid market, the one phrase with two mentions: grid 1 of 3, market 0 of 2 here; both 1 of 1 there.
HERE, THERE = analysed("grid market; grid market; grid"), analysed("grid; market; tide")
HOOD = Phrasehood.of((HERE, THERE), found)


def test_documents_of_the_collection_count_once():
    assert values_of_phrasehood(HOOD, HERE, "grid", "market", "grid market") == pytest.approx([2 / 4, 1 / 3, 1])
    assert values_of_phrasehood(HOOD, THERE, "grid", "market", "tide") == pytest.approx([2 / 4, 1 / 3, 1])


def test_mentions_of_another_document_are_added():
    new = analysed("market grid")
    assert values_of_phrasehood(HOOD, new, "grid", "market", "market grid") == pytest.approx([3 / 5, 2 / 4, 1])


def test_longer_phrases_may_need_more_mentions():
    assert values_of_phrasehood(Phrasehood.of((HERE, THERE), found, 3), HERE, "grid", "market") == [1, 1]


def test_phrases_of_one_document_are_in_no_table():
    assert set(HOOD.mentions.keys.tolist()) == {phrase_key("grid"), phrase_key("market")}


def test_nothing():
    assert HOOD(found(analysed("")), analysed("")).shape == (0,)
    empty = Phrasehood.of((), found)
    assert values_of_phrasehood(empty, HERE, "grid", "market") == pytest.approx([1 / 3, 0])
