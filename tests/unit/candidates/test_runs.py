"""Runs of allowed tokens, by hand."""

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.candidates.tagging import tagged

from keywright.extraction.candidates.ngrams import ngrams, nouns_and_adjectives, runs
from keywright.extraction.candidates.words import content_words
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key


def found(text: str) -> list[tuple[int, int, int, int]]:
    document = analysed(text)
    these = runs(document, content_words(document))
    return list(
        zip(these.key.tolist(), these.first.tolist(), these.length.tolist(), these.frequency.tolist(), strict=True)
    )


def test_runs_end_at_what_is_not_allowed_and_at_sentences():
    text = "Neural networks, grid of neural network. Grids\n\npeer-to-peer networks"
    assert found(text) == [
        (phrase_key("neural network"), 0, 2, 2),
        (phrase_key("grid"), 3, 1, 2),
        (phrase_key("peer to peer network"), 9, 2, 1),
    ]


def test_runs_are_as_long_as_they_get():
    text = " ".join(["tide"] * 40)
    assert found(text) == [(phrase_key(text), 0, 40, 1)]


def test_runs_are_grouped_as_ngrams_are():
    document = analysed("grid market, grid markets; neural grid market")
    assert equal(
        runs(document, content_words(document)).where(np.array([True, False])),
        ngrams(analysed("grid market, grid markets"), 2).where(np.array([False, True, False])),
    )


@pytest.mark.parametrize("text", ["", "of the and"])
def test_nothing_allowed(text: str):
    assert found(text) == []


def test_nouns_and_adjectives():
    document = tagged("deep/JJ nets/NNS learn/VBP the/DT best/JJS HyARM/NNP ,/, 3/NN x/NN trained/VBN")
    assert nouns_and_adjectives(document).tolist() == [True, True, False, False, True, True] + [False] * 4
