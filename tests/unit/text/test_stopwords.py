"""Stop lists: enough languages, and an English list without words that people choose as keyphrases."""

import pytest

from keywright.core.documents import Document, WordFlag
from keywright.text.analyser import TextAnalyser
from keywright.text.stems import STOP_LISTS, stopwords
from keywright.text.tokens import normal_form

TOPICAL = (
    "computer system interest network page cost case world information research fire side group home test end member "
    "bill mine-field state line process order point number uk us-ascii detail"
).split()
ONE_OF_EACH = {
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
def test_an_analyser_of_the_language_knows_its_stop_words(language):
    analysed = TextAnalyser(language).analyse(Document("a", f"x {ONE_OF_EACH[language].title()}"))
    assert all(flag & WordFlag.STOP for flag in analysed.flags.tolist()[1:])


def test_the_english_list_holds_function_words_and_no_topics():
    words = stopwords("en")
    assert {"the", "of", "and", "is", "don't", "e.g.", "et", "al", "several", "however"} <= words
    assert not words & set(TOPICAL)
    assert "#" not in words


def test_the_library_s_english_list_can_be_had_for_comparison():
    assert {"computer", "interest"} <= stopwords("en-library")


def test_other_languages_have_no_list():
    assert stopwords("xx") == frozenset()


def test_arabic_function_words_count_in_both_spellings_and_behind_conjunctions():
    words = stopwords("ar")
    assert {"إلى", "الي", "أن", "ان", "وإلى", "فأن", "هذه", "وهذه"} <= words
    assert words.isdisjoint({"القرى", "قرية", "مدرسة", "اقتصاد"})
