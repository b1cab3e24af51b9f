"""N-grams: sequences of up to ``longest`` tokens within a sentence."""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.candidates.grouping import grouped
from keywright.candidates.words import content_words, signs, signs_and_stop_words, words_and_numbers
from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import unknown
from keywright.text.keys import joined

WordRule: TypeAlias = Callable[[AnalysedDocument], Bools]
"""Which tokens may stand somewhere, (tokens,)."""


def ngrams(
    document: AnalysedDocument,
    longest: int,
    edges: WordRule = content_words,
    inside: WordRule | None = None,
    removed: WordRule | None = None,
) -> Candidates:
    """All n-grams of 1 to ``longest`` tokens that do not cross a sentence; an empty document gives none.

    Args:
        document: the analysed document.
        longest: most tokens of an n-gram, at least 1.
        edges: tokens that may be first or last.
        inside: tokens that may stand between; the same as ``edges`` when None.
        removed: tokens taken out before n-grams are formed, so that these run across them; none when None.
    """
    key, position, width = ngram_occurrences(document, longest, edges, inside, removed)
    return grouped(key, position, width)


def ngram_occurrences(
    document: AnalysedDocument,
    longest: int,
    edges: WordRule = content_words,
    inside: WordRule | None = None,
    removed: WordRule | None = None,
) -> tuple[Keys, Ints, Ints]:
    """Key, position and width in tokens of every occurrence, each (occurrences,), in reading order."""
    edge = edges(document)
    within = inside(document) | edge if inside else edge
    if removed:
        standing = np.flatnonzero(~removed(document))
        allowed = np.flatnonzero(within[standing])
        place = standing[allowed]
    else:
        allowed = place = np.flatnonzero(within)
    reach = _reach(allowed, document.sentence[place])
    edge, word = edge[place], document.word[place]
    token_key, token_parts = document.word_key[word], document.word_parts[word]

    total = len(place)
    keys = np.zeros((longest, total), np.uint64)
    ends = np.zeros((total, longest), bool)
    keys[:1] = token_key
    for n in range(2, min(longest, total) + 1):
        keys[n - 1, : total - n + 1] = joined(keys[n - 2, : total - n + 1], token_key[n - 1 :], token_parts[n - 1 :])
    for n in range(1, min(longest, total) + 1):
        here = slice(0, total - n + 1)
        ends[here, n - 1] = edge[here] & edge[n - 1 :] & (reach[here] >= n)
    first, less = np.nonzero(ends)
    position = place[first]
    return keys[less, first], position, place[first + less] - position + 1


def _reach(allowed: Ints, sentence: Ints) -> Ints:
    """How many neighbouring allowed tokens of one sentence follow from each on, itself included, (allowed,)."""
    begins = np.ones(len(allowed), bool)
    begins[1:] = (allowed[1:] > allowed[:-1] + 1) | (sentence[1:] > sentence[:-1])
    ends = np.append(np.flatnonzero(begins)[1:], len(allowed))
    return np.asarray(ends[np.cumsum(begins) - 1] - np.arange(len(allowed)))


StopWords: TypeAlias = Literal["anywhere", "edges", "nowhere", "ignored", "removed"]
_RULES: Final[dict[StopWords, tuple[WordRule, WordRule | None, WordRule | None]]] = {
    "anywhere": (content_words, None, None),
    "edges": (content_words, words_and_numbers, None),
    "nowhere": (words_and_numbers, None, None),
    "ignored": (words_and_numbers, None, signs),
    "removed": (words_and_numbers, None, signs_and_stop_words),
}


def plain_ngrams(document: AnalysedDocument, longest: int, stop_words: StopWords = "anywhere") -> Candidates:
    """N-grams under one of the usual ways with stop words.

    Args:
        document: the analysed document.
        longest: most tokens of an n-gram.
        stop_words: where they end an n-gram: ``anywhere`` in it, only at its ``edges``, or ``nowhere`` (stop words and
            numbers are words like others). ``ignored``: nowhere, and signs are thrown away first, so that n-grams run
            across them; ``removed``: stop words and signs are.

    Raises:
        UnknownName: there is no such way.
    """
    if stop_words not in _RULES:
        raise unknown("way with stop words", stop_words, _RULES, "keywright systems tfidf")
    edges, inside, removed = _RULES[stop_words]
    return ngrams(document, longest, edges, inside, removed)
