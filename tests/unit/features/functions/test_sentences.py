"""Features of a phrase in its sentence: values by hand at the borders."""

import numpy as np
import pytest
from tests.unit.candidates.tagging import tagged

from keywright.core.errors import NeedsUnmet
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions.position import (
    edge_closeness,
    in_question,
    length_in_sentence,
    location_in_sentence,
    sentence_location,
    without_verb,
)
from keywright.text.analyser import TextAnalyser


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
