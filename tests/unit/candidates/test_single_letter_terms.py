"""Single capitals inside terms, by hand."""

import numpy as np
from tests.builders import analysed

from keywright.candidates.prefilter import letters_of_terms
from keywright.corpus.counts import PhraseCounts
from keywright.text.keys import phrase_key


def table(*phrases: str) -> PhraseCounts:
    keys = np.unique(np.array([phrase_key(phrase) for phrase in phrases], np.uint64))
    return PhraseCounts(keys, np.ones(len(keys), np.int64), 1)


def letters(text: str, *known: PhraseCounts) -> list[str]:
    """Each letter that is found, with the word that it belongs to."""
    document = analysed(text)
    token = [text[start:end] for start, end in zip(document.start, document.end, strict=True)]
    begin, end = letters_of_terms(document, *known)
    assert begin.shape == end.shape == (len(document),)
    pairs = sorted([*np.flatnonzero(begin), *(np.flatnonzero(end) - 1)])
    return [f"{token[at]} {token[at + 1]}" for at in pairs]


def test_letters_belong_to_terms_of_any_table():
    text = "Vitamin D helps T cells. We take graph G with node B, vitamin d, vitamin\nD and type C. X C cell."
    known = table("vitamin d", "hepatitis b", "x c"), table("t cell", "c cell", "graph")
    assert letters(text, *known) == ["Vitamin D", "T cells", "vitamin D", "X C", "X C", "C cell"]


def test_pairs_do_not_cross_sentences():
    assert letters("We give the vitamin. D follows from this.", table("vitamin d")) == []


def test_nothing_is_known_or_there():
    assert letters("Vitamin D") == []
    assert letters("Vitamin D", table()) == []
    assert letters("", table("vitamin d")) == []
    assert letters("D", table("vitamin d")) == []
