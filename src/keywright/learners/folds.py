"""Documents dealt out to folds by their names: the same whatever their order, on every machine."""

import hashlib
from collections.abc import Sequence

import numpy as np

from keywright.core.arrays import Ints


def dealt(names: Sequence[str], number: int) -> Ints:
    """The fold of each entry, (entries,): names are dealt out in the order of their digests, equal ones to one fold.

    Args:
        names: of each entry's document.
        number: of folds, whose sizes in different names differ by at most 1.
    """
    order = sorted(set(names), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    fold = {name: place % number for place, name in enumerate(order)}
    return np.array([fold[name] for name in names], int)
