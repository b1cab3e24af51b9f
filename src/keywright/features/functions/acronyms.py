"""Abbreviations that a document defines, and the phrases that they stand for."""

from collections.abc import Iterable

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.text.abbreviations import Span, abbreviations
from keywright.text.keys import joined


def is_short_form(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 for abbreviations that the document defines, else 0, (candidates,)."""
    return among_spans(candidates, document, (pair.short for pair in abbreviations(document)))


def is_long_form(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 for phrases that the document defines an abbreviation of, else 0, (candidates,)."""
    return among_spans(candidates, document, (pair.long for pair in abbreviations(document)))


def acronymity(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 for abbreviations that the document defines and for their long forms, else 0, (candidates,)."""
    return np.maximum(is_short_form(candidates, document), is_long_form(candidates, document))


def among_spans(candidates: Candidates, document: AnalysedDocument, spans: Iterable[Span]) -> Floats:
    """Return 1 for candidates with the key of one of the spans, else 0, (candidates,)."""
    begins_and_ends = np.array(list(spans), np.int64).reshape(-1, 2)
    if not len(begins_and_ends):
        return np.zeros(len(candidates))
    keys = np.sort(_keys(document, *begins_and_ends.T))
    place = np.minimum(keys.searchsorted(candidates.key), len(keys) - 1)
    return np.asarray(keys[place] == candidates.key, float)


def _keys(document: AnalysedDocument, begins: Ints, ends: Ints) -> Keys:
    """Return the keys of spans of at least one token, signs left out, (spans,)."""
    # Rolling hash: all keys grow by one token per step, as long as their span is longer.
    keys = np.zeros(len(begins), np.uint64)
    for ahead in range(int((ends - begins).max(initial=0))):
        word = document.word[np.minimum(begins + ahead, ends - 1)]
        counts = (begins + ahead < ends) & (document.word_flags[word] & WordFlag.PUNCTUATION == 0)
        keys = np.where(counts, joined(keys, document.word_key[word], document.word_parts[word]), keys)
    return keys
