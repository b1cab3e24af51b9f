"""Stems: Porter's rules by hand, and phrases as the SemEval-2010 answer files write them."""

import pytest
import Stemmer

from keywright.text.stems import SNOWBALL, list_stemmer, martin_stem, semeval_stem, stemmer

# The words with which Porter (1980) explains each step, as the whole algorithm leaves them.
PORTER = {
    "caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat",
    "feed": "feed", "agreed": "agre", "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing",
    "conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop", "falling": "fall",
    "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit", "digitizer": "digit",
    "radically": "radic", "vietnamization": "vietnam", "operator": "oper", "sensitivity": "sensit",
    "triplicate": "triplic", "formalize": "formal", "electrical": "electr", "hopeful": "hope", "goodness": "good",
    "revival": "reviv", "allowance": "allow", "adjustment": "adjust", "adoption": "adopt", "effective": "effect",
    "probate": "probat", "rate": "rate", "cease": "ceas", "controlling": "control", "roll": "roll",
}  # fmt: skip
# Where Martin Porter's later variant leaves the paper: logi, bli, and words of one or two letters.
VARIANT = {
    "ontology": "ontolog", "ontologies": "ontolog", "methodology": "methodolog", "apology": "apolog",
    "possibly": "possibl", "conformabli": "conform", "notably": "notabl", "assembly": "assembl",
    "os": "os", "as": "as", "is": "is", "a": "a", "s": "s",
}  # fmt: skip
PHRASES = {
    "Grid-enabling Ontologies": "grid-enabl ontolog",
    "case-insensitive search": "case-insensit search",
    "multi-player": "multi-player",
    "OS X": "os x",
    "UDDI registries": "uddi registri",
    "Quality of Service": "qualiti of servic",
    "Bayes' rule": "bay' rule",
    "802.11b networks": "802.11b network",
    "naïveté": "naïveté",  # neither ï nor é is an ASCII letter: the runs are na and vet
    "": "",
}


@pytest.mark.parametrize("word", [*PORTER, *VARIANT])
def test_a_word(word):
    assert martin_stem(word) == (PORTER | VARIANT)[word]


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase(phrase):
    assert semeval_stem(phrase) == PHRASES[phrase]


def test_each_run_of_letters_is_stemmed_by_itself():
    assert semeval_stem("relational-relational/relational2relational") == "relat-relat/relat2relat"


def test_stemmers_by_language():
    assert stemmer("en")("ontologies") == "ontolog"
    assert stemmer("fr")("continuellement") == "continuel"
    assert stemmer("de")("aufeinanderfolgenden") == "aufeinanderfolg"
    assert stemmer("ja")("ネットワーク") == "ネットワーク"


def test_every_language_named_has_a_stemmer():
    assert set(SNOWBALL.values()) <= set(Stemmer.algorithms())
    assert all(stemmer(language)("a") for language in SNOWBALL)


def test_stems_of_a_list_are_those_of_each_word():
    words = [*PORTER, *VARIANT]
    assert list_stemmer("en")(words) == [*PORTER.values(), *VARIANT.values()]
    others = ["naïve", "42", "c++", "die", "x86", "神", ""]
    assert list_stemmer("en")(others) == list(map(stemmer("en"), others))
    assert list_stemmer("fr")(["continuellement"]) == ["continuel"]
