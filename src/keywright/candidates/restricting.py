"""Candidates of one document restricted to some: by tokens, frequency, paragraphs and stop lists by position."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.candidates.grouping import regrouped
from keywright.candidates.ngrams import WordRule, ngrams
from keywright.candidates.words import content_words
from keywright.core.arrays import Bools
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument


def mentions_among(candidates: Candidates, tokens: Bools) -> Candidates:
    """Return the candidates with only those occurrences whose tokens a mask (tokens,) marks.

    Frequencies and first mentions are those of the remaining occurrences; candidates without any are left out.
    """
    # Prefix sums: a span is wholly inside where as many tokens are marked as it has.
    before = np.concatenate(([0], np.cumsum(tokens)))
    inside = before[candidates.positions + candidates.widths] - before[candidates.positions] == candidates.widths
    return regrouped(candidates.key[candidates.owner[inside]], candidates.positions[inside], candidates.widths[inside])


def joined(left: Candidates, right: Candidates) -> Candidates:
    """Return the union of candidates of one document; an occurrence in both counts once."""
    key = np.concatenate((np.repeat(left.key, left.frequency), np.repeat(right.key, right.frequency)))
    position = np.concatenate((left.positions, right.positions))
    width = np.concatenate((left.widths, right.widths))
    _, once = np.unique(np.stack((position, width)), axis=1, return_index=True)
    return regrouped(key[once], position[once], width[once])


def maximal_frequent_sequences(
    document: AnalysedDocument, least: int, longest: int, allowed: WordRule = content_words
) -> Candidates:
    """Return sequences with at least ``least`` mentions that no longer such sequence contains.

    Ahonen-Myka, "Finding all maximal frequent sequences in text" (1999), without gaps between the words. Mentions
    inside longer sequences count, so each part of a frequent sequence is frequent, and only maximal ones are returned.
    Tokens that are not ``allowed``, and ends of sentences, end a sequence.
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


def paragraph_openings(document: AnalysedDocument) -> Bools:
    """Return whether each token is in the first sentence of a paragraph, (tokens,).

    A sentence that begins a line counts as the first of a paragraph. In text with wrapped lines that also holds for
    some sentences in the middle of a paragraph, by chance.
    """
    heads = np.flatnonzero(np.diff(document.sentence, prepend=-1))
    before = np.where(heads > 0, document.end[np.maximum(heads - 1, 0)], 0) if len(document) else heads
    text = document.source.text
    gaps = zip(before.tolist(), document.start[heads].tolist(), strict=True)
    opens = np.array([not end or "\n" in text[end:start] for end, start in gaps], bool)
    return np.repeat(opens, np.diff(np.append(heads, len(document))))


Place: TypeAlias = Literal["start", "middle", "end", "alone"]
"""Position of a word in a phrase; ``alone`` for the word of a one-word phrase."""
_ANYWHERE: Final = "anywhere"
_ENDINGS: Final = ("", "s", "es")
"""Endings of regular plurals, so that the lists need singulars only."""


@lru_cache(maxsize=1)
def black_lists() -> Mapping[str, frozenset[str]]:
    """Return forbidden English word forms in lower case, by ``Place``."""
    text = resources.files("keywright.candidates").joinpath("black_lists_en.txt").read_text("utf-8")
    words: dict[str, list[str]] = {}
    place = ""
    for line in text.splitlines():
        if line.startswith("["):
            place = line.strip("[]")
        elif not line.startswith("#"):
            words.setdefault(place, []).extend(line.split())
    places = [place for place in words if place and place != _ANYWHERE]
    return {
        place: frozenset(word + ending for word in words[place] + words[_ANYWHERE] for ending in _ENDINGS)
        for place in places
    }


def black_listed(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether the first mention has a word where a list forbids it, (candidates,)."""
    first, last = candidates.first, candidates.first + candidates.length - 1
    single = candidates.length == 1
    # Prefix sums: forbidden words inside a span are a difference of two cumulative counts, whatever its length.
    before_middle = np.concatenate(([0], np.cumsum(_forbidden(document, "middle"))))
    in_middle = before_middle[last] > before_middle[np.minimum(first + 1, last)]
    at_edge = _forbidden(document, "start")[first] | _forbidden(document, "end")[last]
    return np.where(single, _forbidden(document, "alone")[first], at_edge | in_middle)


def _forbidden(document: AnalysedDocument, place: Place) -> Bools:
    """Return whether each token is on the list of a place, (tokens,)."""
    listed = black_lists()[place]
    return np.fromiter((word in listed for word in document.words), bool, len(document.words))[document.word]
