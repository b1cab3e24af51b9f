"""Rankings of a batch: what is decided for each of its documents from the columns of all candidates."""

import itertools

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.segments import padded, sizes
from keywright.ranking.counting import ROUNDING


def candidates_of(candidates: Candidates, begin: int, end: int, token: int) -> Candidates:
    """Return the candidates from ``begin`` to before ``end``, of the document that begins with a token of the batch."""
    occurrences = slice(int(candidates.offsets[begin]), int(candidates.offsets[end]))
    return Candidates(
        key=candidates.key[begin:end],
        length=candidates.length[begin:end],
        frequency=candidates.frequency[begin:end],
        first=candidates.first[begin:end] - token,
        last=candidates.last[begin:end] - token,
        offsets=candidates.offsets[begin : end + 1] - occurrences.start,
        positions=candidates.positions[occurrences] - token,
        widths=candidates.widths[occurrences],
    )


def with_scores_behind(weight: Floats, log_odds: Floats, in_shortlist: Bools, bounds: Ints) -> Floats:
    """Return log-odds of the shortlist, and lower scores in the order of weights behind it, (candidates,).

    ``bounds``: of the documents among the candidates, (documents + 1,).
    """
    scores = np.empty(len(weight))
    scores[in_shortlist] = log_odds
    for begin, end in itertools.pairwise(bounds.tolist()):
        listed = in_shortlist[begin:end]
        if not listed.all():
            of_document = scores[begin:end]
            behind = _scores_behind(weight[begin:end], of_document[listed].min(initial=0.0))
            of_document[~listed] = behind[~listed]
    return scores


def _scores_behind(weight: Floats, least: float) -> Floats:
    """Return scores below ``least`` in the order of weights, (candidates,), for what is behind the shortlist."""
    scores = np.empty(len(weight))
    scores[np.argsort(-weight, kind="stable")] = least - 1 - np.arange(len(weight)) / max(1, len(weight))
    return scores


def counts_by_expected_f1(probabilities: Floats, bounds: Ints) -> Ints:
    """Return ``counting.count_by_expected_f1`` for each of several documents, (documents,).

    ``probabilities``: of the candidates of all documents, of each in any order, (candidates,); ``bounds``: of the
    documents among them, (documents + 1,).
    """
    # Padded with -1 behind the shorter documents, so that one sort and one running sum serve all of them.
    matrix = np.sort(padded(probabilities, bounds, -1.0), axis=1)[:, ::-1]
    behind = matrix < 0
    hits = np.cumsum(np.where(behind, 0.0, matrix), axis=1)
    expected = np.where(behind, -1.0, 2 * hits / (np.arange(1, hits.shape[1] + 1) + hits[:, -1:]))
    best = expected.max(axis=1, initial=-1.0, keepdims=True)
    counts = np.argmax(expected >= best - ROUNDING, axis=1) + 1 if hits.shape[1] else np.zeros(len(hits), np.int64)
    return np.where(sizes(bounds) > 0, counts, 0)
