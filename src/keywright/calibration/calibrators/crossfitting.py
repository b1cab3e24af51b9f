"""Probabilities of phrases that a calibrator has not seen: fitted on some documents, asked about the others.

Documents are divided, not phrases: phrases of one document are right or wrong together.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.calibration.calibrators.features import Described
from keywright.calibration.calibrators.model import ProbabilityModel
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.learners.folds import assign_folds

FOLDS: Final = 5


def folds_of(ids: Sequence[str], number: int = FOLDS) -> Ints:
    """The fold of each document, (documents,): by the digest of its id, sizes alike, whatever the order.

    Raises:
        BadParameter: fewer than two folds, or fewer documents than folds.
    """
    if not 1 < number <= len(ids):
        raise BadParameter(f"{number} folds of {len(ids)} documents", "expected at least 2, and a document for each")
    return assign_folds(ids, number)


def cross_fitted(seen: Described, correct: Bools, fold: Ints, method: str, *, confident: bool) -> Floats:
    """The probability of each phrase by a model fitted on the documents of the other folds, (phrases,).

    Args:
        seen: the phrases.
        correct: whether each is a keyphrase, (phrases,).
        fold: of each phrase's document, (phrases,).
        method: one of ``METHODS``.
        confident: as for ``ProbabilityModel.fit``.

    Raises:
        BadParameter: in the documents of the other folds all phrases are right, or none is.
    """
    found = np.zeros(len(seen))
    for one in np.unique(fold):
        asked = fold == one
        known = correct[~asked]
        if known.all() or not known.any():
            message = f"without the documents of one fold {'all' if known.all() else 'none'} of {len(known)} phrases"
            raise BadParameter(f"{message} are right", "expected right and wrong ones: label more documents")
        model = ProbabilityModel.fit(seen.where(~asked), known, method, confident=confident)
        found[asked] = model.of(seen.where(asked))
    return found
