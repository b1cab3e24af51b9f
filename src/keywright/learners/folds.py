"""Folds by document name: the same in whatever order, on every machine."""

import hashlib
from collections.abc import Sequence

import numpy as np

from keywright.core.arrays import Ints


def assign_folds(names: Sequence[str], number: int) -> Ints:
    """Return the fold of each entry, (entries,); equal names are in one fold.

    Args:
        names: of each entry's document.
        number: of folds, whose sizes in distinct names differ by at most 1.
    """
    order = sorted(set(names), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    fold = {name: place % number for place, name in enumerate(order)}
    return np.array([fold[name] for name in names], int)
