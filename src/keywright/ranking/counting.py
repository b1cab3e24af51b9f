"""Length of a list that maximises the expected F1, from the probabilities of its phrases."""

from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter

ROUNDING: Final = 1e-12
"""Differences of expected F1 that are rounding errors."""


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
    _check(probabilities)
    if most is not None and most < 1:
        raise BadParameter(f"most {most}", "expected a number from 1")
    if not len(probabilities):
        return 0
    hits = np.cumsum(probabilities, dtype=float)
    expected = (2 * hits / (np.arange(1, len(hits) + 1) + hits[-1]))[:most]
    return int(np.argmax(expected >= expected.max() - ROUNDING)) + 1


def _check(probabilities: Floats) -> None:
    """Raise ``BadParameter`` unless the values are probabilities, best first."""
    values = np.asarray(probabilities)
    wrong = values[~((values >= 0) & (values <= 1))]
    if len(wrong):
        raise BadParameter(f"probability {wrong[0]}", "expected numbers from 0 to 1")
    if (np.diff(values) > 0).any():
        raise BadParameter("probabilities increase down the list", "give them best first")
