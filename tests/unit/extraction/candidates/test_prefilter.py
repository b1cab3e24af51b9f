"""The candidates of ordinary text, and what a long text makes of them, by hand.

Single capitals inside terms, by hand.
"""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument, Document, Section, SectionKind
from keywright.extraction.candidates.prefilter import Letters, letters_of_terms, passes_prefilter, usual_candidates
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

TITLE, CAPTION = SectionKind.TITLE, SectionKind.CAPTION
# title: grid markets; body: grid, single, double double; caption: picture
TEXT = "grid markets\ngrid, single, double, double\npicture"
SECTIONS = (Section(TITLE, 0, 12), Section(CAPTION, 42, 49))
DOCUMENT = TextAnalyser().analyse(Document("a", TEXT, SECTIONS))


def phrases(document: AnalysedDocument, kept: np.ndarray | None = None) -> set[str]:
    found = usual_candidates(document)
    starts, ends = document.start[found.first], document.end[found.first + found.length - 1]
    written = [document.source.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return {phrase for phrase, its in zip(written, [True] * len(found) if kept is None else kept, strict=True) if its}


def analysed_of_prefilter(text: str, language: str | None = None) -> AnalysedDocument:
    return TextAnalyser(language or "en").analyse(Document("a", text, language=language))


def test_usual_candidates():
    assert phrases(analysed_of_prefilter("The quality of the IT service")) == {
        "quality", "IT", "service", "IT service", "quality of the IT", "quality of the IT service",
    }  # fmt: skip
    longest = analysed_of_prefilter("one small deep neural network model")
    assert max(map(len, map(str.split, phrases(longest)))) == 5
    assert len(usual_candidates(analysed_of_prefilter(""))) == 0


def test_letters_stand_in_phrases_and_not_alone():
    document = analysed_of_prefilter("vitamin D deficiency, D")
    none = np.zeros(5, bool)
    found = usual_candidates(document, Letters(none, np.array([False, True, False, False, True]), none))
    starts, ends = document.start[found.first], document.end[found.first + found.length - 1]
    written = {document.source.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)}
    assert written == {"vitamin", "deficiency", "vitamin D", "vitamin D deficiency"}


def test_names_are_not_torn():
    text = "They left the coast of New Zealand farms behind."
    assert phrases(analysed_of_prefilter(text)) >= {"New Zealand", "New Zealand farms", "coast of New Zealand", "farms"}
    assert not phrases(analysed_of_prefilter(text)) & {"New", "Zealand", "Zealand farms"}


def test_names_of_species_are_not_torn():
    document = TextAnalyser("en", terms=True).analyse(Document("a", "We grew E. coli cells in broth."))
    assert phrases(document) >= {"E. coli", "E. coli cells", "cells"}
    assert not phrases(document) & {"coli", "coli cells", "E"}


def test_endless_words_are_no_candidates():
    assert phrases(analysed_of_prefilter(f"grid {'x' * 101} markets")) == {"grid", "markets"}
    assert "x" * 100 in phrases(analysed_of_prefilter(f"grid {'x' * 100} markets"))


def test_candidates_keep_to_words_in_scripts_without_blanks():
    assert phrases(analysed_of_prefilter("自然言語処理", "ja")) == {
        "自然", "言語", "処理", "自然言語", "言語処理", "自然言語処理",
    }  # fmt: skip


@pytest.mark.usefixtures("without_borders")
def test_candidates_are_longer_where_words_are_characters():
    characters = usual_candidates(analysed_of_prefilter("自然言語処理装置網接続試験", "ja"))
    assert (int(characters.length.min()), int(characters.length.max())) == (2, 10)


