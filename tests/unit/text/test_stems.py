"""Stems: Porter's rules by hand, and phrases as the SemEval-2010 answer files write them."""

import pytest
import Stemmer

from keywright.core.documents import Document, WordFlag
from keywright.text import stems
from keywright.text.analyser import TextAnalyser
from keywright.text.stems import (
    SNOWBALL,
    STOP_LISTS,
    cut_case_ending,
    find_forms,
    list_stemmer,
    martin_stem,
    semeval_stem,
    stemmer,
    stopwords,
)
from keywright.text.tokens import normal_form

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


TOPICAL = (
    "computer system interest network page cost case world information research fire side group home test end member "
    "bill mine-field state line process order point number uk us-ascii detail"
).split()
ONE_OF_EACH = {
    "af": "en", "bn": "এবং", "br": "ha", "bs": "je", "el": "και", "eo": "kaj", "et": "ja", "eu": "eta", "ga": "agus",
    "gl": "unha", "ha": "da", "hr": "je", "hy": "եւ", "is": "og", "ku": "ئەم", "la": "et", "lt": "ir", "lv": "un",
    "mr": "आणि", "sl": "in", "so": "aad", "sr": "je", "st": "le", "sw": "na", "ta": "மற்றும்", "th": "และ", "tl": "ang",
    "ur": "اور", "yo": "àwọn", "zu": "futhi",
    "ar": "من", "bg": "и", "ca": "amb", "cs": "nebo", "da": "og", "de": "und", "en": "the",
    "es": "el", "fa": "از", "fi": "ja", "fr": "le", "gu": "અને", "he": "של", "hi": "और", "hu": "és", "id": "dan",
    "it": "il", "ja": "これ", "ko": "그", "ms": "dan", "nl": "het", "no": "og", "pl": "jest", "pt": "uma",
    "ro": "este", "ru": "и", "sk": "alebo", "sv": "och", "tr": "ve", "uk": "що", "vi": "và", "zh": "的",
}  # fmt: skip


def test_there_are_lists_of_at_least_twenty_languages():
    assert len(STOP_LISTS) >= 20
    assert set(STOP_LISTS) == set(ONE_OF_EACH)


@pytest.mark.parametrize("language", STOP_LISTS)
def test_a_list_holds_words_of_its_language_in_normal_form(language):
    words = stopwords(language)
    assert ONE_OF_EACH[language] in words
    assert all(word == normal_form(word) and any(map(str.isalpha, word)) for word in words)
    assert not [word for word in words if set(word) & set('",“”…«»\ufeff')]


@pytest.mark.parametrize("language", STOP_LISTS)
def test_an_analyser_of_the_language_knows_its_stop_words(language, monkeypatch):
    monkeypatch.setattr(stems, "has_lemmas", lambda: False)  # no list needs the dictionaries, which take seconds
    analysed = TextAnalyser(language).analyse(Document("a", f"x {ONE_OF_EACH[language].title()}"))
    assert all(flag & WordFlag.STOP for flag in analysed.flags.tolist()[1:])


def test_the_english_list_holds_function_words_and_no_topics():
    words = stopwords("en")
    assert {"the", "of", "and", "is", "don't", "e.g.", "et", "al", "several", "however"} <= words
    assert not words & set(TOPICAL)
    assert "#" not in words


def test_the_library_s_english_list_can_be_had_for_comparison():
    assert {"computer", "interest"} <= stopwords("en-library")


def test_greek_words_count_with_and_without_accents():
    assert {"απο", "από", "ειναι", "είναι"} <= stopwords("el")
    assert "δικαίωμα" not in stopwords("el")


def test_romanian_words_count_with_commas_and_cedillas():
    assert {"şi", "și"} <= stopwords("ro")


def test_forms_of_polish_are_joined_by_lemmas():
    lemma = stemmer("pl")
    assert lemma("praw") == lemma("prawo") == lemma("prawem") == "prawo"
    assert [find_forms(language) for language in ("en", "de", "pl", "th")] == ["stems", "stems", "lemmas", "none"]


def test_without_dictionaries_polish_words_stay(monkeypatch):
    monkeypatch.setattr(stems, "has_lemmas", lambda: False)
    assert stemmer("pl")("prawem") == "prawem"
    assert find_forms("pl") == "none"


def test_other_languages_have_no_list():
    assert stopwords("xx") == frozenset()


def test_arabic_function_words_count_in_both_spellings_and_behind_conjunctions():
    words = stopwords("ar")
    assert {"إلى", "الي", "أن", "ان", "وإلى", "فأن", "هذه", "وهذه"} <= words
    assert words.isdisjoint({"القرى", "قرية", "مدرسة", "اقتصاد"})


def test_texts_of_other_languages_have_english_function_words_as_well():
    assert {"and", "the", "would"} <= stopwords("ko") & stopwords("ru")
    assert "the" in stopwords("de")
    assert not {"would", "into"} & stopwords("de")


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [("prawami", "pl", "praw"), ("prawo", "pl", "praw"), ("kody", "pl", "kody"), ("kod", "de", "kod")],
)
def test_endings_of_cases_are_cut_from_words_that_are_long_enough(word, language, expected):
    assert cut_case_ending(word, language) == expected
