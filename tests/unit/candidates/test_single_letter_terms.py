"""Single capitals inside terms, by hand."""

import numpy as np
from tests.builders import analysed

from keywright.extraction.candidates.prefilter import letters_of_terms
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.text.keys import phrase_key


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