@pytest.mark.usefixtures("without_borders")
def test_without_borders_a_run_of_thai_is_short():
    assert phrases(analysed_of_prefilter("สิทธิมนุษยชน สิทธิมนุษยชนและเสรีภาพขั้นพื้นฐาน", "th")) == {"สิทธิมนุษยชน"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wir verhandeln den Vertrag in Berlin.", {"Vertrag", "Berlin"}),
        ("wir verhandeln den vertrag.", {"verhandeln", "vertrag"}),  # a text without capitals
    ],
)
def test_german_candidates_end_with_a_noun(text, expected):
    assert phrases(analysed_of_prefilter(text, "de")) == expected


@pytest.mark.parametrize(
    ("zones", "expected"),
    [
        ((TITLE,), {"grid", "markets", "grid markets", "double"}),
        ((CAPTION,), {"grid", "double", "picture"}),
        ((), {"grid", "double"}),
        ((TITLE, CAPTION), {"grid", "markets", "grid markets", "double", "picture"}),
    ],
)
def test_in_a_long_text_what_is_repeated_or_in_a_zone(zones, expected):
    found = usual_candidates(DOCUMENT)
    assert phrases(DOCUMENT, passes_prefilter(found, DOCUMENT, zones, len(DOCUMENT))) == expected


def test_in_a_short_text_everything():
    found = usual_candidates(DOCUMENT)
    assert passes_prefilter(found, DOCUMENT, (TITLE,), len(DOCUMENT) + 1).tolist() == [True] * len(found)


def test_no_candidates():
    empty = analysed_of_prefilter("")
    for long_text in (0, 1):
        kept = passes_prefilter(usual_candidates(empty), empty, (TITLE,), long_text)
        assert (kept.shape, kept.dtype) == ((0,), bool)


def table(*phrases: str) -> PhraseCounts:
    keys = np.unique(np.array([phrase_key(phrase) for phrase in phrases], np.uint64))
    return PhraseCounts(keys, np.ones(len(keys), np.int64), 1)


def letters(text: str, *known: PhraseCounts) -> list[str]:
    """Each letter that is found, with the word that it belongs to."""
    document = analysed(text)
    token = [text[start:end] for start, end in zip(document.start, document.end, strict=True)]
    begin, end, names = letters_of_terms(document, *known)
    assert begin.shape == end.shape == names.shape == (len(document),)
    pairs = sorted([*np.flatnonzero(begin), *(np.flatnonzero(end) - 1)])
    return [f"{token[at]} {token[at + 1]}" for at in pairs]


def test_letters_belong_to_terms_of_any_table():
    text = "Vitamin D helps T cells. We take graph G with node B, vitamin d, vitamin\nD and type C. X C cell."
    known = table("vitamin d", "hepatitis b", "x c"), table("t cell", "c cell", "graph")
    assert letters(text, *known) == ["Vitamin D", "T cells", "vitamin D", "X C", "X C", "C cell"]


def names(text: str, *known: PhraseCounts) -> list[str]:
    """Each stop word that begins a name, with the next word."""
    document = analysed(text)
    token = [text[start:end] for start, end in zip(document.start, document.end, strict=True)]
    return [f"{token[at]} {token[at + 1]}" for at in np.flatnonzero(letters_of_terms(document, *known).names)]


def test_stop_words_with_a_capital_begin_names():
    assert names("Farmers of New Zealand and New farms left All Souls. New York is big.") == [
        "New Zealand",
        "All Souls",
    ]


def test_at_the_beginning_of_a_sentence_a_table_must_know_the_name():
    text = "New Zealand trades. The Internet is slow. New York sleeps, New Zealand wakes."
    assert names(text, table("new zealand")) == ["New Zealand"]
    assert names(text, table("new zealand"), table("new york")) == ["New Zealand", "New York"]


def test_pairs_do_not_cross_sentences():
    assert letters("We give the vitamin. D follows from this.", table("vitamin d")) == []


def test_nothing_is_known_or_there():
    assert letters("Vitamin D") == []
    assert letters("Vitamin D", table()) == []
    assert letters("", table("vitamin d")) == []
    assert letters("D", table("vitamin d")) == []
