"""Maui on small documents, by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed, labelled

from keywright.core.documents import Section, SectionKind
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.systems.maui import Maui
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

SMALL = Maui(least_seen=1, external=False)


EXAMPLES = (labelled("grid map; rain; grid", "grid"), labelled("map; rain", "grid", "map"), labelled("sun", "sun"))
TAUGHT = replace(
    SMALL, collection=LabelledCollection.of(EXAMPLES, lambda document: SMALL.counted_phrases(document).key)
)


def test_candidates():
    document = analysed("The grid of maps. Grid of map; rain")
    longest_first = {"grid", "grid of map", "map"}
    keys = set(map(phrase_key, longest_first))
    assert set(Maui().candidates(document).key.tolist()) == keys
    assert set(replace(Maui(), longest=2).candidates(document).key.tolist()) == keys - {phrase_key("grid of map")}
    assert set(SMALL.candidates(document).key.tolist()) == keys | {phrase_key("rain")}
    listed = analysed("grid. grid.", Section(SectionKind.REFERENCES, 6, 11))
    assert len(Maui().candidates(listed)) == 1
    assert len(replace(Maui(), apparatus=False).candidates(listed)) == 0


def test_features_leave_the_training_document_out():
    """Columns: tf, idf, TF×IDF, first, last, spread, keyphraseness, words. Rows: grid, grid map, map, rain."""
    document = EXAMPLES[0].document
    assert len(document) == 6
    one, half = math.log2(3), math.log2(3 / 2)
    expected = [
        [2 / 6, one, 2 * one, 0, 5 / 6, 5 / 6, 1, 1],
        [1 / 6, one, one, 0, 0, 0, 0, 2],
        [1 / 6, half, half, 1 / 6, 1 / 6, 0, 1, 1],
        [1 / 6, half, half, 3 / 6, 3 / 6, 0, 0, 1],
    ]
    found = TAUGHT.candidates(document)
    assert np.array_equal(found.key, ngrams(document, 3).key)
    assert TAUGHT.features(found, document) == pytest.approx(np.array(expected))


def test_what_is_known_elsewhere():
    document = analysed("neural network")
    found = TAUGHT.candidates(document)
    rows = replace(TAUGHT, external=True).features(found, document)
    at = found.key.tolist().index(phrase_key("neural networks"))
    key = found.key[at : at + 1]
    chosen, there = lexicon("author-keyphrases").of(key)[0], background().of(key)[0]
    assert chosen > 0
    assert rows.shape == (3, 10)
    share = (lexicon("author-keyphrases").documents + 1) / (chosen + 1)
    assert rows[at, 8:] == pytest.approx([chosen / (1 + there), math.log2(share)])


def test_training_finds_frequent_phrases():
    fillers = "run see keep find time place idea thing".split()
    topics = "grid market,wind screen,noise map,rain garden,storm water,peer group".split(",")
    examples = [
        labelled(", ".join([topic, fillers[at], topic, *fillers[at:], topic, *fillers[:at], topics[at - 1]]), topic)
        for at, topic in enumerate(topics)
    ]
    system = replace(SMALL, share=0.9)
    fitted = system.fit(examples)
    assert equal(fitted.model.text, system.fit(examples).model.text)
    assert system.model is None
    for example in examples:
        assert example.gold[0].forms[0] in fitted.extract(example.document).prediction().texts[:3]
    scores = [keyphrase.score for keyphrase in fitted.extract(examples[0].document).prediction().keyphrases]
    assert max(scores) <= 1
    assert min(scores) >= 0
