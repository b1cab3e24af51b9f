"""KEA on small documents, by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed, labelled

from keywright.core.documents import AnalysedDocument, Section, SectionKind
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.systems.kea import Kea
from keywright.testing.promises import equal


def texts(system: Kea, document: AnalysedDocument) -> set[str]:
    found = system.candidates(document)
    ends = document.end[found.first + found.length - 1]
    return {document.source.text[a:b] for a, b in zip(document.start[found.first], ends, strict=True)}


EXAMPLES = (
    labelled("grid market; grid market; noise", "grid market"),
    labelled("grid map; rain", "grid", "rain"),
    labelled("market map; noise map", "grid market", "map"),
)
ALL = Kea(least_seen=1)
TAUGHT = replace(ALL, collection=LabelledCollection.of(EXAMPLES, lambda document: ALL.counted_phrases(document).key))
# One interval for each of two features: all candidates have the odds of the prior.
BLIND = DiscretisedNaiveBayes(np.zeros(0), np.zeros(3, np.int64), np.zeros(2), np.array([-1.5]))


def test_candidates():
    document = analysed("The grid of markets and grid of market. Adam sees DNS. Adam grid.")
    assert texts(Kea(), document) == {"grid", "grid of markets", "markets"}
    assert texts(replace(Kea(), proper_names=True), document) == {"grid", "grid of markets", "markets", "Adam"}
    # two words may be a name, and an acronym is none
    more = texts(ALL, document)
    assert {"DNS", "Adam grid", "Adam sees", "sees"} <= more
    assert "Adam" not in more
    assert "grid of markets" not in texts(replace(Kea(), longest=2), document)


def test_mentions_outside_of_the_running_text():
    document = analysed("grid map. grid map.", Section(SectionKind.REFERENCES, 10, 19))
    assert texts(Kea(), document) == set()
    assert texts(replace(Kea(), apparatus=True), document) == {"grid", "grid map", "map"}


def test_features_leave_the_training_document_out():
    document = EXAMPLES[0].document  # grid, grid market, market, noise; two documents elsewhere
    rows = TAUGHT.features(TAUGHT.candidates(document), document)
    expected = [
        [2 / 7 * math.log2(3 / 2), 0],
        [2 / 7 * math.log2(3), 0],
        [2 / 7 * math.log2(3 / 2), 1 / 7],
        [1 / 7 * math.log2(3 / 2), 6 / 7],
    ]
    assert len(document) == 7
    assert rows == pytest.approx(np.array(expected))
    third = replace(TAUGHT, keyphraseness=True).features(TAUGHT.candidates(document), document)[:, 2]
    assert third.tolist() == [1, 1, 0, 0]


def test_features_of_another_document():
    document = analysed("rain; grid grid")
    rows = TAUGHT.features(TAUGHT.candidates(document), document)  # rain, grid, grid grid
    expected = [[1 / 4 * math.log2(4 / 2), 0], [2 / 4 * math.log2(4 / 3), 2 / 4], [1 / 4 * math.log2(4 / 1), 2 / 4]]
    assert rows == pytest.approx(np.array(expected))


def test_equal_odds_go_by_tfidf_and_parts_go():
    document = analysed("grid market, grid market; rain, noise, noise")
    # rarity: grid, market and noise log2(4/3), grid market and rain log2(4/2)
    system = replace(TAUGHT, model=BLIND, nested=True)
    prediction = system.extract(document).prediction(explain=True)
    assert prediction.texts == ("grid market", "rain", "grid", "market", "noise")
    assert [keyphrase.score for keyphrase in prediction.keyphrases] == [-1.5] * 5
    assert prediction.keyphrases[1].evidence == pytest.approx({"tfidf": 1 / 11, "first mention": 6 / 11})
    assert replace(system, nested=False).extract(document).prediction(explain=True).texts == (
        "grid market",
        "rain",
        "noise",
    )


def test_a_part_that_is_better_stays():
    document = analysed("rain map, rain, rain, map")
    assert replace(TAUGHT, model=BLIND).extract(document).prediction(explain=True).texts == ("rain", "rain map")


def test_training_finds_frequent_early_phrases():
    fillers = "run see keep find time place idea thing".split()
    topics = "grid market,wind screen,noise map,rain garden,storm water,peer group".split(",")
    examples = [
        labelled(", ".join([topic, fillers[at], topic, *fillers[at:], topic, *fillers[:at], topics[at - 1]]), topic)
        for at, topic in enumerate(topics)
    ]
    fitted = ALL.fit(examples)
    assert equal(fitted, ALL.fit(examples))
    assert ALL.model is None
    for example in examples:
        assert example.gold[0].forms[0] in fitted.extract(example.document).prediction(explain=True).texts[:3]
