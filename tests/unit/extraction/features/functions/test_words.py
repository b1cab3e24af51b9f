"""Numbers of words taken over phrases, and categories of their words, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.errors import NeedsUnmet
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.features.functions.words import (
    common_categories,
    ending_categories,
    generalised_dice,
    over_words,
    pointwise_mutual_information,
    tag_categories,
    word_mentions,
)
from keywright.text.keys import phrase_key

DOCUMENT = analysed("grid of markets. A grid of market and grids. Grid noise.")
FOUND = ngrams(DOCUMENT, 3, content_words, content_words_and_connectors)
PHRASES = ("grid of market", "grid noise", "noise")


def values(column: np.ndarray) -> list[float]:
    assert (column.shape, column.dtype) == ((len(FOUND),), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


def test_forms_of_one_stem_count_together():
    counts = dict(zip(DOCUMENT.words, word_mentions(DOCUMENT).tolist(), strict=True))
    expected = {"grid": 4, "of": 2, "markets": 2, ".": 3, "a": 1, "market": 2, "and": 1, "grids": 4, "noise": 1}
    assert counts == expected


@pytest.mark.parametrize(
    ("over", "expected"), [("sum", [8, 5, 1]), ("mean", [8 / 3, 5 / 2, 1]), ("least", [2, 1, 1]), ("most", [4, 4, 1])]
)
def test_each_way_to_take_numbers_together(over, expected):
    assert values(over_words(word_mentions(DOCUMENT), FOUND, DOCUMENT, over)) == pytest.approx(expected)


def test_generalised_dice():
    # "grid of market" twice, words 4 + 2 + 2; "grid noise" and "noise" once
    expected = [3 * math.log10(2) * 2 / 8, 0, 0.1 * math.log10(2)]
    assert values(generalised_dice(FOUND, DOCUMENT)) == pytest.approx(expected)


def test_pointwise_mutual_information():
    # 14 tokens: p = 2/14 against 4/14 * 2/14 * 2/14; 1/14 against 4/14 * 1/14
    assert len(DOCUMENT) == 14
    expected = [math.log2(14 * 14 / 8), math.log2(14 / 4), 0]
    assert values(pointwise_mutual_information(FOUND, DOCUMENT)) == pytest.approx(expected)


@pytest.mark.parametrize("over", ["sum", "mean", "least", "most"])
def test_no_candidates_give_no_numbers(over):
    document = analysed("")
    none = ngrams(document, 3)
    assert over_words(word_mentions(document), none, document, over).shape == (0,)
    assert generalised_dice(none, document).shape == (0,)
    assert pointwise_mutual_information(none, document).shape == (0,)


CATEGORICAL_DOCUMENT = tagged(
    "training/NN sets/NNS ./. training/VBG set/NN ./. large/JJ training/NN set/NN of/IN io/NN"
)
CATEGORICAL_FOUND = ngrams(CATEGORICAL_DOCUMENT, 3)


def row(traits, phrase: str, known: tuple[str, ...]) -> list[float]:
    table = traits.columns(known)
    assert table.shape == (len(CATEGORICAL_FOUND), len(known))
    return table[CATEGORICAL_FOUND.key.tolist().index(phrase_key(phrase))].tolist()


def test_tags_by_place():
    traits = tag_categories(CATEGORICAL_FOUND, CATEGORICAL_DOCUMENT)
    known = ("B:NN", "B:VB", "E:NN", "S:NN", "I:NN", "E:XX")
    assert row(traits, "training set", known) == pytest.approx([2 / 3, 1 / 3, 1, 0, 0, 0])
    assert row(traits, "large training set", known) == [0, 0, 1, 0, 1, 0]
    assert row(traits, "io", known) == [0, 0, 0, 1, 0, 0]
    # "large training" ends with a noun as well; the participle is alone or begins
    assert set(traits.names) == {"S:NN", "S:VB", "S:JJ", "B:NN", "B:VB", "B:JJ", "E:NN", "I:NN"}


def test_endings_by_place():
    traits = ending_categories(CATEGORICAL_FOUND, CATEGORICAL_DOCUMENT, 3)
    known = ("B:ing", "E:ets", "E:set", "S:io", "B:rge")
    assert row(traits, "training set", known) == pytest.approx([1, 1 / 3, 2 / 3, 0, 0])
    assert row(traits, "io", known) == [0, 0, 0, 1, 0]
    assert row(traits, "large training", known) == [0, 0, 0, 0, 1]
    assert "E:ng" in ending_categories(CATEGORICAL_FOUND, CATEGORICAL_DOCUMENT, 2).names


def test_traits_of_enough_documents():
    other = tagged("sets/NNS learn/VBP")
    both = (tag_categories(CATEGORICAL_FOUND, CATEGORICAL_DOCUMENT), tag_categories(ngrams(other, 1), other))
    assert common_categories(both, 2) == ("S:NN", "S:VB")
    assert len(common_categories(both, 1)) > 2
    assert common_categories((), 1) == ()


def test_no_candidates_have_no_traits():
    nothing = tagged("")
    found = ngrams(nothing, 2)
    assert tag_categories(found, nothing).columns(("B:NN",)).shape == (0, 1)
    assert ending_categories(found, nothing, 2).names == ()
    untagged = analysed("grid")
    with pytest.raises(NeedsUnmet, match="'a'"):
        tag_categories(ngrams(untagged, 1), untagged)
