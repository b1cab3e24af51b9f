"""Lemmas: expected ones from grammars and dictionaries; accuracy on the treebank."""

import pytest

from keywright.text.arabic.lemmas import Costs, Lemmatiser, Lexicon, lemmatiser
from keywright.text.arabic.spelling import imperfect_bases, is_verbal_noun_shape
from keywright.text.tokens import normal_form
from studies.arabic_text.treebank import treebank

SMALL = Lexicon.of({"كتاب": "كتاب", "كتب": "كتاب", "الكتاب": "كتاب", "يدرس": "درس", "أسماء": "اسم", "مدرسة": "مدرسة"})


def test_a_lexicon_folds_its_forms_and_knows_its_verbs() -> None:
    assert SMALL.folded["اسماء"] == "اسم"
    assert SMALL.inflected == {"كتاب", "درس", "اسم"}
    assert SMALL.verbs == SMALL.only_verbs == {"درس"}


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("وكتابهم", "كتاب"),  # and their book
        ("بالكتاب", "كتاب"),
        ("كتبها", "كتاب"),
        ("اسماء", "اسم"),  # written without its hamza
        ("المدرسة", "مدرسة"),
        ("تدرس", "درس"),  # she studies: only the form of he is listed
        ("IL-6".lower(), "il-6"),
        ("2016", "2016"),
        ("و", "و"),
    ],
)
def test_words_around_a_small_dictionary(word: str, lemma: str) -> None:
    assert Lemmatiser(SMALL)(word) == lemma


def test_the_analysis_names_clitics_and_ending() -> None:
    best = Lemmatiser(SMALL).best("وبالكتابين")
    assert (best.lemma, best.split.before, best.split.article, best.ending.written) == ("كتاب", ("و", "ب"), True, "ين")
    # A conjunction and a preposition, .25 each; the article, -.45; the plural, 1.55.
    assert best.cost == pytest.approx(0.25 + 0.25 - 0.45 + 1.55)


def test_a_cost_changes_the_choice() -> None:
    assert Lemmatiser(SMALL)("مدرسات") == "مدرسة"
    assert Lemmatiser(SMALL, Costs(plural_of_marbuta=9.0))("مدرسات") != "مدرسة"


def test_villages_and_village_meet() -> None:
    words = "قرية القرية القرى قرى والقرى بالقرية للقرى قراهم قريتين"
    assert {lemmatiser()(word) for word in words.split()} == {"قرية"}


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("مدارس", "مدرسة"),  # broken plurals
        ("وللمدارس", "مدرسة"),
        ("أسواق", "سوق"),
        ("الأوقاف", "وقف"),
        ("الاقتصادية", "اقتصادي"),  # adjectives have the masculine
        ("إخراج", "اخراج"),  # a verbal noun is no form of its verb
        ("التخطيط", "تخطيط"),
        ("سيكتبون", "كتب"),
        ("حلفاؤها", "حليف"),
    ],
)
def test_words_of_running_text(word: str, lemma: str) -> None:
    assert lemmatiser()(word) == lemma


def test_shapes_of_verbal_nouns_and_imperfects() -> None:
    assert is_verbal_noun_shape("إخراج", "اخراج", "اخرج")
    assert not is_verbal_noun_shape("أخرجا", "اخرجا", "اخرج")
    assert imperfect_bases("يستخدم") == ("ستخدم", "استخدم")
    assert imperfect_bases("كتب") is None


@pytest.mark.data
def test_accuracy_on_the_treebank(mirror) -> None:
    words = [word for sentence in treebank(mirror) for word in sentence.words if word.lemma]
    lemma = lemmatiser()
    hits = {word.tag: [] for word in words}
    for word in words:
        hits[word.tag].append(lemma(normal_form(word.text)) == word.lemma)
    assert len(words) == 11_828
    assert sum(map(sum, hits.values())) / len(words) > 0.85
    nominal = hits["NOUN"] + hits["ADJ"]
    assert sum(nominal) / len(nominal) > 0.89
