"""Two tastes: phrases that authors and readers choose, and tags, most of them single words; and a gate between them.

Tags and subjects of everyday texts (descriptions, recipes, talks, notes) are single words in three of four cases,
keyphrases of papers and those that a reader marks are mostly longer. One set of trees cannot rank for both, so each
taste has its own. How far a text is one that people tag is estimated by a logistic regression of its profile: the mean
description of its heaviest candidates. Probabilities of both are then averaged with this share, not their log-odds: a
phrase that either taste is sure of stays near the top (``docs/decisions/0030-two-tastes.md``).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, count_rows, locate_rows

PROFILED: Final = 30
"""Heaviest candidates whose mean description is a document's profile, in training as well; arbitrary: the shortlist of
the shortest texts, and the best candidates of long ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """A logistic regression from the profile of a document to the share of the taste for tags.

    Attributes:
        weights: of the profile, (columns + 1,).
        bias: log-odds of a profile of zeros.
    """

    weights: Floats
    bias: float

    def shares(self, rows: Floats, weight: Floats, bounds: Ints) -> Floats:
        """Return the share of tags for each document, 0 to 1, (documents,); see ``profile_documents``."""
        # Not a matrix product, whose rounding may depend on the number of documents.
        log_odds = (profile_documents(rows, weight, bounds) * self.weights).sum(axis=1) + self.bias
        return np.asarray(1 / (1 + np.exp(-log_odds)))


def profile_documents(rows: Floats, weight: Floats, bounds: Ints) -> Floats:
    """Return the mean description of each document's heaviest candidates, and their number, (documents, columns + 1).

    Args:
        rows: description of the shortlists, without a style, (shortlist, columns); missing values count as 0.
        weight: in the first ranking, (shortlist,).
        bounds: of the documents in the shortlist, (documents + 1,).
    """
    document, place = locate_rows(bounds)
    number = count_rows(bounds)
    heaviest = np.lexsort((-weight, document))[place < PROFILED]
    profiled = np.minimum(number, PROFILED)
    profiles = np.zeros((len(number), rows.shape[1] + 1))
    profiles[:, -1] = number
    some = profiled > 0
    if some.any():
        # Segmented sums: the heaviest candidates of a document are adjacent, so one call sums all documents.
        heads = (np.cumsum(profiled) - profiled)[some]
        described = np.ascontiguousarray(rows[heaviest], float)
        described[np.isnan(described)] = 0.0
        profiles[some, :-1] = np.add.reduceat(described, heads, axis=0) / profiled[some, None]
    return profiles


def mix_log_odds(first: Floats, second: Floats, share: Floats) -> Floats:
    """Return the log-odds of averaged probabilities, with ``share`` of the second, 0 to 1, (candidates,) each."""
    with np.errstate(divide="ignore"):  # the logarithm of a share of 0 is minus infinity, as it should be
        of_first, of_second = np.log(1 - share), np.log(share)
    # Logarithms throughout: probabilities near 0 and 1 would be rounded away.
    yes = np.logaddexp(of_first - np.logaddexp(0, -first), of_second - np.logaddexp(0, -second))
    no = np.logaddexp(of_first - np.logaddexp(0, first), of_second - np.logaddexp(0, second))
    return np.asarray(yes - no)


def share_explained(first: Floats, second: Floats, mixed: Floats) -> Floats:
    """Return how much of each mixture the second explains, 0 to 1: ``mixed`` lies so far from ``first`` to ``second``.

    All are log-odds, (candidates,); where both tastes agree, halves.
    """
    difference = second - first
    far = np.abs(difference) > 0
    return np.asarray(np.divide(mixed - first, difference, out=np.full(len(mixed), 0.5), where=far))
