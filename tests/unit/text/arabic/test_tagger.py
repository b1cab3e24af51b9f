"""The Arabic tagger: sums by hand, tags of the bundled model, the analyser, files."""

import json
import pickle
import sys

import numpy as np
import pytest

from keywright.core.documents import Document
from keywright.core.errors import BrokenFile, MissingData, MissingExtra, NeedsUnmet
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.lemmas import lemmatiser, lexicon
from keywright.text.arabic.tagger import NO_WORD, ArabicTaggedAnalyser, Tagger, tagger, word_features
from keywright.text.languages import ByLanguage
from keywright.text.tag_lexicon import tag_classes
from studies.arabic_text.treebank import sentences_of

TWO = Tagger.of(
    ["word=في", "-word=في", "+word=في", "-" + NO_WORD[0]],
    np.array([[0.0, 1.27], [1.27, 0.0], [0.0, 0.5], [0.5, 0.0]]),
    ("NOUN", "ADP"),
    np.array([0.1, 0.0]),
)


def test_scores_are_sums_over_the_word_and_its_neighbours() -> None:
    # بيت: NOUN .1 + .5 (first) against ADP .5 (a preposition follows). في: .1 against 1.27. جبل: .1 + 1.27 against 0.
    # بيت in a sentence of its own: .6 against 0, as the preposition before it belongs to another sentence.
    words = ["بيت", "في", "جبل", "في", "بيت"]
    assert TWO.tag(words, np.array([0, 0, 0, 0, 1])).tolist() == [0, 1, 0, 1, 0]
    # The same words in one sentence: the last one gains 1.27 and loses its .5.
    assert TWO.tag(words, np.zeros(5, np.int64)).tolist() == [0, 1, 0, 1, 0]
    assert TWO.tag([], np.zeros(0, np.int64)).tolist() == []


def test_features_name_form_clitics_ending_and_shape() -> None:
    own = set(word_features("وبالقريتين", lemmatiser()).here)
    assert {"word=وبالقريتين", "lemma=قرية", "before=و+ب+", "p2=وب", "s2=ين", "shape=a"} <= own
    assert "shape=0%" in word_features("50%", lemmatiser()).here
    assert set(word_features("القرية", lemmatiser()).beside) < set(word_features("القرية", lemmatiser()).here)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("زار الوزير المدينة الكبيرة في الشمال.", "VERB NOUN NOUN ADJ ADP NOUN PUNCT"),
        ("تعمل الشبكات العصبية على تحليل النصوص العربية", "VERB NOUN ADJ ADP NOUN NOUN ADJ"),
        ("وقال إن 50 شركة شاركت في المعرض", "VERB SCONJ NUM NOUN VERB ADP NOUN"),
    ],
)
def test_the_bundled_tagger_tags_plain_sentences(text: str, expected: str) -> None:
    document = ArabicTaggedAnalyser().analyse(Document("a", text, language="ar"))
    assert " ".join(document.tags[tag] for tag in document.tag) == expected


def test_the_card_says_what_was_measured_and_under_which_licence() -> None:
    card = tagger().card
    assert card["licence"].startswith("CC BY-SA 3.0")
    assert card["accuracy"]["upos"] >= 0.86
    assert card["accuracy"]["upos_nouns_merged"] >= 0.90
    assert card["sha256"] == tagger()._hash()


def test_arabic_documents_are_tagged_by_it_and_others_not() -> None:
    analyser = ByLanguage(tagged=True)
    document = analyser.analyse(Document("a", "زار الوزير المدينة الكبيرة.", language="ar"))
    assert tag_classes(document) == "VNNJX"
    assert document.provides == {"stems", "terms", "tags"}
    with pytest.raises(NeedsUnmet, match="fr"):
        analyser.analyse(Document("a", "Le ministre visite les villages.", language="fr"))
    with pytest.raises(NeedsUnmet, match="fr"):
        ArabicTaggedAnalyser(TextAnalyser("fr"))


def test_the_analyser_travels_and_empty_text_has_no_tags() -> None:
    analyser = pickle.loads(pickle.dumps(ArabicTaggedAnalyser()))
    assert analyser.signature == ArabicTaggedAnalyser().signature
    assert len(analyser.analyse(Document("a", "")).tag) == 0


def test_a_saved_tagger_is_the_same(tmp_path) -> None:
    TWO.save(tmp_path / "two.npz")
    loaded = Tagger.load(tmp_path / "two.npz")
    assert loaded.fingerprint == TWO.fingerprint
    assert json.dumps(loaded.card["tags"]) == '["NOUN", "ADP"]'
    assert loaded.tag(["بيت", "في"], np.zeros(2, np.int64)).tolist() == [0, 1]


def test_files_that_are_no_taggers_are_refused(tmp_path) -> None:
    with pytest.raises(MissingData):
        Tagger.load(tmp_path / "none.npz")
    (tmp_path / "broken.npz").write_bytes(b"PK")
    with pytest.raises(BrokenFile):
        Tagger.load(tmp_path / "broken.npz")


CONLLU = """# newdoc id = d1
1\tو\tوَ\tCCONJ\t_\t_\t0\t_\t_\tSpaceAfter=No
2\tب\tبِ\tADP\t_\t_\t0\t_\t_\tSpaceAfter=No
3\tالقرية\tقَريَة\tNOUN\t_\t_\t0\t_\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t0\t_\t_\t_

# newdoc id = d2
1\tل\tلِ\tADP\t_\t_\t0\t_\t_\tSpaceAfter=No
2\tها\tهُوَ\tPRON\t_\t_\t0\t_\t_\t_
"""


def test_the_treebank_is_read_as_written_words() -> None:
    first, second = sentences_of(CONLLU)
    assert [(word.text, word.tag, word.lemma) for word in first.words] == [
        ("وبالقرية", "NOUN", "قرية"),
        (".", "PUNCT", ""),
    ]
    assert [(word.text, word.tag, word.lemma) for word in second.words] == [("لها", "ADP", "")]
    assert (first.document, second.document) == (0, 1)


def test_tags_without_the_extra_name_the_line_that_installs_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "simplemma.strategies", None)
    lexicon.cache_clear()
    lemmatiser.cache_clear()
    try:
        with pytest.raises(MissingExtra) as caught:
            ArabicTaggedAnalyser(TextAnalyser("ar", arabic="stem")).analyse(Document("a", "زار الوزير", language="ar"))
        assert ".[arabic]" in str(caught.value.hint)
    finally:
        lexicon.cache_clear()
        lemmatiser.cache_clear()
