"""Phrases that people use together: what the best candidates say for the others."""

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.lexicons import pair_keys


def company(candidates: Candidates, best: Ints, lists: PhraseCounts, pairs: PhraseCounts) -> Floats:
    """How usual each candidate is in lists of keyphrases beside the best candidates, at least 0, (candidates,).

    The mean, over the best other than the candidate itself, of ``log(1 + P)``, where P is the share of the lists with
    the best one that also have the candidate; 0 for one in no list. 0 for all where ``best`` is empty.

    Args:
        candidates: of one document.
        best: indices of some of them, each once, (best,).
        lists: lists with a phrase.
        pairs: lists with both phrases of a pair, by ``pair_keys``.
    """
    friends = candidates.key[best]
    asked = pair_keys(candidates.key[:, None], friends[None, :])
    together = pairs.of(asked.ravel()).reshape(asked.shape)
    shares = together / np.maximum(lists.of(friends), 1)
    itself = candidates.key[:, None] == friends[None, :]
    others = np.maximum((~itself).sum(axis=1), 1)
    return np.asarray(np.log1p(np.where(itself, 0.0, shares)).sum(axis=1) / others)
