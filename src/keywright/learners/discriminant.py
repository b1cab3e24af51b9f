"""Linear discriminant analysis of two classes."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.extras import needs_extra
from keywright.learners.labels import check_both_classes


@dataclass(frozen=True, slots=True, eq=False)
class LinearDiscriminant:
    """Log-odds as a weighted sum of features, under normal distributions with one covariance.

    Attributes:
        weight: of each feature, (features,).
        bias: log-odds of a row of zeros, (1,).
    """

    weight: Floats
    bias: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools) -> Self:
        """Learn from features (rows, features) and labels (rows,); features without variance get weight 0.

        Raises:
            BadParameter: one of the classes has no row.
        """
        with needs_extra("train", "training a linear discriminant needs scikit-learn"):
            from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: PLC0415  (seconds to import)

        check_both_classes(answers, "linear discriminant analysis")
        varies = rows.std(axis=0) > 0
        fitted = LinearDiscriminantAnalysis(solver="lsqr").fit(rows[:, varies], answers)
        weight = np.zeros(rows.shape[1])
        weight[varies] = fitted.coef_[0]
        return cls(weight, fitted.intercept_)

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        return np.asarray(rows @ self.weight + self.bias[0])
