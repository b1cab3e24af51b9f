"""Nominal groups of small texts, by hand."""

import pytest
from tests.builders import analysed
from tests.unit.candidates.tagging import phrases

from keywright.extraction.candidates.patterns import nominal_groups, word_classes
from keywright.text.keys import phrase_key


def groups(text: str, **options: bool | int) -> set[str]:
    document = analysed(text)
    return set(phrases(document, nominal_groups(document, **options)))


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("peer grid IL-6", "NNN"),
        ("global dangerous adaptive scalable visible automatic successful wireless stationary", "J" * 9),
        ("goal signal table topic library families globals settings strings", "N" * 9),
        ("distributed routing string speed", "EGNN"),
        ("quickly family optimize optimizes classify classified exercise", "XNXXXXN"),
        ("quality of the market's prices and of agents", "NODNPNAON"),
        ("The market of 12 x", "XNOXX"),
        ("market . of", "NXO"),
        ("of. The market", "OXXN"),
        ("We propose agents", "XXN"),
        ("It can improve. To process networks", "XXXXXXN"),
        ("To networks", "XN"),
    ],
)
def test_classes_of_words(text, classes):
    assert word_classes(analysed(text)) == classes


def test_nouns_with_their_modifiers():
    found = groups("We propose the distributed grid market for static data mining, and quickly improved")
    assert found == {"distributed grid market", "static data mining"}


def test_groups_of_and_possessors():
    assert groups("quality of service") == {"quality", "service", "quality of service"}
    assert groups("the market's price") == {"market", "price", "market's price"}


def test_a_determiner_behind_of_is_no_part_of_the_name():
    document = analysed("Quality of the services. The quality of service")
    found = nominal_groups(document)
    at = found.key.tolist().index(phrase_key("quality of service"))
    assert found.frequency[at] == 2
    assert found.occurrences(at)[1].tolist() == [4, 3]


def test_coordinated_modifiers():
    assert groups("static and dynamic analysis") == {"dynamic analysis", "static and dynamic analysis"}
    assert groups("agents and markets") == {"agents", "markets"}
    assert groups("agents and distributed markets") == {"agents", "distributed markets"}
    assert groups("voice or data networks") == {"voice", "data networks", "voice or data networks"}


def test_parts_that_are_groups():
    expected = {"distributed grid market", "distributed grid", "grid market", "grid", "market"}
    assert groups("distributed grid market", maximal=False) == expected


def test_longest_counts_no_determiners():
    assert "quality of the service" in groups("quality of the service", longest=3)
    assert "quality of the service" not in groups("quality of the service", longest=2)


def test_in_other_languages_content_words_are_nouns():
    document = analysed("der globale Markt und das Netz", language="de")
    assert word_classes(document) == "XNNXXN"
    assert phrases(document, nominal_groups(document)) == {"globale markt": 1, "netz": 1}


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_empty_document_has_no_groups(language):
    document = analysed("", language=language)
    assert word_classes(document) == ""
    assert len(nominal_groups(document)) == 0
