"""Features by hand, against counting one by one, and of no candidates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.errors import UnknownName
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.features.functions.mentions import first_mention
from keywright.extraction.features.functions.nestedness import mentions_inside
from keywright.extraction.features.functions.words import acronym_share, holds_stop_word
from keywright.extraction.ranking.trained import chosen_columns
from keywright.text.keys import phrase_key

WORDS = st.lists(st.sampled_from("deep neural network net . of grid-grid grid".split()), max_size=25)


def value(column: np.ndarray, found: Candidates, phrase: str) -> float:
    assert column.shape == (len(found),)
    return float(column[found.key.tolist().index(phrase_key(phrase))])


def test_mentions_inside_longer_phrases():
    found = ngrams(analysed("deep neural network. A neural network. The neural net. Deep learning."), 3)
    inside = mentions_inside(found)
    expected = {
        "neural": 2,  # in "neural network" twice, in "deep neural" once, in "neural net" once
        "network": 2,
        "deep": 1,
        "neural network": 1,
        "deep neural network": 0,
        "net": 1,
        "learning": 1,
    }
    assert {name: value(inside, found, name) for name in expected} == expected


def test_a_mention_at_the_very_start_and_the_very_end():
    found = ngrams(analysed("grid market"), 2)
    inside = mentions_inside(found)
    assert [value(inside, found, name) for name in ("grid", "market", "grid market")] == [1, 1, 0]


@given(WORDS, st.integers(1, 4))
def test_mentions_inside_are_those_found_one_by_one(words, longest):
    found = ngrams(analysed(" ".join(words)), longest, content_words, content_words_and_connectors)
    places = {
        (int(position), int(width)): at
        for at in range(len(found))
        for position, width in zip(*found.occurrences(at), strict=True)
    }
    longer = [
        [
            int(found.frequency[places[around]])
            for position, width in zip(*found.occurrences(at), strict=True)
            for around in ((int(position), int(width) + 1), (int(position) - 1, int(width) + 1))
            if around in places
        ]
        for at in range(len(found))
    ]
    assert mentions_inside(found).tolist() == [max(frequencies, default=0) for frequencies in longer]


def test_share_of_mentions_written_as_acronyms():
    document = analysed("The DNS and dns. DNS-based HyARM. A Grid. MP3s DNS")
    found = ngrams(document, 2)
    share = acronym_share(found, document)
    expected = {"dns": 2 / 3, "hyarm": 1, "grid": 0, "mp3s": 1, "mp3s dns": 0}
    assert {name: value(share, found, name) for name in expected} == pytest.approx(expected)


def test_phrases_around_a_stop_word():
    document = analysed("quality of service grids")
    found = ngrams(document, 4, content_words, content_words_and_connectors)
    holds = holds_stop_word(found, document)
    expected = {"quality": 0, "service grids": 0, "quality of service": 1, "quality of service grids": 1}
    assert {name: value(holds, found, name) for name in expected} == expected


def test_place_of_the_first_mention():
    document = analysed("grid of markets . grid")
    found = ngrams(document, 1)
    assert first_mention(found, document).tolist() == [0, 2 / 5]


def test_no_candidates_give_no_numbers():
    document = analysed("")
    none = ngrams(document, 3)
    columns = (
        mentions_inside(none),
        acronym_share(none, document),
        holds_stop_word(none, document),
        first_mention(none, document),
    )
    assert [column.shape for column in columns] == [(0,)] * len(columns)


def test_features_can_be_left_out_by_name():
    columns = {"tfidf": 1, "first": 2, "words": 3}
    assert list(chosen_columns(columns, ("first",), "humb").items()) == [("tfidf", 1), ("words", 3)]
    assert chosen_columns(columns, (), "humb") == columns
    with pytest.raises(UnknownName, match=r"no feature of humb called 'frist'; did you mean 'first'"):
        chosen_columns(columns, ("frist",), "humb")
