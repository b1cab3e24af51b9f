"""Phrases that say nearly what a better phrase has said: nested ones, and the same words in another order.

A rule like maximal marginal relevance (Carbonell and Goldstein 1998) with a bound in place of a trade-off: scores of
different systems have no common scale, a similarity of words has. So the order stays, and a longer list begins with the
shorter one.
"""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from keywright.core.arrays import Ints


def unrepeated(words: Sequence[Collection[str]], diversity: float) -> Ints:
    """Which phrases are no near repetition of a better one that is kept, (kept,), indices in order.

    Two phrases are as like as the share of words they have in common (Dice: twice the common ones over all of both).
    *Sensor networks* is like *wireless sensor networks* by 0.8, *networks* by 0.67, *sensor data* by 0.5.

    Args:
        words: stems of each phrase's words, best phrase first; a phrase without words stays.
        diversity: 0 to 1. The later of two phrases goes when they are more alike than 1 less this: with 0 none goes,
            with 1 no two phrases share a word.
    """
    if diversity <= 0:
        return np.arange(len(words))
    kept: list[int] = []
    holders: dict[str, list[int]] = {}
    size = [len(set(own)) for own in words]
    for index, own in enumerate(words):
        common = Counter(other for word in set(own) for other in holders.get(word, ()))
        # With diversity 1 the bound is 0 and any common word is too much; rounding must not let one pass elsewhere.
        likeness = (2 * count / (size[index] + size[other]) for other, count in common.items())
        if any(like > 1 - diversity + 1e-9 for like in likeness):
            continue
        kept.append(index)
        for word in set(own):
            holders.setdefault(word, []).append(index)
    return np.array(kept, np.int64)
