"""Phrases become concepts: merged, disambiguated, named in a language."""

import pytest

from keywright.core.documents import Document
from keywright.core.keyphrases import Keyphrase
from keywright.extraction.vocabularies.concept_builder import ConceptBuilder
from keywright.extraction.vocabularies.concepts import ALTERNATIVE, PREFERRED
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.running.concept_matching import ConceptNames, PhraseForms, combine_probabilities
from keywright.text.analyser import TextAnalyser

LABELS = [
    ("water", PREFERRED, "water", "en"),
    ("water", ALTERNATIVE, "H2O", "en"),
    ("water", PREFERRED, "vesi", "fi"),
    ("planet", PREFERRED, "Mercury (planet)", "en"),
    ("metal", PREFERRED, "Mercury (metal)", "en"),
    ("metal", ALTERNATIVE, "quicksilver", "en"),
    ("bank", PREFERRED, "Bank (river)", "en"),
    ("stuff", PREFERRED, "matter", "en"),
]
TEXT = "Water, that is H2O, and mercury, called quicksilver, were found at the bank."


@pytest.fixture
def index():
    builder = ConceptBuilder()
    for concept, kind, text, language in LABELS:
        builder.add_label(builder.number(f"ex:{concept}"), kind, text, language)
    for below in ("water", "metal"):
        builder.links.extend((builder.number(f"ex:{below}"), builder.number("ex:stuff")))
    read = builder.finish()
    return VocabularyIndex.of_concepts(read.labels, read.concepts, ("en",))


def phrase(text, probability, score=0.0):
    start = TEXT.lower().index(text.lower())
    return Keyphrase(TEXT[start : start + len(text)], score, probability, ((start, start + len(text)),))


def forms(language="en"):
    return PhraseForms(TextAnalyser(language).analyse(Document("d", TEXT, language=language)))


def named(index, *phrases: Keyphrase, language="", document="en"):
    names = ConceptNames(index, index.concepts, language)
    return list(names.attach_names(names.match(phrases, forms(document)), document))


def test_phrases_of_one_concept_are_one(index):
    result = named(index, phrase("mercury", 0.5), phrase("water", 0.4, 1.0), phrase("H2O", 0.4, 2.0))
    assert [each.concept.uri for each in result] == ["ex:water", "ex:planet"]
    water = result[0]
    assert (water.text, water.score, water.spans) == ("Water", 2.0, ((0, 5), (15, 18)))
    assert water.probability == pytest.approx(0.64)  # 1 - 0.6 * 0.6
    assert (water.concept.label, water.concept.broader, water.ambiguous) == ("water", ("ex:stuff",), ())


def test_a_phrase_with_several_meanings(index):
    (alone,) = named(index, phrase("mercury", 0.5))
    assert alone.ambiguous == ("ex:planet", "ex:metal")
    certain, *_ = named(index, phrase("mercury", 0.5), phrase("quicksilver", None))
    assert (certain.concept.uri, certain.ambiguous) == ("ex:metal", ("ex:metal", "ex:planet"))
    (river,) = named(index, phrase("bank", 0.5))
    assert river.ambiguous == ("ex:bank",)  # the label has a qualifier that the text does not say


def test_concepts_without_probability_come_last_as_they_came(index):
    result = named(index, phrase("bank", None), phrase("mercury", None), phrase("water", 0.01))
    assert [each.concept.uri for each in result] == ["ex:water", "ex:bank", "ex:planet"]
    assert combine_probabilities([None]) is None


def test_names_in_a_language(index):
    result = named(index, phrase("water", 0.5), phrase("bank", 0.4), language="fi")
    assert [(each.concept.label, each.concept.language) for each in result] == [("vesi", "fi"), ("Bank (river)", "en")]
    names = ConceptNames(index, index.concepts, "fi")
    assert names.warn(result, forms()) == ("1 of 2 concepts have no label in 'fi': shown in en",)
    absent = "the vocabulary has no labels in 'sv': those of all languages are looked up"
    assert ConceptNames(index, index.concepts).warn(result, forms("sv")) == (absent,)


def test_labels_of_other_languages_do_not_match(index):
    assert index.keys_for("fi").contain(index.keys_for("en").keys).sum() == 0
    assert len(index.keys_for("sv")) == len(index.keys_for("en")) + 1  # vesi as well


def test_broader_concepts(index):
    names = ConceptNames(index, index.concepts)
    result = names.match([phrase("water", 0.5, -2.0), phrase("quicksilver", 0.4, -1.0)], forms())
    (above,) = names.list_broader(result, forms())
    assert (above.text, above.score, above.probability, above.spans) == ("matter", -2.0, None, ())
    assert above.concept.uri == "ex:stuff"
    assert names.list_broader([above], forms()) == []
