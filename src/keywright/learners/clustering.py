"""k-means clustering."""

import warnings

import numpy as np

from keywright.core.arrays import Floats, Ints


def clusters(rows: Floats, number: int, seed: int = 1) -> Ints:
    """Return the number of each row's cluster, from 0 without gaps, (rows,), by k-means (Lloyd 1982).

    The first centres are drawn far apart from each other (Arthur and Vassilvitskii 2007). Fewer than ``number`` result
    where some become empty or there are fewer rows.
    """
    if len(rows) <= number:
        return np.arange(len(rows))
    from scipy.cluster.vq import kmeans2  # noqa: PLC0415  (heavy, and few systems need it)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # empty clusters are harmless: they are renumbered away
        _, cluster = kmeans2(rows, number, minit="++", rng=np.random.default_rng(seed))
    return np.asarray(np.unique(cluster, return_inverse=True)[1].reshape(-1))
