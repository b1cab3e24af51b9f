"""TopicalPageRank with topics set by hand: without edges (window 1) a word has what its walks jump to it."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.core.errors import NeedsUnmet, NotFitted
from keywright.extraction.learners.topic_model import TopicModel
from keywright.extraction.systems.topicalpagerank import TopicalPageRank
from keywright.testing.promises import NOTE, equal
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key


def model(words: dict[str, tuple[float, ...]], overall: tuple[float, ...] = (0.5, 0.5)) -> TopicModel:
    """P(word | topic), a word's for each topic."""
    by_key = sorted((phrase_key(word), given) for word, given in words.items())
    keys = np.array([key for key, _ in by_key], np.uint64)
    return TopicModel(keys, np.array([given for _, given in by_key]).T, np.array(overall))


MODEL = model({"grid": (0.6, 0.0), "market": (0.4, 0.4), "job": (0.0, 0.6)})
SYSTEM = TopicalPageRank(window=1, model=MODEL)


def scores(system: TopicalPageRank, document: AnalysedDocument) -> dict[str, float]:
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in system.extract(document).prediction().keyphrases}


def test_one_walk_jumps_by_the_cosine_of_word_and_document():
    """Words tell shares of 3/4 and 1/4; cosines 3 : (3 + 1) / √2 : 1, over √10."""
    document = tagged("grid/NN ,/, grid/NN ,/, grids/NNS ,/, market/NN ,/, job/NN")
    total = 3 + 4 / 2**0.5 + 1
    found = scores(SYSTEM, document)
    assert found == pytest.approx({"grid": 3 / total, "market": 4 / 2**0.5 / total, "job": 1 / total}, abs=1e-6)


def test_each_topic_may_have_its_walk():
    """P(topic | word) is 1, 0 for *grid*, 0, 1 for *job*, 1/2 each for *market*."""
    document = tagged("grid/NN ,/, grid/NN ,/, grids/NNS ,/, market/NN ,/, job/NN")
    found = scores(replace(SYSTEM, walks="each"), document)
    assert found == pytest.approx({"grid": 0.75 / 1.5, "market": 0.5 / 1.5, "job": 0.25 / 1.5}, abs=1e-6)


def test_more_of_a_topic_in_the_collection_makes_its_words_more_its_own():
    """P(first | market) = .4 · .8 / (.4 · .8 + .4 · .2) = .8, and the document has the first topic only."""
    document = tagged("grid/NN ,/, market/NN")
    found = scores(replace(SYSTEM, walks="each", model=replace(MODEL, overall=np.array([0.8, 0.2]))), document)
    assert found == pytest.approx({"grid": 1 / 1.8, "market": 0.8 / 1.8}, abs=1e-6)


def test_unknown_words_count_as_the_least_of_the_known():
    document = tagged("grid/NN ,/, market/NN ,/, tides/NNS")
    least = 1 / 2**0.5
    found = scores(SYSTEM, document)
    assert found == pytest.approx(
        {w: c / (1 + 2 * least) for w, c in zip(found, (1, least, least), strict=True)}, abs=1e-6
    )
    assert scores(SYSTEM, tagged("tides/NNS ,/, moons/NNS")) == pytest.approx({"tides": 0.5, "moons": 0.5})


def test_phrases_are_adjectives_and_nouns_by_the_sum_of_their_words():
    document = tagged("free/JJ market/NN ,/, grid/NN free/JJ")
    found = scores(SYSTEM, document)
    assert set(found) == {"free market", "grid"}
    assert found["free market"] == pytest.approx(2 * found["grid"] / 2**0.5, abs=1e-6)


EXAMPLES = [
    LabelledDocument(tagged("grid/NN jobs/NNS grid/NN jobs/NNS"), ()),
    LabelledDocument(tagged("sea/NN tides/NNS of/IN seas/NNS"), ()),
]


def test_training_looks_at_no_gold():
    fitted = TopicalPageRank(topics=2).fit(EXAMPLES)
    assert fitted.model is not None
    assert set(fitted.model.keys.tolist()) == {phrase_key(word) for word in ("grid", "job", "sea", "tide")}
    labelled = [replace(one, gold=(GoldKeyphrase(("tides",), "author"),)) for one in EXAMPLES]
    assert equal(TopicalPageRank(topics=2).fit(labelled), fitted)


def test_untrained_and_without_tags_and_empty():
    with pytest.raises(NotFitted, match="topicalpagerank"):
        TopicalPageRank().extract(tagged("grid/NN")).prediction()
    with pytest.raises(NeedsUnmet):
        SYSTEM.extract(TextAnalyser().analyse(NOTE)).prediction()
    assert scores(SYSTEM, tagged("")) == {}
    assert scores(SYSTEM, tagged("of/IN")) == {}
