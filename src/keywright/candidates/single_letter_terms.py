"""Single capitals that belong to a term: *vitamin D*, *T cell*, *hepatitis B virus*."""

from typing import NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.corpus.counts import PhraseCounts
from keywright.text.keys import joined

_LONE = int(WordFlag.LONE | WordFlag.LETTER)


class Letters(NamedTuple):
    """Tokens that are a single capital and part of a term, (tokens,) each.

    Attributes:
        begin: those that form a term with the next word, so that a phrase may begin with them: *T cell*.
        end: those that form a term with the previous word, so that a phrase may end with them: *vitamin D*.
    """

    begin: Bools
    end: Bools


def letters_of_terms(document: AnalysedDocument, *tables: PhraseCounts) -> Letters:
    """Return the capitals that form a known phrase with a neighbour.

    Most single letters of papers are variables (*graph G*, *node B*), which are in no table.

    Args:
        document: the document.
        tables: of phrases; one that has the pair is enough.
    """
    lone = (document.word_flags & _LONE == _LONE)[document.word] & (document.case == Case.CAPITAL)
    letters = Letters(np.zeros(len(document), bool), np.zeros(len(document), bool))
    if not lone.any() or not tables:
        return letters
    left = np.flatnonzero((lone[:-1] | lone[1:]) & (document.sentence[:-1] == document.sentence[1:]))
    pair = joined(_key(document, left), _key(document, left + 1), document.word_parts[document.word[left + 1]])
    term = left[np.any([table.of(pair) > 0 for table in tables], axis=0)]
    letters.begin[term] = lone[term]
    letters.end[term + 1] = lone[term + 1]
    return letters


def _key(document: AnalysedDocument, tokens: Ints) -> Keys:
    """Return the keys of some tokens, (tokens,)."""
    return document.word_key[document.word[tokens]]
