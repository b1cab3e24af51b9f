"""Co-usage: how often authors use candidates joint with the best ones."""

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.lexicons import pair_keys


def mean_co_usage(candidates: Candidates, best: Ints, lists: PhraseCounts, pairs: PhraseCounts) -> Floats:
    """Return how often keyphrase lists with the best candidates also have each candidate, at least 0, (candidates,).

    The mean over the best candidates, without the candidate itself, of ``log(1 + P)``: P is the share of the lists with
    the best one that also have the candidate. 0 for a candidate in no list, and for all where ``best`` is empty.
    """
    best_keys = candidates.key[best]
    keys = pair_keys(candidates.key[:, None], best_keys[None, :])
    joint = pairs.of(keys.ravel()).reshape(keys.shape)
    shares = joint / np.maximum(lists.of(best_keys), 1)
    itself = candidates.key[:, None] == best_keys[None, :]
    others = np.maximum((~itself).sum(axis=1), 1)
    return np.asarray(np.log1p(np.where(itself, 0.0, shares)).sum(axis=1) / others)
