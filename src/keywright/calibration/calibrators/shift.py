"""Shift of a system's own probabilities: a correction that a few labelled documents can bear.

Away from the documents that a system was trained on, most of the error of its probabilities is one number for each
collection: how many phrases people accept there. One constant added to all log-odds corrects it, and ten documents
estimate it; the slopes of other calibrators take more.
"""

from typing import ClassVar, Final, Self

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.fitting import by_class, fitted_weights, logit
from keywright.calibration.calibrators.parametric import LogisticMap
from keywright.core.arrays import Bools, Floats
from keywright.learners.probability import sigmoid

SHIFT: Final = "shift"
"""Name of the method."""
STRENGTH: Final = 1.0
"""Inverse variance of the prior of a shift, whose mean is 0: the best of five on development collections (the study of
calibrators), also where any of them but one is left out of the choice."""


class Shift(LogisticMap):
    """One constant added to the log-odds of a system's own probabilities (the prior correction of King and Zeng 2001).

    The order of phrases of a class stays as it is. Normal priors of mean 0 draw the shift of present phrases to none,
    and that of absent phrases to that of present ones, so that outcomes may all be wrong, or all right.

    Weights: shift of present phrases, then of absent ones, in log-odds.
    """

    __slots__ = ()
    title: ClassVar[str] = "shift"
    size: ClassVar[int] = 2

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools) -> Self:
        """Learn from judged phrases whose confidence is a probability."""
        offset = logit(features.confidence)
        return cls(tuple(fitted_weights(cls.rows(features), correct, cls.penalty(), offset=offset).tolist()))

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, (phrases,)."""
        return sigmoid(logit(features.confidence) + self.rows(features) @ np.array(self.weights))

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        return by_class((), features.present)

    @staticmethod
    def penalty() -> Floats:
        """Return the penalty of the shift of present phrases, and of the difference of the shifts, (2, 2)."""
        return STRENGTH * np.array([[2.0, -1.0], [-1.0, 1.0]])
