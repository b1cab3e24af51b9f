"""Single capitals that belong to a term: *vitamin D*, *T cell*, *hepatitis B virus*."""

from typing import NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.corpus.counts import PhraseCounts
from keywright.text.keys import joined

_LONE = int(WordFlag.LONE | WordFlag.LETTER)


class Letters(NamedTuple):
    """Tokens that are one capital and belong to a word beside them, (tokens,) each.

    Attributes:
        begin: those that belong to the next word, so that a phrase may begin with them: *T cell*.
        end: those that belong to the word before, so that a phrase may end with them: *vitamin D*.
    """

    begin: Bools
    end: Bools


def letters_of_terms(document: AnalysedDocument, *known: PhraseCounts) -> Letters:
    """Capitals that make a known phrase with a neighbour.

    Most single letters of papers are names of things: *graph G*, *node B*. No table knows those.

    Args:
        document: the document.
        known: tables of phrases; one that has the pair is enough.
    """
    lone = (document.word_flags & _LONE == _LONE)[document.word] & (document.case == Case.CAPITAL)
    letters = Letters(np.zeros(len(document), bool), np.zeros(len(document), bool))
    if not lone.any() or not known:
        return letters
    left = np.flatnonzero((lone[:-1] | lone[1:]) & (document.sentence[:-1] == document.sentence[1:]))
    pair = joined(_key(document, left), _key(document, left + 1), document.word_parts[document.word[left + 1]])
    term = left[np.any([table.of(pair) > 0 for table in known], axis=0)]
    letters.begin[term] = lone[term]
    letters.end[term + 1] = lone[term + 1]
    return letters


def _key(document: AnalysedDocument, tokens: Ints) -> Keys:
    """Keys of some tokens, (tokens,)."""
    return document.word_key[document.word[tokens]]
