"""Phrases that nest in one another or nearly repeat one another, case by case."""

import re

import pytest

from keywright.core.keyphrases import Acronym, Keyphrase
from keywright.text.phrase_groups import PhraseGroup, phrase_groups


def phrases(*texts: str, text: str = "") -> list[Keyphrase]:
    """Return keyphrases, best first, with all their mentions in a text."""
    return [
        Keyphrase(each, -place, spans=tuple(match.span() for match in re.finditer(re.escape(each), text)))
        for place, each in enumerate(texts)
    ]


def grouped(*texts: str, text: str = "", language: str = "en") -> list[list[str]]:
    groups = phrase_groups(phrases(*texts, text=text), language)
    return [[texts[place] for place in (group.leader, *group.others)] for group in groups]


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
def test_near_repetitions_are_grouped(first, second):
    assert grouped(first, second) == [[first, second]]
    assert grouped(second, first) == [[second, first]]


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
    assert grouped(first, second) == [[first], [second]]


@pytest.mark.parametrize(
    ("leader", "other"),
    [
        ("sensor network", "low-cost sensor networks"),
        ("low-cost sensor networks", "sensor network"),
        ("support vector machine", "linear support vector machines"),
    ],
)
def test_phrases_with_the_same_head_are_grouped_whichever_leads(leader, other):
    assert grouped(leader, other) == [[leader, other]]


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
    assert grouped(first, second, text=text) == [[first], [second]]
    assert grouped(second, first, text=text) == [[second], [first]]
    assert grouped(first, second) == [[first], [second]], "without mentions nothing is known of their use"


@pytest.mark.parametrize(
    ("short", "long"),
    [("York", "New York"), ("calibration", "sensor calibration"), ("support vector", "support vector machine")],
)
def test_phrases_that_are_only_parts_of_a_longer_one_are_grouped(short, long):
    text = f"First {long}, then {long}."
    assert grouped(long, short, text=text) == [[long, short]]
    assert grouped(short, long, text=text) == [[short, long]]


def test_heads_come_first_in_some_languages():
    assert grouped("réseau de capteurs", "réseau de capteurs sans fil", language="fr") == [
        ["réseau de capteurs"],
        ["réseau de capteurs sans fil"],
    ]
    assert grouped("réseau neuronal", "réseau neuronal convolutif", language="fr") == [
        ["réseau neuronal", "réseau neuronal convolutif"]
    ]
    assert grouped("réseau neuronal", "réseau neuronal convolutif", language="en") == [
        ["réseau neuronal"],
        ["réseau neuronal convolutif"],
    ]


def test_both_forms_of_an_acronym_are_grouped():
    acronym = Acronym("SVM", "support vector machine")
    pair = [Keyphrase("SVM", 2.0, acronym=acronym), Keyphrase("support vector machine", 1.0, acronym=acronym)]
    assert phrase_groups(pair) == (PhraseGroup(0, (1,)),)


def test_each_phrase_is_in_one_group_by_rank():
    listed = phrases("sensor network", "drift", "wireless sensor network", "drifts", "dense sensor networks")
    assert phrase_groups(listed) == (PhraseGroup(0, (2, 4)), PhraseGroup(1, (3,)))
    assert phrase_groups([]) == ()


def test_phrases_join_leaders_and_not_other_members():
    """The two longer phrases have nothing in common but the phrase that they would both be compared with."""
    assert grouped("low-cost sensor network", "sensor network", "dense sensor network") == [
        ["low-cost sensor network", "sensor network"],
        ["dense sensor network"],
    ]


def test_phrases_of_signs_and_other_scripts_are_left_alone():
    assert grouped("--", "++") == [["--"], ["++"]]
    assert grouped("深層学習", "機械学習", language="ja") == [["深層学習"], ["機械学習"]]
