"""Clusters of phrases with common words, by hand.

Phrases around *of*, turned round by hand.
"""

import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import phrases, tagged

from keywright.core.errors import TooLarge
from keywright.extraction.candidates import grouping as module
from keywright.extraction.candidates.grouping import word_clusters
from keywright.extraction.candidates.ngrams import content_words, ngrams, nouns_and_adjectives, runs, words_and_numbers
from keywright.extraction.systems.uvt import turned_round
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key


def clusters(text: str, farthest: float = 0.74, linkage="average") -> list[int]:
    """Cluster of each run of nouns, in reading order; a comma ends a run."""
    document = tagged(" ".join(word if word == ",/," else f"{word}/NN" for word in text.replace(",", " ,/,").split()))
    found = runs(document, nouns_and_adjectives(document))
    return word_clusters(document, found, farthest, linkage).tolist()


def test_phrases_with_a_third_of_their_words_in_common_are_one_topic():
    """Distances: noise map and street noise 1 - 1/3, either and traffic count 1."""
    assert clusters("noise map, traffic count, street noise") == [0, 1, 0]


def test_forms_of_a_word_are_one_word_and_a_word_twice_counts_once():
    assert clusters("noise maps, map noise noise", 0.0) == [0, 0]


def test_the_farthest_distance():
    """1 - 1/5: one word of five is common."""
    text = "alpha beta gamma, gamma delta epsilon"
    assert clusters(text, 0.79) == [0, 1]
    assert clusters(text, 0.81) == [0, 0]


@pytest.mark.parametrize(
    ("linkage", "expected"), [("single", [0, 0, 0]), ("complete", [0, 0, 1]), ("average", [0, 0, 1])]
)
def test_linkage(linkage, expected):
    """A chain: a b, b c (2/3 apart), c d (2/3 from b c, 1 from a b; 5/6 from both on average).

    The pairs are equally far apart, and *alpha beta* comes first in the alphabet.
    """
    assert clusters("alpha beta, beta gamma, gamma delta", 0.7, linkage) == expected
    assert clusters("alpha beta, beta gamma, gamma delta", 0.84) == [0, 0, 0]


def test_of_pairs_equally_far_apart_the_first_in_the_alphabet_is_put_together():
    assert clusters("gamma delta, beta gamma, alpha beta", 0.7) == [0, 1, 1]


@pytest.mark.parametrize(("text", "expected"), [("", []), ("noise", [0])])
def test_nothing_to_put_together(text, expected):
    assert clusters(text) == expected


def test_more_phrases_than_memory_holds_pairs_of(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    assert clusters("noise map, traffic count, street noise") == [0, 1, 0]
    with pytest.raises(TooLarge, match=r"4 phrases; at most 3 can be clustered; split the document"):
        clusters("noise map, traffic count, street noise, wind")


def both(text: str):
    document = analysed(text)
    found = ngrams(document, 4, content_words, words_and_numbers)
    return document, found, turned_round(found, document)


def test_a_phrase_around_of_counts_as_the_other():
    document, before, after = both("recognition of speeches, speech recognition; recognition of the speech")
    assert phrases(document, before)["recognition of speeches"] == 1
    assert phrases(document, after) == {
        "recognition": 3,
        "recognition of speeches": 2,
        "speeches": 3,
        "recognition of the speech": 1,
    }
    at = after.key.tolist().index(phrase_key("speech recognition"))
    assert [column.tolist() for column in after.occurrences(at)] == [[0, 4], [3, 2]]


def test_the_key_has_the_parts_of_both_words():
    _, _, after = both("quality-control of peer-to-peer")
    assert phrase_key("peer-to-peer quality-control") in after.key.tolist()


def test_other_words_between_turn_nothing():
    _, before, after = both("recognition in speech. state of the art. of speech")
    assert equal(before, after)


def test_an_empty_document():
    assert len(both("")[2]) == 0
