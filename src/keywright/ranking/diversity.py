"""Near repetitions of better phrases: nested ones, and the same words in another order.

A rule like maximal marginal relevance (Carbonell and Goldstein 1998) with a threshold instead of a trade-off: scores of
different systems have no common scale, but word overlap has. So the order stays, and a longer list begins with the
shorter one.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Ints

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
