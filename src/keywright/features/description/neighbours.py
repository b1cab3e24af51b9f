"""What stands before and behind the mentions of a candidate: whether they are whole noun phrases or pieces of one.

*Vector machine* has mostly a noun before it, so it is a piece of something longer, which may be too rare or too long
to be a candidate itself. Classes of words come from the part-of-speech lexicon, as in ``tag_shares``.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import WordFlag
from keywright.features.description.described_candidates import View
from keywright.features.description.tag_shares import share_of

_BEFORE: Final = {"noun": "N", "nominal": "NJG", "verb": "V", "preposition": "I", "determiner": "D"}
_BEHIND: Final = {"noun": "N", "nominal": "NJG", "verb": "V", "preposition": "I"}
NAMES: Final = (
    *(f"{name} before" for name in _BEFORE),
    *(f"{name} behind" for name in _BEHIND),
    "nothing before",
    "nothing behind",
    "whole",
    "first whole",
    "ever whole",
)
"""Columns of ``neighbours``."""


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """What stands on both sides of mentions, (mentions,) each.

    Attributes:
        before: word form before the mention, whatever where there is none.
        open_before: whether it is a word of the mention's sentence.
        behind: word form behind the mention.
        open_behind: whether it is a word of the mention's sentence.
    """

    before: Ints
    open_before: Bools
    behind: Ints
    open_behind: Bools

    @classmethod
    def of(cls, view: View) -> Self:
        """The words on both sides of all mentions of the few."""
        few = view.few
        return cls(*_beside(view, few.positions - 1), *_beside(view, few.positions + few.widths))


def neighbours(view: View, beside: Beside, shares: Floats) -> dict[str, Floats]:
    """Shares of word classes of the words around the mentions of the few, and how far these are whole noun phrases.

    A sign, or an end of the sentence, is nothing. A mention is whole with probability ``(1 - b) (1 - n)``: ``b`` is the
    share of noun, adjective, gerund or participle of the word before, ``n`` that of noun, gerund or participle of the
    word behind, both 0 for stop words. *First whole* is that of the first mention, *ever whole* the greatest; all
    others are means over the mentions.

    Args:
        view: the candidates.
        beside: what stands on both sides of their mentions.
        shares: of the classes of each word form of the document, (words, classes).

    Returns:
        Columns by ``NAMES``, (few,) each, 0 to 1.
    """
    few, document = view.few, view.document
    if not len(few):
        return dict.fromkeys(NAMES, np.zeros(0))
    before, open_before, behind, open_behind = beside.before, beside.open_before, beside.behind, beside.open_behind
    content = document.word_flags & int(WordFlag.STOP) == 0
    extended_left = (share_of("NJG", shares) * content)[before] * open_before
    extended_right = (share_of("NG", shares) * content)[behind] * open_behind
    whole = (1 - extended_left) * (1 - extended_right)
    of_mentions = [
        *(share_of(classes, shares)[before] * open_before for classes in _BEFORE.values()),
        *(share_of(classes, shares)[behind] * open_behind for classes in _BEHIND.values()),
        ~open_before,
        ~open_behind,
        whole,
    ]
    begins = few.offsets[:-1]
    means = np.add.reduceat(np.array(of_mentions, float), begins, axis=1) / few.frequency
    return dict(zip(NAMES, (*means, whole[begins], np.maximum.reduceat(whole, begins)), strict=True))


def _beside(view: View, token: Ints) -> tuple[Ints, Bools]:
    """Word forms of tokens beside mentions, and whether they are words of the mentions' sentences, (mentions,) each."""
    document = view.document
    there = (token >= 0) & (token < len(document))
    token = np.where(there, token, 0)
    word = document.word[token]
    is_word = document.word_flags[word] & int(WordFlag.PUNCTUATION) == 0
    return word, there & is_word & (document.sentence[token] == document.sentence[view.few.positions])
