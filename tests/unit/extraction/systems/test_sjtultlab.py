"""SJTULTLAB on hand-tagged text: its chunks, KEA's list, and what the list makes of the chunks.

The list is that of a classifier that has learnt nothing: all of KEA's candidates are alike to it, so TF×IDF orders
them, and as no training document holds any of them, their mentions do.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import phrases, tagged

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.systems.sjtultlab import SJTULTLAB
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

ELSEWHERE = LabelledDocument(tagged("rain/NN"), ())
BLIND = SJTULTLAB(
    least_seen=2,
    order="best",
    collection=LabelledCollection.of([ELSEWHERE], lambda _: np.zeros(0, np.uint64)),
    model=DiscretisedNaiveBayes(np.zeros(0), np.zeros(3, np.int64), np.zeros(2), np.array([-1.0])),
)
TEXT = """grid/NN market/NN ,/, grid/NN market/NN ,/, grid/NN market/NN ,/, grid/NN ,/, market/NN ,/, market/NN ,/,
    map/NN market/NN ,/, map/NN market/NN ,/, map/NN ,/, noise/NN ,/, noise/NN ,/, thing/NN"""


def chunks(text: str, *sections: Section, **options: int) -> dict[str, int]:
    document = tagged(text, *sections)
    return phrases(document, replace(SJTULTLAB(), **options).chunks(document))


def scores(system: SJTULTLAB, document: AnalysedDocument | None = None) -> dict[str, float]:
    found = system.extract(tagged(TEXT) if document is None else document).prediction().keyphrases
    return {keyphrase.text: keyphrase.score for keyphrase in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fast/JJ grid/NN markets/NNS", {"fast grid markets"}),
        ("trading/VBG grid/NN", {"trading grid"}),
        ("the/DT other/JJ grid/NN", {"grid"}),
        ("our/PRP$ 3/CD grids/NNS", {"grids"}),
        ("grid/NN of/IN markets/NNS", {"grid", "markets"}),
        ("fast/JJ", set()),
        ("grid/NN fast/JJ", {"grid"}),
        ("big/JJ fast/JJ blue/JJ noise/NN grid/NN", set()),
        ("big/JJ fast/JJ noise/NN grid/NN", {"big fast noise grid"}),
    ],
)
def test_chunks(text, expected):
    assert set(chunks(text, least_seen=1)) == expected


def test_chunks_must_be_seen_often_or_stand_in_front():
    title, references = Section(SectionKind.TITLE, 0, 5), Section(SectionKind.REFERENCES, 15, 24)
    text = "Noise/NN | grid/NN ,/, grid/NN ,/, rain/NN"
    assert chunks(text, title, least_seen=2) == {"noise": 1, "grid": 2}
    assert chunks(text, title, in_front=False, least_seen=2) == {"grid": 2}
    assert chunks(text, title, least_seen=3) == chunks(text, title) == {"noise": 1}
    assert chunks(text, Section(SectionKind.ABSTRACT, 0, 5), least_seen=2) == {"noise": 1, "grid": 2}
    assert chunks(text, references, least_seen=1) == {"noise": 1, "grid": 1}


def test_candidates_of_kea_are_seen_twice_and_no_names():
    document = tagged("Adam/NNP and/CC grid/NN ;/: Adam/NNP ;/: grid/NN map/NN ;/: grid/NN map/NN ;/: rain/NN")
    expected = {phrase_key(name) for name in ("grid", "grid map", "map")}
    assert set(SJTULTLAB().candidates(document).key.tolist()) == expected


def test_kea_lists_what_is_frequent_without_parts_of_better_phrases():
    """*market* has 7 mentions, *grid* 4, *grid market* and later *map* 3, *map market* and later *noise* 2.

    *rain* is no more frequent than *blue rain* and begins later, so it is a part of a better one.
    """
    document = tagged(TEXT)
    names = ["market", "grid", "grid market", "map", "map market", "noise"]
    assert BLIND.best(document).tolist() == [phrase_key(name) for name in names]
    rainy = tagged("blue/NN rain/NN ,/, blue/NN ,/, blue/NN rain/NN")
    assert BLIND.best(rainy).tolist() == [phrase_key("blue"), phrase_key("blue rain")]
    assert BLIND.best(document).tolist()[:2] == replace(BLIND, keywords=2).best(document).tolist()


def test_a_chunk_stands_where_its_best_keyword_stands():
    """*market* is the first of thirty. Chunks that hold it: *grid market* 3, *market* 2, *map market* 2 mentions."""
    expected = {"grid market": 30, "market": 30, "map market": 30, "grid": 29, "map": 27, "noise": 25}
    assert list(scores(replace(BLIND, least_seen=1)).items()) == [*expected.items(), ("thing", 0)]
    assert "thing" not in scores(BLIND)


def test_chunks_by_all_keywords_in_them():
    """*grid market*: *market* 30/2, *grid* 29/2, itself 28. *map market*: 30/2, *map* 27/2, itself 26."""
    found = scores(replace(BLIND, least_seen=1, order="sum"))
    expected = {"grid market": 57.5, "map market": 54.5, "market": 30, "grid": 29, "map": 27, "noise": 25, "thing": 0}
    assert list(found.items()) == list(expected.items())


def test_fewer_keywords():
    assert scores(replace(BLIND, keywords=1)) == {"grid market": 1, "market": 1, "map market": 1, "noise": 0}


def test_an_empty_document_gives_nothing():
    assert BLIND.extract(tagged("")).prediction().keyphrases == ()


def test_training_is_that_of_kea():
    """In each paper its topic is mentioned four times, what is no keyphrase twice."""
    topics, fillers = ("grid/NN", "noise/NN", "storm/NN"), ("idea/NN", "place/NN", "thing/NN")
    papers = []
    for number in range(9):
        topic = topics[number % 3]
        text = " ,/, ".join([topic, *fillers[number // 3 :], topic, topic, topic, *fillers])
        gold = GoldKeyphrase((topic.replace("/NN", ""),), "author")
        papers.append(LabelledDocument(tagged(text), (gold,)))
    fitted = SJTULTLAB(least_seen=2).fit(papers)
    assert equal(fitted, SJTULTLAB(least_seen=2).fit(papers))
    for paper in papers:
        assert fitted.best(paper.document)[0] == phrase_key(paper.gold[0].forms[0])
        assert fitted.extract(paper.document).prediction().texts[0] == paper.gold[0].forms[0]
