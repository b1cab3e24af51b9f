"""Phrases of a vocabulary in a text."""

from tests.builders import analysed

from keywright.candidates.ngrams import mentions_of
from keywright.ranking.rank import spans_of
from keywright.text.keys import phrase_key

TEXT = "Quality of service matters. Peer-to-peer networks, quality. Of service! Peer to peer network; IL-6, C++, 2020."


def found(*phrases: str, text=TEXT, longest=5):
    document = analysed(text)
    candidates = mentions_of(document, set(map(phrase_key, phrases)), longest)
    return [
        [text[start:end] for start, end in spans_of(document, candidates, index)] for index in range(len(candidates))
    ]


def test_stems_hyphens_and_stop_words_do_not_matter():
    assert found("qualities of services", "peer-to-peer network") == [
        ["Quality of service"],
        ["Peer-to-peer networks", "Peer to peer network"],
    ]


def test_odd_terms_and_numbers_are_words():
    assert found("IL-6", "C++", "2020", "C") == [["IL-6"], ["C++"], ["2020"]]


def test_no_phrase_crosses_a_sign_or_is_longer_than_allowed():
    assert found("networks quality", "matters peer") == []
    assert found("quality of service", longest=2) == []


def test_nothing_in_nothing():
    assert found("quality", text="") == []
    assert found() == []
