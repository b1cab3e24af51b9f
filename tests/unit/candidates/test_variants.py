"""Phrases around *of*, turned round by hand."""

from tests.builders import analysed
from tests.unit.candidates.tagging import phrases

from keywright.extraction.candidates.grouping import turned_round
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.words import content_words, words_and_numbers
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key


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
