"""Phrases that nest in one another or nearly repeat one another, case by case."""

import re

import pytest

from keywright.core.keyphrases import Acronym, Concept, Keyphrase
from keywright.text.phrase_groups import merge_near_repeats


def phrases(*texts: str, text: str = "") -> list[Keyphrase]:
    """Return keyphrases, best first, with all their mentions in a text."""
    return [
        Keyphrase(each, -place, spans=tuple(match.span() for match in re.finditer(re.escape(each), text)))
        for place, each in enumerate(texts)
    ]


def merged(*texts: str, text: str = "", language: str = "en") -> list[str]:
    return [each.text for each in merge_near_repeats(phrases(*texts, text=text), language)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sensor network", "sensor networks"),
        ("sensor calibration", "calibration of sensors"),
        ("low-cost sensors", "low cost sensor"),
        ("co-location", "colocation"),
        ("database", "data base"),
        ("colour vision", "color vision"),
        ("ionisation", "ionization"),
        ("anaemia", "anemia"),
        ("optical fibre", "optical fiber"),
        ("naïve Bayes", "naive Bayes"),
        ("Grid Computing", "grid computing"),
    ],
)
def test_near_repetitions_are_merged(first, second):
    assert merged(first, second) == [first]
    assert merged(second, first) == [second]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("adsorption", "absorption"),
        ("hypertension", "hypotension"),
        ("contact", "contract"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("IL-6", "IL-8"),
        ("C++", "C#"),
        ("desert", "dessert"),
        ("air quality", "water quality"),
        ("first-order logic", "second-order logic"),
    ],
)
def test_phrases_that_only_look_alike_are_not(first, second):
    assert merged(first, second) == [first, second]


@pytest.mark.parametrize(
    ("leader", "other"),
    [
        ("sensor network", "low-cost sensor networks"),
        ("low-cost sensor networks", "sensor network"),
        ("support vector machine", "linear support vector machines"),
    ],
)
def test_phrases_with_the_same_head_are_merged_whichever_leads(leader, other):
    assert merged(leader, other) == [leader]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("calibration", "sensor calibration"),
        ("sensor", "sensor network"),
        ("sensor network", "calibration of sensor networks"),
        ("sensor network", "sensors and sensor networks"),
        ("New York", "New York Times"),
        ("York", "New York"),
        ("machine learning", "machine learning library"),
        ("deep learning", "deep reinforcement learning"),
    ],
)
def test_other_contained_phrases_are_not_while_the_text_uses_them_alone(first, second):
    text = f"Here is {first}. There is {second}."
    assert merged(first, second, text=text) == [first, second]
    assert merged(second, first, text=text) == [second, first]
    assert merged(first, second) == [first, second], "without mentions nothing is known of their use"


@pytest.mark.parametrize(
    ("short", "long"),
    [("York", "New York"), ("calibration", "sensor calibration"), ("support vector", "support vector machine")],
)
def test_phrases_that_are_only_parts_of_a_longer_one_are_merged(short, long):
    text = f"First {long}, then {long}."
    assert merged(long, short, text=text) == [long]
    assert merged(short, long, text=text) == [short, long], "the longer one says more"


def test_heads_come_first_in_some_languages():
    french = ("réseau de capteurs", "réseau de capteurs sans fil")
    assert merged(*french, language="fr") == list(french)
    assert merged("réseau neuronal", "réseau neuronal convolutif", language="fr") == ["réseau neuronal"]
    english = ("réseau neuronal", "réseau neuronal convolutif")
    assert merged(*english, language="en") == list(english)


def test_both_forms_of_an_acronym_are_merged():
    acronym = Acronym("SVM", "support vector machine")
    pair = [Keyphrase("SVM", 2.0, acronym=acronym), Keyphrase("support vector machine", 1.0, acronym=acronym)]
    assert merge_near_repeats(pair) == (pair[0],)


def test_the_list_is_filled_with_phrases_that_differ():
    listed = phrases("sensor network", "drift", "wireless sensor network", "drifts", "dense sensor networks", "tides")
    assert [each.text for each in merge_near_repeats(listed)] == ["sensor network", "drift", "tides"]
    assert [each.text for each in merge_near_repeats(listed, most=2)] == ["sensor network", "drift"]
    assert merge_near_repeats([]) == ()


def test_phrases_are_compared_with_those_that_stay():
    """The two longer phrases have nothing in common but the phrase that they would both be compared with."""
    listed = ("low-cost sensor network", "sensor network", "dense sensor network")
    assert merged(*listed) == ["low-cost sensor network", "dense sensor network"]


def test_concepts_stay_beside_each_other():
    concept = Concept("http://example.org/1", "sensor network")
    pair = [Keyphrase("wireless sensor network", 2.0), Keyphrase("sensor network", 1.0, concept=concept)]
    assert merge_near_repeats(pair) == tuple(pair)


def test_a_phrase_without_words_has_no_lemma():
    assert merged("++", "stroje", "!=", language="pl") == ["++", "stroje", "!="]


def test_phrases_of_signs_and_other_scripts_are_left_alone():
    assert merged("--", "++") == ["--", "++"]
    assert merged("深層学習", "機械学習", language="ja") == ["深層学習", "機械学習"]


@pytest.mark.parametrize(
    ("first", "second", "language"),
    [
        ("Mozilla", "Mozilli", "pl"),
        ("lidská práva", "lidských práv", "cs"),
        ("правата", "право", "bg"),
        ("ελευθεριών", "ελευθερίας", "el"),
        ("oikeus", "oikeuksien", "fi"),
    ],
)
def test_cases_of_a_word_are_merged(first, second, language):
    assert merged(first, second, language=language) == [first]


@pytest.mark.parametrize(
    ("first", "second", "language"),
    [("kod", "kot", "pl"), ("informatyka", "informacja", "pl"), ("право", "правда", "ru")],
)
def test_other_words_are_not(first, second, language):
    assert merged(first, second, language=language) == [first, second]
