"""Phrases beside skill types: *protocol*, *analysis*, *method* are some, *auction* and *bidder* none."""

import pytest
from tests.unit.candidates.tagging import phrases, tagged

from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.words import beside_skill_type, skill_types, word_and_plurals


def beside(text: str, *, heads: bool = False) -> dict[str, int]:
    """Noun phrases with mentions beside a skill type, and how many these are."""
    document = tagged(text)
    found = tag_phrases(document, "[JNG]*N", 4)
    mentions = beside_skill_type(found, document, heads=heads)
    names = list(phrases(document, found))
    counts = {name: int((found.owner[mentions] == index).sum()) for index, name in enumerate(names)}
    return {name: count for name, count in counts.items() if count}


def test_there_are_81_distinct_nouns():
    assert len(set(skill_types())) == len(skill_types()) == 81
    assert {"analysis", "algorithm", "method", "protocol"} <= set(skill_types())
    assert not {"auction", "bidder", "set"} & set(skill_types())


@pytest.mark.parametrize(
    ("word", "plural"),
    [("method", "methods"), ("process", "processes"), ("theory", "theories"), ("analysis", "analyses")],
)
def test_regular_plurals(word, plural):
    assert plural in word_and_plurals(word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auction/NN protocol/NN", {"auction": 1}),
        ("auction/NN Protocols/NNS", {"auction": 1}),
        ("fast/JJ auction/NN protocol/NN", {"fast auction": 1}),  # the whole run, not "auction"
        ("fast/JJ protocol/NN", {}),  # "fast" is no noun phrase
        ("auction/NN of/IN protocol/NN", {}),
        ("protocol/NN of/IN auctions/NNS", {"auctions": 1}),
        ("analysis/NN for/IN the/DT fast/JJ auction/NN", {"fast auction": 1}),
        ("method/NN in/IN auctions/NNS", {"auctions": 1}),
        ("method/NN with/IN auctions/NNS", {}),
        ("method/NN of/IN the/DT the/DT auction/NN", {}),
        ("auction/NN | protocol/NN", {}),  # not across sentences
        ("analysis/NN | of/IN auction/NN", {}),
        ("auction/NN process/VB", {}),  # a skill type is a noun
        ("auction/NN protocol/NN | auction/NN | protocol/NN of/IN auctions/NNS", {"auction": 2}),
        ("auction/NN protocol/NN analysis/NN", {"auction": 1, "auction protocol": 1}),  # beside either
        ("auction/NN", {}),
    ],
)
def test_beside(text, expected):
    assert beside(text) == expected


def test_heads():
    """*protocol* alone stands beside nothing; a phrase that ends in it does."""
    assert beside("auction/NN protocol/NN", heads=True) == {"auction": 1, "auction protocol": 1}


def test_an_empty_document():
    document = tagged("")
    found = tag_phrases(document, "N", 4)
    assert beside_skill_type(found, document).tolist() == []
