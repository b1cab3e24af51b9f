"""Rank transform: scores that are comparable within one list only become confidences comparable between lists."""

from typing import ClassVar

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.fitting import PENALTY
from keywright.calibration.calibrators.parametric import LogisticMap
from keywright.core.arrays import Floats


class RankTransform(LogisticMap):
    """Logistic model of standardised score, rank, number of phrases, words and class.

    Weights: of 1, the standardised score, ln rank, ln count, words, [absent], and [absent] times standardised score and
    ln rank.
    """

    __slots__ = ()
    title: ClassVar[str] = "places in lists"
    size: ClassVar[int] = 8

    @staticmethod
    def rows(features: PhraseFeatures) -> Floats:
        """Return the columns of the model, (phrases, weights)."""
        absent, rank = (~features.present).astype(float), np.log(features.rank)
        columns = (np.ones(len(features)), features.standard, rank, np.log(np.maximum(features.count, 1)))
        return np.column_stack((*columns, features.words, absent, absent * features.standard, absent * rank))

    @staticmethod
    def penalty() -> Floats:
        """Return a penalty for all weights but the intercept, (weights, weights)."""
        return PENALTY * np.diag([0.0, *np.ones(RankTransform.size - 1)])
