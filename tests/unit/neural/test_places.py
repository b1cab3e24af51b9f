"""Places of generated phrases in a text: windows joined, marks left out, apostrophes, titles."""

from tests.builders import document

import keywright as kw
from keywright.core.keyphrases import Generation
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.generation import Places, join_keyphrases


def phrase(text: str, *values: float) -> GeneratedPhrase:
    words = tuple(text.split())
    return GeneratedPhrase(words, Generation(words, values or (-0.5,) * len(words), words=len(words)))


def test_phrases_of_windows_are_joined_by_stems_and_ordered_by_confidence():
    text = "Lake ice melts. Lakes are cold. Ice drifts."
    places = Places(document(text))
    phrases = [
        [phrase("lake ice", -1, -1), phrase("melt", -0.5)],
        [phrase("cold lakes", -0.2, -0.2), phrase("lakes ice", -0.1, -0.1)],
    ]
    first, second, third = join_keyphrases(text, places, phrases, by_confidence=False)
    assert (first.text, first.spans, first.generation.tokens) == ("Lake ice", ((0, 8),), ("lakes", "ice"))
    assert (second.text, second.spans) == ("cold lakes", ())
    assert (third.text, third.spans) == ("melts", ((9, 14),))


def test_marks_and_signs_are_not_keyphrases():
    text = "Lake ice melts."
    places = Places(document(text))
    phrases = [phrase("<unk> ice"), phrase("lake , ice"), phrase("ice"), phrase("ice")]
    assert [each.text for each in join_keyphrases(text, places, [phrases], by_confidence=False)] == ["ice"]


def test_a_phrase_is_found_whether_it_was_written_with_the_apostrophe_of_the_text_or_without():
    text = "The students' survey of Alzheimer's disease, and of Parkinson’s disease."
    places = Places(document(text))
    phrases = [phrase(each) for each in ("alzheimer s disease", "parkinson s disease", "student survey", "' '")]
    shown = [each.text for each in join_keyphrases(text, places, [phrases], by_confidence=False)]
    assert shown == ["Alzheimer's disease", "Parkinson’s disease", "students' survey"]
    twice = [phrase("alzheimer s disease", -2, -2, -2), phrase("alzheimer ' s disease", -1, -1, -1, -1)]
    (keyphrase,) = join_keyphrases(text, places, [twice], by_confidence=False)
    assert (keyphrase.text, len(keyphrase.generation.tokens)) == ("Alzheimer's disease", 4)


def test_a_phrase_does_not_reach_over_the_end_of_a_title():
    text = "Lake ice\n\nAbstract\nMelts are fast, ice melts."
    places = Places(kw.document(text))
    (keyphrase,) = join_keyphrases(text, places, [[phrase("ice melts")]], by_confidence=False)
    assert [text[start:end] for start, end in keyphrase.spans] == ["ice melts"]
