"""Variants of one phrase that stemming does not unite."""

from typing import Final

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined

_NOUN_OF_NOUN: Final = 3
"""Tokens of *recognition of speech*."""


def turned_round(candidates: Candidates, document: AnalysedDocument) -> Candidates:
    """Return candidates in which *recognition of speech* counts as *speech recognition*.

    Only three tokens with *of* in the middle are turned; phrases with articles or more words are not.
    """
    key = np.repeat(candidates.key, candidates.frequency)
    position, width = candidates.positions, candidates.widths
    of = np.array([word == "of" for word in document.words], bool)
    three = np.flatnonzero(width == _NOUN_OF_NOUN)
    turned = three[of[document.word[position[three] + 1]]]
    first, last = document.word[position[turned]], document.word[position[turned] + 2]
    key[turned] = joined(document.word_key[last], document.word_key[first], document.word_parts[first])
    return regrouped(key, position, width)
