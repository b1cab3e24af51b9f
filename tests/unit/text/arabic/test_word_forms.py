"""The form of Arabic words is chosen, signed and told."""

import pickle
import sys

import pytest
import Stemmer

from keywright.core.documents import Document
from keywright.core.errors import BadParameter, MissingExtra
from keywright.extraction.systems.tfidf import TfIdf
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic import word_forms
from keywright.text.arabic.word_forms import CHOICE, WordForm, without_proclitics, word_form
from keywright.text.languages import ByLanguage
from keywright.text.stems import stemmer

VILLAGES = Document("a", "زرنا القرى. القرية بعيدة.", language="ar")


def key_of_second_word(analyser: TextAnalyser | ByLanguage) -> tuple[int, int]:
    columns = analyser.analyse(VILLAGES)
    return int(columns.stem[1]), int(columns.stem[3])


def test_with_a_dictionary_villages_and_village_share_a_stem() -> None:
    village, villages = key_of_second_word(TextAnalyser("ar"))
    assert village == villages
    assert "القرية" in TextAnalyser("ar").analyse(VILLAGES).words


@pytest.fixture
def without_simplemma(monkeypatch):
    monkeypatch.setitem(sys.modules, "simplemma", None)


@pytest.mark.usefixtures("without_simplemma")
def test_without_a_dictionary_words_are_stemmed_and_the_output_says_so() -> None:
    assert word_form() is WordForm.STEM
    analyser = ByLanguage()
    (warning,) = analyser.analyse(VILLAGES).source.warnings
    assert "stems" in warning
    assert ".[arabic]" in warning
    assert analyser.analyse(Document("b", "The village is far.", language="en")).source.warnings == ()
    assert stemmer("ar")("القرية") == Stemmer.Stemmer("arabic").stemWord("القرية")


def test_the_signature_names_the_form_for_arabic_only(monkeypatch) -> None:
    lemmas, english = TextAnalyser("ar"), TextAnalyser("en")
    monkeypatch.setenv(CHOICE, "stem")
    assert lemmas.signature != TextAnalyser("ar").signature
    assert "arabic:stem" in TextAnalyser("ar").signature
    assert "arabic" not in english.signature
    assert "arabic" not in ByLanguage("fr").signature
    assert "arabic:stem" in ByLanguage().signature
    assert pickle.loads(pickle.dumps(lemmas)).signature == lemmas.signature
    assert key_of_second_word(pickle.loads(pickle.dumps(lemmas))) == key_of_second_word(lemmas)


def test_an_unknown_form_is_refused(monkeypatch) -> None:
    monkeypatch.setenv(CHOICE, "roots")
    with pytest.raises(BadParameter, match="roots"):
        word_form()


def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "farahidi", None)
    monkeypatch.setenv(CHOICE, "farahidi")
    word_forms._farahidi.cache_clear()
    with pytest.raises(MissingExtra) as caught:
        stemmer("ar")
    assert ".[arabic-gpl]" in str(caught.value.hint)


TEXT = "والقرية بعيدة. بالقرية سوق. زرنا القرية. وقف الوزير."
AND, IN, BARE = (0, 7), (15, 22), (33, 39)


def test_mentions_without_conjunction_and_preposition_are_preferred() -> None:
    assert [TEXT[slice(*span)] for span in (AND, IN, BARE)] == ["والقرية", "بالقرية", "القرية"]
    assert without_proclitics(TEXT, (AND, IN, BARE)) == (BARE,)


def test_all_mentions_remain_where_each_has_one() -> None:
    assert without_proclitics(TEXT, (AND, IN)) == (AND, IN)
    assert without_proclitics(TEXT, (AND,)) == (AND,)
    assert without_proclitics(TEXT, ()) == ()


def test_a_first_letter_is_no_conjunction() -> None:
    text = "وقف وقف"
    assert without_proclitics(text, ((0, 3), (4, 7))) == ((0, 3), (4, 7))


def test_stems_cannot_tell(monkeypatch) -> None:
    monkeypatch.setenv(CHOICE, "stem")
    assert without_proclitics(TEXT, (AND, IN, BARE)) == (AND, IN, BARE)


def test_a_ranking_shows_the_bare_form_with_all_its_places() -> None:
    document = TextAnalyser("ar").analyse(Document("a", TEXT, language="ar"))
    village = TfIdf().extract(document).keyphrases(1)[0]
    assert village.text == "القرية"
    assert village.spans == (AND, IN, BARE)
