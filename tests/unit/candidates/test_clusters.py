"""Clusters of phrases with common words, by hand."""

import pytest
from tests.unit.candidates.tagging import tagged

from keywright.core.errors import TooLarge
from keywright.extraction.candidates import grouping as module
from keywright.extraction.candidates.grouping import word_clusters
from keywright.extraction.candidates.ngrams import nouns_and_adjectives, runs


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
