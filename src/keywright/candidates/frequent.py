"""Maximal frequent sequences: repeated phrases in full length."""

import numpy as np

from keywright.candidates.ngrams import WordRule, ngrams
from keywright.candidates.words import content_words
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def maximal_frequent_sequences(
    document: AnalysedDocument, least: int, longest: int, allowed: WordRule = content_words
) -> Candidates:
    """Return sequences with at least ``least`` mentions that no longer such sequence contains.

    Ahonen-Myka, "Finding all maximal frequent sequences in text" (1999), without gaps between the words. Mentions
    inside longer sequences count, so each part of a frequent sequence is frequent, and only maximal ones are returned.

    Args:
        document: the analysed document.
        least: minimum mentions in the document.
        longest: maximum tokens of a sequence.
        allowed: tokens of a sequence; all others, and ends of sentences, end it.
    """
    sequences = ngrams(document, longest, allowed)
    frequent = sequences.where(sequences.frequency >= least)
    start, end = frequent.positions, frequent.positions + frequent.widths
    # Interval containment without comparing pairs: a mention is inside another one that begins at the same token and
    # ends later, or begins earlier and ends no earlier; running maxima of the ends answer both.
    end_from = np.zeros(len(document) + 1, np.int64)  # [token + 1]: latest end of a mention that begins at the token
    np.maximum.at(end_from[1:], start, end)
    end_before = np.maximum.accumulate(end_from)
    inside = (end_from[start + 1] > end) | (end_before[start] >= end)
    return frequent.where(np.bincount(frequent.owner[inside], minlength=len(frequent)) == 0)
