"""The Arabic studies: measures by hand, and what the stored results claim."""

import json

import pytest
from tests.house.tree import ROOT

from keywright.catalogue import system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import study as publishing
from studies.arabic_keyphrases.study import PROTOCOLS, TRAINED, lemmas, surface
from studies.arabic_keyphrases.study import STUDY as KEYPHRASES
from studies.arabic_text.study import LEMMAS, TAGS, Tool, by_word, in_order, measure, tools
from studies.arabic_text.study import STUDY as TEXT
from studies.arabic_text.treebank import Sentence, Word, accuracy


def stored(study):
    return study.read(json.loads((ROOT / "benchmarks" / "results" / f"{study.name}.json").read_text("utf-8"))["rows"])


def test_lemmas_are_counted_by_kind_of_word_and_of_document() -> None:
    village, villages, visit = (
        Word(*word, ()) for word in (("قرية", "NOUN", "قرية"), ("القرية", "NOUN", "قرية"), ("زار", "VERB", "زار"))
    )
    sign = Word(".", "PUNCT", "", ())
    sentences = [Sentence(0, (village, sign)), Sentence(1, (visit, villages, sign))]
    row = measure(Tool("the word itself", "", by_word(str)), sentences)
    assert (row.words, row.right, row.nominal, row.held_out) == (3, pytest.approx(2 / 3), 0.5, 0.5)


def test_tags_are_counted_without_signs() -> None:
    pairs = [("NOUN", "NOUN"), ("PROPN", "NOUN"), ("ADJ", "VERB"), ("PUNCT", "NOUN"), ("VERB", "VERB")]
    assert accuracy(pairs) == (4, 0.5, 0.75, 0.5)


def test_our_lemmas_come_first_among_the_installed_programs() -> None:
    names = [tool.name for tool in tools()]
    assert names[0] == "keywright"
    assert {"simplemma", "PyStemmer arabic", "the word itself"} <= set(names)


def test_answers_are_matched_in_order() -> None:
    answers = [("a", "A"), ("b", "B"), ("a", "C"), ("d", "")]
    assert in_order(["a", "x", "a", "d"], answers) == ["A", "x", "C", "d"]


def test_phrases_are_equal_by_surface_or_by_lemmas() -> None:
    assert surface("القُرَى  البعيدة") == "القرى البعيدة"
    assert surface("قرية") != surface("القرية")
    assert lemmas("القرى البعيدة") == lemmas("القرية بعيدة") == "قرية بعيد"
    assert [protocol.name for protocol in PROTOCOLS] == ["surface", "lemma"]


@pytest.mark.parametrize("study", [TEXT, KEYPHRASES], ids=lambda study: study.name)
def test_stored_results_are_laid_out(study) -> None:
    page = publishing.publish(study, stored(study), Publication.MARKDOWN, system_class)
    assert "keywright" in page or "lbake" in page


def test_the_stored_accuracies_are_those_that_were_asked_for() -> None:
    rows = {(row.task, row.tool): row for row in stored(TEXT)}
    ours = rows[LEMMAS, "keywright"]
    assert ours.held_out >= 0.80
    assert ours.right > rows[LEMMAS, "simplemma"].right
    assert rows[TAGS, "keywright"].right >= 0.86
    assert rows[TAGS, "keywright"].merged >= 0.90


@pytest.mark.parametrize("other", ["tfidf", "yake"])
def test_the_stored_results_have_trained_lbake_above(other) -> None:
    values = {(row.text, row.protocol, row.measure, row.system): row.value for row in stored(KEYPHRASES)}
    assert all(values[*key[:3], TRAINED] > value for key, value in values.items() if key[3] == other)
