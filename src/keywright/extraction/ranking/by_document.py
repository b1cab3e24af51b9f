"""Rankings of a batch: decisions for each of its documents, such as the length with the best expected F1."""

import itertools
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, count_rows, pad_segments
from keywright.core.candidates import Candidates
from keywright.core.errors import BadParameter

ROUNDING: Final = 1e-12  # differences of expected F1 that are rounding errors


def count_by_expected_f1(probabilities: Floats, most: int | None = None) -> int:
    """Return the smallest number of phrases with the largest expected F1; at least 1, but 0 of no phrases.

    If phrases are keyphrases independently of each other, the best choice of k is the k most probable (Lewis 1995:
    Evaluating and optimizing autonomous text classification systems). Their F1 is 2 · hits / (k + keyphrases); the
    expected ratio is approximated by the ratio of expectations, 2 (p1 + ... + pk) / (k + p1 + ... + pn), which grows
    while the next probability exceeds half of it (Lipton, Elkan and Narayanaswamy 2014: Optimal thresholding of
    classifiers to maximize F1 measure). The exact expectation takes quadratic time (Ye, Chai, Lee and Chieu 2012:
    Optimizing F-measure: a tale of two approaches); the approximation loses .07 in the worst case known, one certain
    phrase and two with .36, and less than .005 for lists like those of documents.

    Keyphrases that are not on the list are ignored. ``probabilities``: of all candidates, also those beyond ``most``,
    best first, (phrases,); ``most``: maximum count, at least 1.
    """
    wrong = probabilities[~((probabilities >= 0) & (probabilities <= 1))]
    if len(wrong):
        raise BadParameter(f"probability {wrong[0]}", "expected numbers from 0 to 1")
    if (np.diff(probabilities) > 0).any():
        raise BadParameter("probabilities increase down the list", "give them best first")
    if most is not None and most < 1:
        raise BadParameter(f"most {most}", "expected a number from 1")
    return int(counts_by_expected_f1(probabilities, np.array([0, len(probabilities)]), most)[0])


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
    """Return log-odds of the shortlist, and lower scores in the order of weights behind it, (candidates,)."""
    scores = np.empty(len(weight))
    scores[in_shortlist] = log_odds
    for begin, end in itertools.pairwise(bounds.tolist()):
        listed = in_shortlist[begin:end]
        if not listed.all():
            least = scores[begin:end][listed].min(initial=0.0)
            behind = np.empty(end - begin)
            order = np.argsort(-weight[begin:end], kind="stable")
            behind[order] = least - 1 - np.arange(end - begin) / (end - begin)
            scores[begin:end][~listed] = behind[~listed]
    return scores


def counts_by_expected_f1(probabilities: Floats, bounds: Ints, most: int | None = None) -> Ints:
    """Return ``count_by_expected_f1`` of documents with ``bounds``, (documents,), candidates in any order."""
    # Padded with -1 behind the shorter documents, so that one sort and one running sum serve all of them.
    matrix = np.sort(pad_segments(probabilities, bounds, -1.0), axis=1)[:, ::-1]
    behind = matrix < 0
    hits = np.cumsum(np.where(behind, 0.0, matrix), axis=1)
    expected = np.where(behind, -1.0, 2 * hits / (np.arange(1, hits.shape[1] + 1) + hits[:, -1:]))[:, :most]
    best = expected.max(axis=1, initial=-1.0, keepdims=True)
    counts = np.argmax(expected >= best - ROUNDING, axis=1) + 1 if hits.shape[1] else np.zeros(len(hits), np.int64)
    return np.where(count_rows(bounds) > 0, counts, 0)
