"""Cross-fitted probabilities: of each phrase by a model fitted on the documents of the other folds.

Documents are divided, not phrases, since phrases of one document depend on each other.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.model import ProbabilityModel
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.learners.folds import assign_folds

FOLDS: Final = 5
"""Folds of cross-fitting; a usual number."""


def folds_of(ids: Sequence[str], number: int = FOLDS) -> Ints:
    """Return the fold of each document, (documents,), by the digest of its id: of equal sizes, in any order of ids.

    Raises:
        BadParameter: fewer than two folds, or fewer documents than folds.
    """
    if not 1 < number <= len(ids):
        raise BadParameter(f"{number} folds of {len(ids)} documents", "expected at least 2, and a document for each")
    return assign_folds(ids, number)


def cross_fitted(features: PhraseFeatures, correct: Bools, fold: Ints, method: str, *, confident: bool) -> Floats:
    """Return the probability of each phrase by a model fitted on the documents of the other folds, (phrases,).

    Args:
        features: of the phrases.
        correct: whether each is a keyphrase, (phrases,).
        fold: of each phrase's document, (phrases,).
        method: one of ``METHODS``.
        confident: as for ``ProbabilityModel.fit``.

    Raises:
        BadParameter: in the documents of the other folds all phrases are right, or none is.
    """
    probabilities = np.zeros(len(features))
    for number in np.unique(fold):
        held_out = fold == number
        answers = correct[~held_out]
        if answers.all() or not answers.any():
            quantity = "all" if answers.all() else "none"
            message = f"without the documents of one fold {quantity} of {len(answers)} phrases are right"
            raise BadParameter(message, "expected right and wrong ones: label more documents")
        model = ProbabilityModel.fit(features.where(~held_out), answers, method, confident=confident)
        probabilities[held_out] = model.probabilities(features.where(held_out))
    return probabilities
