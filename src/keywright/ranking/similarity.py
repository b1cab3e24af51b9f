"""Phrases that are spelt nearly alike: of each such pair only the better one stays."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints

_LETTERS: Final = 64
"""Characters share this many bins, which can only make two phrases look more alike than they are."""


def unlike(texts: Sequence[str], threshold: float, most: int | None = None) -> Ints:
    """Which phrases are not too like a better one, (kept,), indices in order.

    Args:
        texts: phrases, best first.
        threshold: the similarity, 0 to 1, above which the later of two phrases goes; from 1 on all stay.
        most: how many are wanted; all when None. The first ones are the same, however many are wanted.
    """
    if threshold >= 1:
        return np.arange(len(texts))[:most]
    counts = np.zeros((len(texts), _LETTERS), np.int32)
    length = np.fromiter(map(len, texts), np.int64, len(texts))
    kept: list[int] = []
    for index, text in enumerate(texts):
        if most is not None and len(kept) >= most:
            break
        counts[index] = np.bincount([ord(letter) % _LETTERS for letter in text], minlength=_LETTERS)
        close = np.array(kept, np.int64)
        close = close[_may_be_like(length, close, index, threshold)]
        difference = counts[close] - counts[index]
        # An edit mends at most one surplus letter and one missing one, so the distance is at least either.
        least = np.maximum(np.maximum(difference, 0).sum(axis=1), np.maximum(-difference, 0).sum(axis=1))
        close = close[1 - least / np.maximum(length[close], length[index]) > threshold]
        if not any(similarity(text, texts[other]) > threshold for other in close.tolist()):
            kept.append(index)
    return np.array(kept, np.int64)


def _may_be_like(length: Ints, others: Ints, index: int, threshold: float) -> Bools:
    """Whether lengths alone leave the possibility, (others,)."""
    longer = np.maximum(length[others], length[index])
    shorter = np.minimum(length[others], length[index])
    return np.asarray(shorter > threshold * longer)


def similarity(left: str, right: str) -> float:
    """1 less the Levenshtein distance over the longer length, 0 to 1; 1 for two empty texts."""
    longer = max(len(left), len(right))
    return 1 - distance(left, right) / longer if longer else 1.0


def distance(left: str, right: str) -> int:
    """Fewest letters to insert, delete or replace that turn one text into the other (Levenshtein 1966)."""
    row = list(range(len(right) + 1))
    for above, letter in enumerate(left, 1):
        diagonal, row[0] = row[0], above
        for at, other in enumerate(right, 1):
            diagonal, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, diagonal + (letter != other))
    return row[-1]
