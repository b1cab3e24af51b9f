"""Confidences: the worked examples of the specification, hand calculation, and phrases that have none."""

import math

import numpy as np
import pytest

from keywright.calibration.phrases import choose_confidence, compute_confidences
from keywright.core.choices import Confidence
from keywright.core.errors import BadRecord, UnknownName
from keywright.core.keyphrases import Generation, Keyphrase


def phrase(probabilities, words=1, probability=None):
    tokens = tuple(f"t{at}" for at in range(len(probabilities)))
    generation = Generation(tokens, tuple(map(math.log, probabilities)), words=words)
    return Keyphrase("a phrase", -1.0, probability=probability, generation=generation)


# specs/neural-kpg.md 1.4: token probabilities, words, KPP-s.
PRINTED = [
    ((0.1562, 0.5222), 2, 3.5008),
    ((0.3991, 0.7841, 0.7240), 3, 1.6402),
    ((0.7195, 0.7781, 0.6826), 3, 1.3780),
    ((0.4651, 0.9999, 0.9999), 1, 2.1503),
]


@pytest.mark.parametrize(("probabilities", "words", "kpps"), PRINTED)
def test_kpps_of_the_printed_phrases(probabilities, words, kpps):
    assert 1 / compute_confidences([phrase(probabilities, words)])[0] == pytest.approx(kpps, abs=6e-4)


def test_pieces_lower_kpp_but_not_kpps():
    whole, split = phrase([0.5]), phrase([0.625, 0.8])
    assert compute_confidences([whole, split], "kpp-s") == pytest.approx([0.5, 0.5])
    assert 1 / compute_confidences([whole, split], "kpp") == pytest.approx([2, 1.4142136])


def test_every_kind_by_hand():
    given = [phrase([0.5, 0.25, 1.0], words=2), phrase([0.125])]
    by_hand = {
        "kpp-s": [0.125**0.5, 0.125],
        "kpp": [0.5, 0.125],
        "product": [0.125, 0.125],
        "minimum": [0.25, 0.125],
        "first": [0.5, 0.125],
        "mean": [1.75 / 3, 0.125],
        "score": [-1, -1],
    }
    for kind, expected in by_hand.items():
        assert compute_confidences(given, kind) == pytest.approx(expected)
    assert {*by_hand, "probability"} == {kind.value for kind in Confidence}


def test_long_phrases_do_not_underflow_and_probabilities_are_cut_at_the_least():
    assert compute_confidences([phrase([1e-10] * 50, words=50)])[0] == pytest.approx(1e-10)
    assert compute_confidences([phrase([1e-30])])[0] == pytest.approx(1e-12)


def test_a_perplexity_may_stand_alone():
    given = [Keyphrase("x", -1.0, evidence={"kpp": 1.25}), phrase([0.5, 0.5])]
    assert compute_confidences(given, "kpp") == pytest.approx([0.8, 0.5])
    with pytest.raises(BadRecord, match="'x' has no token probabilities"):
        compute_confidences(given, "kpp-s")


@pytest.mark.parametrize("perplexity", [0.0, 0.5, -1.0])
def test_a_perplexity_below_1_is_refused(perplexity):
    with pytest.raises(BadRecord, match=f"perplexity {perplexity:g} of phrase 'x' is below 1"):
        compute_confidences([Keyphrase("x", -1.0, evidence={"kpp": perplexity})], "kpp")


def test_phrases_without_what_is_asked_for_are_refused():
    with pytest.raises(BadRecord, match="has no probability"):
        compute_confidences([phrase([0.5])], "probability")
    with pytest.raises(BadRecord, match="has no token probabilities"):
        compute_confidences([phrase([0.5]), Keyphrase("x", 1.0)])
    with pytest.raises(UnknownName, match="entropy"):
        compute_confidences([], "entropy")


@pytest.mark.parametrize("kind", Confidence)
def test_no_phrases_have_no_confidences(kind):
    assert np.array_equal(compute_confidences([], kind), np.zeros(0))


def test_the_usual_kind_is_the_best_that_all_have():
    plain, perplexity = Keyphrase("x", 1.0), Keyphrase("x", 1.0, evidence={"kpp": 2.0})
    assert choose_confidence([phrase([0.5], probability=0.1)]) == "probability"
    assert choose_confidence([phrase([0.5], probability=0.1), phrase([0.5])]) == "kpp-s"
    assert choose_confidence([phrase([0.5]), perplexity]) == "kpp"
    assert choose_confidence([phrase([0.5]), plain]) == "score"
    assert choose_confidence([]) == "score"
