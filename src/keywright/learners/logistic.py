"""Logistic regression, which is maximum entropy with two classes."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.learners.labels import check_both_classes


@dataclass(frozen=True, slots=True, eq=False)
class LogisticRegression:
    """Log-odds as a weighted sum of standardised features.

    Attributes:
        mean: subtracted from each feature, (features,).
        scale: each feature is divided by it, (features,).
        weight: of each feature, (features,).
        bias: log-odds of an average row, (1,).
    """

    mean: Floats
    scale: Floats
    weight: Floats
    bias: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools, strength: float = 1.0, penalty: Literal["l1", "l2"] = "l2") -> Self:
        """Learn from features (rows, features) and labels (rows,).

        Args:
            rows: features.
            answers: labels.
            strength: inverse weight of the penalty, above 0.
            penalty: on the squares of the weights (``l2``), or on their absolute values (``l1``), which drops features.
        """
        from sklearn import linear_model  # noqa: PLC0415  (seconds to import, and only training needs it)

        check_both_classes(answers, "maximum entropy")
        mean, scale = rows.mean(axis=0), rows.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        # Liblinear visits features in random order, which the seed fixes; 1000 rounds are ten times the default.
        sparse = {"l1_ratio": 1.0, "solver": "liblinear", "random_state": 0, "max_iter": 1000}
        model = linear_model.LogisticRegression(C=strength, **(sparse if penalty == "l1" else {}))
        fitted = model.fit((rows - mean) / scale, answers)
        return cls(mean, scale, fitted.coef_[0], fitted.intercept_)

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        return np.asarray(((rows - self.mean) / self.scale) @ self.weight + self.bias[0])
