"""Maximal frequent sequences: what is repeated, in full length."""

import numpy as np

from keywright.candidates.ngrams import WordRule, ngrams
from keywright.candidates.words import content_words
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def maximal_frequent_sequences(
    document: AnalysedDocument, least: int, longest: int, allowed: WordRule = content_words
) -> Candidates:
    """Sequences mentioned ``least`` times or more that lie in no longer such sequence; an empty document gives none.

    Ahonen-Myka, "Finding all maximal frequent sequences in text" (1999), without gaps between the words. Mentions
    inside longer sequences count, so each part of a frequent sequence is frequent, and only maximal ones are kept.

    Args:
        document: the analysed document.
        least: fewest mentions in the document.
        longest: most tokens of a sequence.
        allowed: tokens that may stand in one; others, and ends of sentences, end it.
    """
    found = ngrams(document, longest, allowed)
    frequent = found.where(found.frequency >= least)
    start, end = frequent.positions, frequent.positions + frequent.widths
    end_from = np.zeros(len(document) + 1, np.int64)  # [token + 1]: end of the longest that begins at the token
    np.maximum.at(end_from[1:], start, end)
    end_before = np.maximum.accumulate(end_from)
    inside = (end_from[start + 1] > end) | (end_before[start] >= end)
    return frequent.where(np.bincount(frequent.owner[inside], minlength=len(frequent)) == 0)
