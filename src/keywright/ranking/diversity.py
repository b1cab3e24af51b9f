"""Removal of phrases that nearly repeat a better one, by their words or by their spelling.

The rule for words, nested or in another order, is like maximal marginal relevance (Carbonell and Goldstein 1998) with a
threshold instead of a trade-off: scores of different systems have no common scale, but word overlap has. So the order
stays, and a longer list begins with the shorter one.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints

_ROUNDING: Final = 1e-9
"""Excess over the threshold that is a rounding error."""


def without_near_repetitions(words: Sequence[Collection[str]], diversity: float) -> Ints:
    """Return the indices of phrases that do not nearly repeat a better one, in order, (remaining,).

    The similarity of two phrases is their Dice coefficient, twice the common words over the words of both. *Sensor
    networks* has 0.8 with *wireless sensor networks*, 0.67 with *networks*, 0.5 with *sensor data*.

    Args:
        words: stems of each phrase's words, best phrase first; a phrase without words stays.
        diversity: 0 to 1. The later of two phrases is removed if their similarity exceeds 1 minus this: with 0 none is,
            with 1 no two phrases share a word.
    """
    if diversity <= 0:
        return np.arange(len(words))
    remaining: list[int] = []
    phrases_with: dict[str, list[int]] = {}  # inverted index: only phrases with a common word are compared
    distinct = [set(phrase) for phrase in words]
    for index, phrase in enumerate(distinct):
        common = Counter(other for word in phrase for other in phrases_with.get(word, ()))
        dice = (2 * count / (len(phrase) + len(distinct[other])) for other, count in common.items())
        if any(value > 1 - diversity + _ROUNDING for value in dice):
            continue
        remaining.append(index)
        for word in phrase:
            phrases_with.setdefault(word, []).append(index)
    return np.array(remaining, np.int64)


_BINS: Final = 64
"""Bins of characters; arbitrary: sharing a bin only weakens the bound on the distance."""


def without_similar(texts: Sequence[str], threshold: float, most: int | None = None) -> Ints:
    """Return the indices of phrases that are not too similar to a better one, in order, (remaining,).

    The later of two phrases is removed if their similarity is above the threshold, 0 to 1. A shorter list is the
    beginning of a longer one.
    """
    if threshold >= 1:
        return np.arange(len(texts))[:most]
    counts = np.zeros((len(texts), _BINS), np.int32)
    length = np.fromiter(map(len, texts), np.int64, len(texts))
    remaining: list[int] = []
    for index, text in enumerate(texts):
        if most is not None and len(remaining) >= most:
            break
        counts[index] = np.bincount([ord(letter) % _BINS for letter in text], minlength=_BINS)
        close = np.array(remaining, np.int64)
        close = close[_may_be_similar(length, close, index, threshold)]
        difference = counts[close] - counts[index]
        # Bag distance: an edit removes at most one surplus and one missing letter, so the distance is at least either.
        # The bound excludes nearly all pairs without computing their distance.
        least = np.maximum(np.maximum(difference, 0).sum(axis=1), np.maximum(-difference, 0).sum(axis=1))
        close = close[1 - least / np.maximum(length[close], length[index]) > threshold]
        if not any(similarity(text, texts[other]) > threshold for other in close.tolist()):
            remaining.append(index)
    return np.array(remaining, np.int64)


def _may_be_similar(length: Ints, others: Ints, index: int, threshold: float) -> Bools:
    """Return whether the lengths allow a similarity above the threshold, (others,)."""
    longer = np.maximum(length[others], length[index])
    shorter = np.minimum(length[others], length[index])
    return np.asarray(shorter > threshold * longer)


def similarity(left: str, right: str) -> float:
    """Return 1 minus the Levenshtein distance over the longer length, 0 to 1; 1 for two empty texts."""
    longer = max(len(left), len(right))
    return 1 - distance(left, right) / longer if longer else 1.0


def distance(left: str, right: str) -> int:
    """Return the minimum number of insertions, deletions and replacements between two texts (Levenshtein 1966)."""
    row = list(range(len(right) + 1))
    for above, letter in enumerate(left, 1):
        diagonal, row[0] = row[0], above
        for at, other in enumerate(right, 1):
            diagonal, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, diagonal + (letter != other))
    return row[-1]
