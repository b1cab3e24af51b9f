"""Runs: allowed tokens that stand side by side, as long as they get; nouns and adjectives, first of all."""

from typing import Final

import numpy as np

from keywright.candidates.grouping import grouped
from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.text.keys import joined
from keywright.text.tag_classes import tag_classes

_NOUN_OR_ADJECTIVE: Final = np.frombuffer(b"NJ", np.uint8)


def runs(document: AnalysedDocument, allowed: Bools) -> Candidates:
    """Longest runs of allowed tokens inside a sentence, of any length; no allowed token gives none.

    Args:
        document: the analysed document.
        allowed: tokens that may stand in a run, (tokens,).
    """
    place = np.flatnonzero(allowed)
    begins = np.ones(len(place), bool)
    begins[1:] = (np.diff(place) > 1) | (np.diff(document.sentence[place]) > 0)
    heads = np.flatnonzero(begins)
    return spans(document, place[heads], np.diff(np.append(heads, len(place))))


def spans(document: AnalysedDocument, position: Ints, width: Ints) -> Candidates:
    """Given stretches of tokens as candidates, in any number.

    Args:
        document: the analysed document.
        position: where each begins, ascending, (stretches,).
        width: its tokens, at least 1, (stretches,).
    """
    key = document.word_key[document.word[position]]
    for reached in range(1, int(width.max(initial=0))):
        longer = np.flatnonzero(width > reached)
        word = document.word[position[longer] + reached]
        key[longer] = joined(key[longer], document.word_key[word], document.word_parts[word])
    return grouped(key, position, width)


def nouns_and_adjectives(document: AnalysedDocument) -> Bools:
    """Tokens of which noun phrases are made, (tokens,).

    Raises:
        NeedsUnmet: the document has no tags.
    """
    return np.isin(np.frombuffer(tag_classes(document).encode(), np.uint8), _NOUN_OR_ADJECTIVE)
