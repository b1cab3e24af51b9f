"""What calibrators see of a list, by hand."""

import numpy as np
import pytest

from keywright.calibration.phrases import (
    compute_list_features,
    concatenate_features,
    locate_forms,
    locate_spans,
)
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase

LIST = (
    Keyphrase("grid services", 5.0, spans=((10, 23), (50, 63))),
    Keyphrase("uddi", 3.0),
    Keyphrase("discovery of services", 1.0, spans=((80, 101),)),
)


def test_a_list_is_described():
    seen = compute_list_features(LIST, "score", locate_spans(LIST, 200))
    assert seen.confidence.tolist() == [5, 3, 1]
    assert seen.standard == pytest.approx([1.5**0.5, 0, -(1.5**0.5)])
    assert seen.rank.tolist() == [1, 2, 3]
    assert seen.count.tolist() == [3, 3, 3]
    assert seen.words.tolist() == [2, 1, 3]
    assert seen.present.tolist() == [True, False, True]
    assert seen.mentions.tolist() == [2, 0, 1]
    assert seen.first.tolist() == [0.05, 1.0, 0.4]


def test_phrases_are_compared_with_the_first_of_a_list_only():
    seen = compute_list_features(LIST, "score", locate_spans(LIST, 200), depth=2)
    assert seen.standard.tolist() == [1, -1, -3]  # mean 4, deviation 1
    assert seen.count.tolist() == [2, 2, 2]


def test_equal_scores_and_single_phrases_stand_at_0():
    same = tuple(Keyphrase(text, 0.1) for text in "abc")
    assert compute_list_features(same, "score", locate_spans(same, 9)).standard.tolist() == [0, 0, 0]
    assert compute_list_features(same[:1], "score", locate_spans(same[:1], 9)).standard.tolist() == [0]


def test_no_phrases_give_no_rows():
    assert len(compute_list_features((), "score", locate_spans((), 0))) == 0


def test_phrases_without_spans_are_looked_up_in_the_text():
    found = locate_forms(["grid", "id", "servic"], np.array([True, False, True]), "grid servic of servic")
    assert found.present.tolist() == [True, False, True]
    assert found.mentions.tolist() == [1, 0, 2]
    assert found.first.tolist() == [0.0, 1.0, 5 / 23]


def test_lists_stand_one_after_the_other():
    one = compute_list_features(LIST, "score", locate_spans(LIST, 200))
    both = concatenate_features([one, one.where(one.present)])
    assert both.rank.tolist() == [1, 2, 3, 1, 3]
    assert both.count.tolist() == [3, 3, 3, 3, 3]


def test_a_confidence_that_is_not_there_is_told():
    with pytest.raises(BadRecord, match="has no token probabilities"):
        compute_list_features(LIST, "kpp-s", locate_spans(LIST, 200))
