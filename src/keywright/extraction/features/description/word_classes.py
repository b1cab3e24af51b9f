"""Word classes of a candidate's first mention, and before and after its mentions, from a lexicon: no tagger needed.

Words are taken to be tagged independently of each other, so that the probability of classes is a product of shares.
"""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import WordFlag
from keywright.extraction.features.description.described_candidates import DescribedCandidates, WordValues
from keywright.text.tag_lexicon import CLASSES


def class_columns(shares: Floats) -> dict[str, Floats]:
    """Return the shares of all classes and unions in ``_CLASSES``, (words,) each, from shares (words, classes)."""
    return {classes: share_of(classes, shares) for classes in _CLASSES}


def share_of(classes: str, shares: Floats) -> Floats:
    """Return the sum of the shares of some classes, (words,), from shares (words, classes)."""
    first, *others = (shares[:, CLASSES.index(letter)] for letter in classes)
    return np.asarray(sum(others, first))


def function_words_inside(words: WordValues) -> Floats:
    """Return the expected number of function words between the first and the last word, (candidates,)."""
    edges = words.first["IDPX"] + np.where(words.size > 1, words.last["IDPX"], 0)
    return np.asarray(np.maximum(words.sum["IDPX"] - edges, 0))


def noun_phrase(words: WordValues) -> Floats:
    """Return the probability of the classes ``(J|N|G)*N``, 0 to 1, (candidates,)."""
    all_but_last = np.where(words.present[1:], words.at["NJG"][:-1], 1)
    return np.asarray(all_but_last.prod(axis=0) * words.last["N"])


def noun_phrase_with_prepositions(words: WordValues) -> Floats:
    """Return the probability of ``(J|N|G)*N(I D?(J|N|G)*N)*`` (*quality of service*), 0 to 1, (candidates,)."""
    # Forward algorithm: the probability of each state of a three-state automaton, one step per word for all
    # candidates at once, instead of a sum over all sequences of classes.
    noun, modifier, joint, article = (words.at[classes] for classes in ("N", "JG", "I", "D"))
    complete = np.zeros(noun.shape)  # after each word
    any_state: Floats | float = 1.0
    after_joint: Floats | float = 0.0
    for place in range(len(noun)):
        wants_noun = any_state * modifier[place] + after_joint * article[place]
        after_joint = complete[place - 1] * joint[place] if place else 0.0
        complete[place] = any_state * noun[place]
        any_state = wants_noun + complete[place] + after_joint
    return np.asarray(complete[words.size - 1, np.arange(len(words.size))])


_CLASSES: Final = ("N", "NJ", "G", "NJG", "V", "IDPX", "JG", "I", "D")  # unions of classes that the features read

SHARES: Final[Mapping[str, Callable[[WordValues], Floats]]] = {
    "noun_last": lambda words: words.last["N"],
    "nominal_first": lambda words: words.first["NJ"],
    "gerund_last": lambda words: words.last["G"],
    "least_nominal": lambda words: words.min["NJG"],
    "mean_nominal": lambda words: words.mean["NJG"],
    "most_verbal": lambda words: words.max["V"],
    "function_words_inside": function_words_inside,
    "noun_phrase": noun_phrase,
    "noun_phrase_with_prepositions": noun_phrase_with_prepositions,
}
"""Columns of a candidate by name, (candidates,), in the order of the trained columns; letters as in ``CLASSES``."""


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
"""Columns of ``neighbours``; names of columns of the trained trees."""


def find_neighbours(described: DescribedCandidates) -> tuple[tuple[Ints, Bools], tuple[Ints, Bools]]:
    """Return the word forms before, and behind, the mentions, and whether there is one, (mentions,) each."""
    document, positions = described.document, described.shortlist.positions
    first, end = (document.bounds[document.numbers(positions) + side] for side in (0, 1))

    def words_at(token: Ints) -> tuple[Ints, Bools]:
        exists = (token >= first) & (token < end)
        token = np.where(exists, token, first)
        word = document.word[token]
        is_word = document.word_flags[word] & int(WordFlag.PUNCTUATION) == 0
        return word, exists & is_word & (document.sentence[token] == document.sentence[positions])

    return words_at(positions - 1), words_at(positions + described.shortlist.widths)


def neighbours(
    described: DescribedCandidates, before: tuple[Ints, Bools], behind: tuple[Ints, Bools], shares: Floats
) -> dict[str, Floats]:
    """Return shares of word classes around the mentions of the shortlist, and how far these are whole noun phrases.

    A mention is whole with probability ``(1 - b) (1 - a)``: ``b`` is the share of noun, adjective, gerund or participle
    of the word before, ``a`` that of noun, gerund or participle of the word after; both are 0 for stop words, signs and
    ends of sentences. *First whole* is the value of the first mention, *ever whole* the maximum; all other columns are
    means over the mentions. Columns are by ``NAMES``, (shortlist,) each, 0 to 1; ``before`` and ``behind`` are those of
    ``find_neighbours``, ``shares`` are (words, classes).
    """
    shortlist = described.shortlist
    if not len(shortlist):
        return dict.fromkeys(NAMES, np.zeros(0))
    (left, has_left), (right, has_right) = before, behind
    content = described.document.word_flags & int(WordFlag.STOP) == 0
    extended_left = (share_of("NJG", shares) * content)[left] * has_left
    extended_right = (share_of("NG", shares) * content)[right] * has_right
    whole = (1 - extended_left) * (1 - extended_right)
    by_mention = [
        *(share_of(classes, shares)[left] * has_left for classes in _BEFORE.values()),
        *(share_of(classes, shares)[right] * has_right for classes in _BEHIND.values()),
        ~has_left,
        ~has_right,
        whole,
    ]
    heads = shortlist.offsets[:-1]
    # Segmented sum: mentions of a candidate are adjacent, so one ``reduceat`` sums all columns of all candidates.
    means = np.add.reduceat(np.array(by_mention, float), heads, axis=1) / shortlist.frequency
    return dict(zip(NAMES, (*means, whole[heads], np.maximum.reduceat(whole, heads)), strict=True))
