"""Word classes before and after the mentions of a candidate: whether these are whole noun phrases or parts of one.

*Vector machine* usually follows a noun, so it is part of a longer phrase, which may be too rare or too long to be a
candidate itself. Word classes come from the part-of-speech lexicon, as in ``tag_shares``.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import WordFlag
from keywright.features.description.described_candidates import DescribedCandidates
from keywright.features.description.tag_shares import share_of

_BEFORE: Final = {"noun": "N", "nominal": "NJG", "verb": "V", "preposition": "I", "determiner": "D"}
_AFTER: Final = {"noun": "N", "nominal": "NJG", "verb": "V", "preposition": "I"}
NAMES: Final = (
    *(f"{name} before" for name in _BEFORE),
    *(f"{name} behind" for name in _AFTER),
    "nothing before",
    "nothing behind",
    "whole",
    "first whole",
    "ever whole",
)
"""Columns of ``neighbours``; names of columns of the trained trees."""


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourWords:
    """Words on both sides of mentions, (mentions,) each.

    Attributes:
        before: word form before the mention; arbitrary where there is none.
        has_before: whether it is a word of the mention's sentence.
        after: word form after the mention; arbitrary where there is none.
        has_after: whether it is a word of the mention's sentence.
    """

    before: Ints
    has_before: Bools
    after: Ints
    has_after: Bools

    @classmethod
    def from_shortlist(cls, described: DescribedCandidates) -> Self:
        """Return the neighbours of all mentions of the shortlist."""
        positions = described.shortlist.positions
        return cls(*_words_at(described, positions - 1), *_words_at(described, positions + described.shortlist.widths))


def neighbours(described: DescribedCandidates, words: NeighbourWords, shares: Floats) -> dict[str, Floats]:
    """Return shares of word classes around the mentions of the shortlist, and how far these are whole noun phrases.

    A mention is whole with probability ``(1 - b) (1 - a)``: ``b`` is the share of noun, adjective, gerund or participle
    of the word before, ``a`` that of noun, gerund or participle of the word after; both are 0 for stop words, signs and
    ends of sentences. *First whole* is the value of the first mention, *ever whole* the maximum; all other columns are
    means over the mentions. Columns are by ``NAMES``, (shortlist,) each, 0 to 1; ``shares`` are (words, classes).
    """
    shortlist = described.shortlist
    if not len(shortlist):
        return dict.fromkeys(NAMES, np.zeros(0))
    before, has_before, after, has_after = words.before, words.has_before, words.after, words.has_after
    content = described.document.word_flags & int(WordFlag.STOP) == 0
    extended_left = (share_of("NJG", shares) * content)[before] * has_before
    extended_right = (share_of("NG", shares) * content)[after] * has_after
    whole = (1 - extended_left) * (1 - extended_right)
    by_mention = [
        *(share_of(classes, shares)[before] * has_before for classes in _BEFORE.values()),
        *(share_of(classes, shares)[after] * has_after for classes in _AFTER.values()),
        ~has_before,
        ~has_after,
        whole,
    ]
    heads = shortlist.offsets[:-1]
    # Segmented sum: mentions of a candidate are adjacent, so one ``reduceat`` sums all columns of all candidates.
    means = np.add.reduceat(np.array(by_mention, float), heads, axis=1) / shortlist.frequency
    return dict(zip(NAMES, (*means, whole[heads], np.maximum.reduceat(whole, heads)), strict=True))


def _words_at(described: DescribedCandidates, token: Ints) -> tuple[Ints, Bools]:
    """Return the word forms of tokens beside mentions and whether these are words of the same sentence, (mentions,)."""
    document = described.document
    exists = (token >= 0) & (token < len(document))
    token = np.where(exists, token, 0)
    word = document.word[token]
    is_word = document.word_flags[word] & int(WordFlag.PUNCTUATION) == 0
    return word, exists & is_word & (document.sentence[token] == document.sentence[described.shortlist.positions])
