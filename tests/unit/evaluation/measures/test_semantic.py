"""Semantic matching by hand, with an encoder of four words."""

from dataclasses import replace

import numpy as np
import pytest

from keywright.core.errors import BadParameter
from keywright.core.signatures import signature
from keywright.evaluation.measures.semantic import SemanticMatching

ROWS = {"cat": (1, 0), "dog": (0.6, 0.8), "car": (0, 2), "anti": (-1, 0), "nets": (1, 0), "net": (0.5, 0.75**0.5)}


def toy(phrases):
    """Embeddings of six words; their lengths do not matter."""
    return np.array([ROWS[phrase] for phrase in phrases], dtype=float).reshape(len(phrases), 2)


RULE = SemanticMatching(toy)


def one(predictions, gold, rule=RULE):
    return rule.score([predictions], [[(form,) if isinstance(form, str) else form for form in gold]])[0]


def test_means_of_the_nearest():
    found = one(["cat", "car"], ["dog"])
    assert found == pytest.approx((0.7, 0.8, 2 * 0.7 * 0.8 / 1.5))
    assert one(["dog"], ["cat", "car"]) == pytest.approx((0.8, 0.7, 2 * 0.7 * 0.8 / 1.5))


def test_cosines_up_to_the_threshold_count_as_0():
    assert one(["cat"], ["dog"], SemanticMatching(toy, threshold=0.59)).SemP == pytest.approx(0.6)
    assert one(["cat"], ["dog"], SemanticMatching(toy, threshold=0.61)) == (0, 0, 0)
    assert one(["cat"], ["nets"], SemanticMatching(toy, threshold=1.0)) == (0, 0, 0)  # their cosine is 1
    assert one(["cat"], ["nets"]) == (1, 1, 1)
    assert one(["cat"], ["car"]) == (0, 0, 0)
    assert one(["cat"], ["anti"]) == (0, 0, 0)
    with pytest.raises(BadParameter, match="threshold"):
        SemanticMatching(toy, threshold=1.5)


def test_equal_stems_are_worth_1_both_ways_or_as_in_kpeval():
    assert one(["nets"], ["net"]) == (1, 1, 1)
    assert one(["nets"], ["net"], SemanticMatching(toy, kpeval_compat=True)) == pytest.approx((1, 0.5, 2 / 3))


def test_repeats_by_stem_count_once():
    assert one(["cat", "cats", "car"], ["dog"]) == one(["cat", "car"], ["dog"])
    assert one(["dog"], ["cat", "Cat", "car"]) == one(["dog"], ["cat", "car"])


def test_an_entry_is_as_near_as_its_nearest_form():
    assert one(["dog"], [("car", "dog")]) == (1, 1, 1)
    assert one(["cat"], [("car", "dog"), "anti"]).SemR == pytest.approx(0.6 / 2)


def test_empty_sides():
    assert one([], ["cat"]) == one([""], ["cat"]) == (0, 0, 0)
    assert one(["cat"], []) == (None, None, None)
    assert one(["cat"], [], SemanticMatching(toy, kpeval_compat=True)) == (0, 0, 0)
    assert RULE.score([], []) == []


def test_the_gold_itself_has_1():
    assert one(["cat", "car"], ["car", "cat"]) == (1, 1, 1)
    assert one(["cat", "car"], ["car", "cat"], SemanticMatching(toy, kpeval_compat=True)) == pytest.approx((1, 1, 1))


def test_documents_do_not_mix():
    found = RULE.score([["cat"], ["car"]], [[("dog",)], [("dog",)]])
    assert [score.SemP for score in found] == pytest.approx([0.6, 0.8])


def test_the_encoder_is_in_the_signature():
    assert "toy" in signature(RULE)
    assert signature(replace(RULE, encode=len)) != signature(RULE)
