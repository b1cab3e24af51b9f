"""Places of mentions, by hand.

Features of a phrase in its sentence: values by hand at the borders.

Zoning, by hand.
"""

import math

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import Section, SectionKind
from keywright.core.errors import NeedsUnmet
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions import position
from keywright.extraction.features.functions.position import (
    MentionsIn,
    SectionTfIdf,
    SeenIn,
    edge_closeness,
    in_question,
    length_in_sentence,
    location_in_sentence,
    mentions_in,
    sentence_location,
    without_verb,
)
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

DOCUMENT = analysed("grid of markets. Grid and grid. Of time. Of it")
FOUND = ngrams(DOCUMENT, 1)  # tokens: grid 0, of 1, markets 2, . 3, Grid 4, and 5, grid 6, . 7, Of 8, time 9 ... 13


def value(feature, phrase: str) -> float:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((3,), np.float64)
    return float(column[FOUND.key.tolist().index(phrase_key(phrase))])


def test_first_and_last():
    assert len(DOCUMENT) == 13
    assert [value(position.first_mention, phrase) for phrase in ("grid", "market", "time")] == [0, 2 / 13, 9 / 13]
    assert [value(position.last_mention, phrase) for phrase in ("grid", "market", "time")] == [6 / 13, 2 / 13, 9 / 13]
    assert [value(position.spread, phrase) for phrase in ("grid", "market", "time")] == [6 / 13, 0, 0]


def test_deviation_of_places():
    # 0, 4 and 6: mean 10 / 3, squares (100 + 4 + 64) / 9
    assert value(position.deviation, "grid") == pytest.approx(math.sqrt(168 / 27) / 13)
    assert value(position.deviation, "time") == 0


@pytest.mark.parametrize(
    "feature",
    [
        position.first_mention,
        position.last_mention,
        position.spread,
        position.deviation,
    ],
)
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)


def test_ends_are_1_the_middle_is_0_and_a_single_place_is_0() -> None:
    place, number = np.array([0, 1, 2, 3, 4, 0]), np.array([5, 5, 5, 5, 5, 1])
    # (2 p / 4 - 1)² of p = 0..4; one place only is 0.
    assert edge_closeness(place, number).tolist() == [1.0, 0.25, 0.0, 0.25, 1.0, 0.0]


def test_signs_are_no_words_of_a_sentence() -> None:
    document = tagged("Maps/NNS ,/, charts/NNS ,/, plans/NNS ./. Do/VBP plans/NNS help/VB ?/.")
    candidates = ngrams(document, 1)
    words = [document.words[document.word[first]] for first in candidates.first]
    assert words == ["maps", "charts", "plans", "help"]
    assert length_in_sentence(candidates, document) == pytest.approx([1 / 3] * 4)
    assert location_in_sentence(candidates, document) == pytest.approx([1.0, 0.0, 1.0, 1.0])
    assert sentence_location(candidates, document) == pytest.approx([1.0] * 4)
    assert without_verb(candidates, document).tolist() == [1.0, 1.0, 1.0, 0.0]
    assert in_question(candidates, document).tolist() == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("feature", [sentence_location, location_in_sentence, length_in_sentence, in_question])
def test_no_candidates_give_no_values(feature) -> None:
    document = tagged("the/DT")
    assert feature(ngrams(document, 1), document).shape == (0,)


def test_verbs_need_tags() -> None:
    document = TextAnalyser().analyse(tagged("maps/NNS").source)
    with pytest.raises(NeedsUnmet):
        without_verb(ngrams(document, 1), document)


# title: grid markets; abstract: grids grid; body: and, time grid; a second abstract: time
TEXT = "grid markets and grids grid time grid time"
STRUCTURE_DOCUMENT = analysed(
    TEXT,
    Section(SectionKind.TITLE, 0, 12),
    Section(SectionKind.ABSTRACT, 17, 27),
    Section(SectionKind.ABSTRACT, 38, 42),
)
STRUCTURE_FOUND = ngrams(STRUCTURE_DOCUMENT, 2)
TITLE, ABSTRACT, BODY = SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.BODY
PHRASES = ("grid", "market", "time", "grid market", "grid grid")


def values(feature) -> list[float]:
    column = feature(STRUCTURE_FOUND, STRUCTURE_DOCUMENT)
    assert (column.shape, column.dtype) == ((len(STRUCTURE_FOUND),), np.float64)
    return [float(column[STRUCTURE_FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


def test_mentions_in_sections():
    assert values(MentionsIn((TITLE,))) == [1, 1, 0, 1, 0]
    assert values(MentionsIn((ABSTRACT,))) == [2, 0, 1, 0, 1]
    assert values(MentionsIn((TITLE, ABSTRACT))) == [3, 1, 1, 1, 1]
    assert values(lambda found, document: mentions_in(found, document, BODY)) == [1, 0, 1, 0, 0]
    assert values(MentionsIn((SectionKind.CAPTION,))) == [0] * 5
    assert values(SeenIn((ABSTRACT,))) == [1, 0, 1, 0, 1]


def test_tfidf_among_sections():
    # three kinds; title and abstract have 2 and 3 tokens, body the other 3
    third = math.log2(3)
    assert values(SectionTfIdf(TITLE)) == pytest.approx([0, third / 2, 0, third / 2, 0])
    assert values(SectionTfIdf(ABSTRACT)) == pytest.approx([0, 0, math.log2(3 / 2) / 3, 0, third / 3])
    assert values(SectionTfIdf(SectionKind.CAPTION)) == [0] * 5


@pytest.mark.parametrize("feature", [MentionsIn((TITLE,)), SeenIn((TITLE,)), SectionTfIdf(TITLE)])
def test_no_candidates_give_no_numbers_of_structure(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)
