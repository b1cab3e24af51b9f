"""Longest runs of adjacent allowed tokens, such as nouns and adjectives."""

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
    """Return the longest runs of allowed tokens, (tokens,), inside a sentence, of any length."""
    # Run-length encoding: a run begins where the position or the sentence jumps.
    place = np.flatnonzero(allowed)
    begins = np.ones(len(place), bool)
    begins[1:] = (np.diff(place) > 1) | (np.diff(document.sentence[place]) > 0)
    heads = np.flatnonzero(begins)
    return spans(document, place[heads], np.diff(np.append(heads, len(place))))


def spans(document: AnalysedDocument, position: Ints, width: Ints) -> Candidates:
    """Return spans of tokens as candidates: the first token of each, ascending, and tokens of each, (spans,) both."""
    # Rolling hash: all keys grow by one token per step, as long as their span is longer.
    key = document.word_key[document.word[position]]
    for reached in range(1, int(width.max(initial=0))):
        longer = np.flatnonzero(width > reached)
        word = document.word[position[longer] + reached]
        key[longer] = joined(key[longer], document.word_key[word], document.word_parts[word])
    return grouped(key, position, width)


def nouns_and_adjectives(document: AnalysedDocument) -> Bools:
    """Return whether each token is a noun or adjective, (tokens,)."""
    return np.isin(np.frombuffer(tag_classes(document).encode(), np.uint8), _NOUN_OR_ADJECTIVE)
