"""The form of an Arabic phrase that people see."""

from keywright.core.documents import Document
from keywright.extraction.systems.tfidf import TfIdf
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.word_forms import CHOICE, without_proclitics

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
