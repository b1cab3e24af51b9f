"""UvT's C-value on a small hand-tagged document.

Terms and mentions: *grid* 6, *market* 4, *grid market* 3, *fast grid* 1, *fast grid market* 1, *market of grids* (as
*grid market*) 1 of the 3.
"""

from dataclasses import replace
from math import log2

import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, Section, SectionKind
from keywright.core.errors import NeedsUnmet
from keywright.extraction.systems.uvt import UvT

TEXT = """fast/JJ grid/NN market/NN ,/, grid/NN market/NN ,/, market/NN of/IN grids/NNS ,/, grid/NN ,/, grid/NN ,/,
    grid/NN ,/, market/NN"""
WORDS = UvT(added=1.0, least_seen=1)


def scores(system: UvT, document: AnalysedDocument | None = None) -> dict[str, float]:
    found = system.extract(tagged(TEXT) if document is None else document).prediction().keyphrases
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in found}


def of_phrases(document: AnalysedDocument | None = None, **options: float) -> dict[str, float]:
    """By the C-value of 2000, without the single words."""
    found = scores(replace(UvT(added=0.0, least_seen=1), **options), document)
    assert all(score == 0 for name, score in found.items() if " " not in name)
    return {name: score for name, score in found.items() if " " in name}


def test_c_value_of_phrases():
    """*grid market* has 3 mentions, *fast grid market* around it 1; *fast grid* always stands in it."""
    expected = {"fast grid market": log2(3) * 1, "grid market": log2(2) * (3 - 1), "fast grid": 0}
    assert of_phrases() == pytest.approx(expected)


def test_single_words_with_one_added():
    """Around *grid*: *fast grid* 1, *grid market* 3, *fast grid market* 1; around *market* the last two."""
    found = scores(WORDS)
    assert found["grid"] == pytest.approx(log2(2) * (6 - 5 / 3))
    assert found["market"] == pytest.approx(log2(2) * (4 - 4 / 2))
    assert found["grid market"] == pytest.approx(log2(3) * 2)
    assert found["fast grid market"] == pytest.approx(log2(4))


def test_what_counts_as_two_words_has_the_length_of_two():
    """*market of grids* comes first, and is two words for the logarithm."""
    document = tagged("market/NN of/IN grids/NNS ,/, grid/NN market/NN ,/, grid/NN market/NN")
    assert of_phrases(document) == pytest.approx({"grid market": 3.0})
    assert of_phrases(tagged("market/NN in/IN grids/NNS")) == pytest.approx({"market in grids": log2(3)})


def test_rare_terms_can_be_left_out():
    assert of_phrases(least_seen=2) == pytest.approx({"grid market": 3.0})
    assert scores(replace(WORDS, least_seen=5)) == pytest.approx({"grid": 6})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fast/JJ grid/NN", {"fast grid"}),
        ("big/JJ fast/JJ grid/NN", {"big fast grid", "fast grid"}),
        ("grid/NN fast/JJ market/NN", {"grid fast market", "fast market"}),
        ("grid/NN market/NN agent/NN", {"grid market agent", "grid market", "market agent"}),
        ("fast/JJ grid/NN market/NN", {"fast grid market", "fast grid", "grid market"}),
        ("market/NN for/IN grids/NNS", {"market for grids"}),
        ("trading/VBG grids/NNS", set()),
        ("market/NN of/IN the/DT grids/NNS", set()),
        ("fast/JJ ,/, grid/NN", set()),
    ],
)
def test_shapes(text, expected):
    assert set(of_phrases(tagged(text))) == expected


def test_references_give_nothing():
    assert scores(WORDS, tagged("grid/NN market/NN", Section(SectionKind.REFERENCES, 0, 11))) == {}


def test_references_in_the_text_give_nothing():
    document = tagged("Foster/NNP et/FW al/NN ./. grid/NN")
    assert set(scores(WORDS, document)) == {"grid"}
    assert "al" in scores(replace(WORDS, removed=()), document)


def test_an_empty_document_gives_nothing():
    assert WORDS.extract(tagged("")).prediction().keyphrases == ()


def test_tags_are_needed():
    with pytest.raises(NeedsUnmet):
        WORDS.extract(analysed("grid market")).prediction()
