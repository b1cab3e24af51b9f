"""Named features, by hand."""

import pytest
from tests.builders import analysed
from tests.unit.candidates.tagging import tagged

from keywright.core.errors import NeedsUnmet
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions.words import common_categories, ending_categories, tag_categories
from keywright.text.keys import phrase_key

DOCUMENT = tagged("training/NN sets/NNS ./. training/VBG set/NN ./. large/JJ training/NN set/NN of/IN io/NN")
FOUND = ngrams(DOCUMENT, 3)


def row(traits, phrase: str, known: tuple[str, ...]) -> list[float]:
    table = traits.columns(known)
    assert table.shape == (len(FOUND), len(known))
    return table[FOUND.key.tolist().index(phrase_key(phrase))].tolist()


def test_tags_by_place():
    traits = tag_categories(FOUND, DOCUMENT)
    known = ("B:NN", "B:VB", "E:NN", "S:NN", "I:NN", "E:XX")
    assert row(traits, "training set", known) == pytest.approx([2 / 3, 1 / 3, 1, 0, 0, 0])
    assert row(traits, "large training set", known) == [0, 0, 1, 0, 1, 0]
    assert row(traits, "io", known) == [0, 0, 0, 1, 0, 0]
    # "large training" ends with a noun as well; the participle is alone or begins
    assert set(traits.names) == {"S:NN", "S:VB", "S:JJ", "B:NN", "B:VB", "B:JJ", "E:NN", "I:NN"}


def test_endings_by_place():
    traits = ending_categories(FOUND, DOCUMENT, 3)
    known = ("B:ing", "E:ets", "E:set", "S:io", "B:rge")
    assert row(traits, "training set", known) == pytest.approx([1, 1 / 3, 2 / 3, 0, 0])
    assert row(traits, "io", known) == [0, 0, 0, 1, 0]
    assert row(traits, "large training", known) == [0, 0, 0, 0, 1]
    assert "E:ng" in ending_categories(FOUND, DOCUMENT, 2).names


def test_traits_of_enough_documents():
    other = tagged("sets/NNS learn/VBP")
    both = (tag_categories(FOUND, DOCUMENT), tag_categories(ngrams(other, 1), other))
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
