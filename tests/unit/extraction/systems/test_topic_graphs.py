"""TopicRank and MultipartiteRank on small documents, by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument
from keywright.core.errors import NeedsUnmet
from keywright.core.interfaces import Extractor
from keywright.extraction.features.functions.centrality import pagerank
from keywright.extraction.systems.multipartiterank import MultipartiteRank
from keywright.extraction.systems.topicrank import TopicRank
from keywright.testing.promises import NOTE
from keywright.text.analyser import TextAnalyser

DOCUMENT = tagged("noise/NN maps/NNS ,/, ride/NN ,/, maps/NNS of/IN wind/NN ,/, maps/NNS")
"""Phrases: noise maps at 0, ride at 3, maps at 5 and 9, wind at 7. Topics: maps (noise maps, maps), ride, wind."""


def scores(system: Extractor, document: AnalysedDocument = DOCUMENT) -> dict[str, float]:
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in system.extract(document).prediction().keyphrases}


def ranks(matrix: list[list[float]], names: str) -> dict[str, float]:
    return dict(zip(names.split(","), pagerank(np.array(matrix)).tolist(), strict=True))


MAPS_RIDE = 1 / 3 + 1 / 2 + 1 / 6
MAPS_WIND = 1 / 7 + 1 / 2 + 1 / 2
RIDE_WIND = 1 / 4


def test_topics_by_the_nearness_of_their_mentions():
    expected = ranks(
        [[0, MAPS_RIDE, MAPS_WIND], [MAPS_RIDE, 0, RIDE_WIND], [MAPS_WIND, RIDE_WIND, 0]], "noise maps,ride,wind"
    )
    assert scores(TopicRank()) == pytest.approx(expected)


def test_distances_may_begin_at_the_end():
    """Only *noise maps* is longer than one word: 2 to *ride*, 6 to *wind*."""
    ride, wind = 1 / 2 + 1 / 2 + 1 / 6, 1 / 6 + 1 / 2 + 1 / 2
    expected = ranks([[0, ride, wind], [ride, 0, 1 / 4], [wind, 1 / 4, 0]], "noise maps,ride,wind")
    assert scores(TopicRank(from_ends=True)) == pytest.approx(expected)


def test_a_topic_may_be_named_by_its_most_frequent_phrase():
    assert set(scores(TopicRank(naming="frequent"))) == {"maps", "ride", "wind"}
    tie = tagged("noise/NN maps/NNS ,/, ride/NN ,/, maps/NNS")
    assert set(scores(TopicRank(naming="frequent"), tie)) == {"noise maps", "ride"}


def test_how_far_phrases_of_a_topic_may_be_apart():
    assert set(scores(TopicRank(farthest=0.4))) == {"noise maps", "ride", "maps", "wind"}


EDGES = {"nr": 1 / 3, "nw": 1 / 7, "mr": 1 / 2 + 1 / 6, "mw": 1 / 2 + 1 / 2, "rw": 1 / 4}


def multipartite(alpha: float) -> dict[str, float]:
    """Order: noise maps, ride, maps, wind. Into *noise maps* goes alpha e of what goes into *maps* as well."""
    e = EDGES
    more = alpha * math.exp(1 / 1)
    into_first = {"r": e["nr"] + more * e["mr"], "w": e["nw"] + more * e["mw"]}
    rows = [
        [0, e["nr"], 0, e["nw"]],
        [into_first["r"], 0, e["mr"], e["rw"]],
        [0, e["mr"], 0, e["mw"]],
        [into_first["w"], e["rw"], e["mw"], 0],
    ]
    return ranks(rows, "noise maps,ride,maps,wind")


@pytest.mark.parametrize("alpha", [0.0, 1.1, 2.0])
def test_phrases_of_other_topics_recommend_the_first_of_a_topic_more(alpha):
    assert scores(MultipartiteRank(alpha=alpha)) == pytest.approx(multipartite(alpha))


def test_the_later_a_topic_begins_the_less_its_first_phrase_is_favoured():
    """The same behind two words: e^(1/3) in place of e."""
    later = tagged("of/IN the/DT noise/NN maps/NNS ,/, ride/NN ,/, maps/NNS of/IN wind/NN ,/, maps/NNS")
    alpha = 1.1 * math.exp(1 / 3) / math.exp(1)
    assert scores(MultipartiteRank(), later) == pytest.approx(multipartite(alpha))


def test_distances_of_phrases_may_begin_at_the_end(monkeypatch):
    monkeypatch.setitem(EDGES, "nr", 1 / 2)
    monkeypatch.setitem(EDGES, "nw", 1 / 6)
    assert scores(MultipartiteRank(from_ends=True)) == pytest.approx(multipartite(1.1))


@pytest.mark.parametrize("system", [TopicRank(), MultipartiteRank()], ids=lambda each: each.name)
def test_few_phrases_and_no_tags(system):
    assert scores(system, tagged("")) == {}
    assert scores(system, tagged("tides/NNS rise/VBP")) == {"tides": 1}
    assert scores(system, tagged("tides/NNS ,/, tide/NN")) == {"tides": 1}
    one_topic = scores(system, tagged("tides/NNS ,/, high/JJ tides/NNS"))
    assert sum(one_topic.values()) == pytest.approx(1)
    assert scores(replace(system, damping=0.0)) == pytest.approx(dict.fromkeys(scores(system), 1 / len(scores(system))))
    with pytest.raises(NeedsUnmet):
        system.extract(TextAnalyser().analyse(NOTE)).prediction()
