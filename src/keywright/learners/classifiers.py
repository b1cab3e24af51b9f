"""Naive Bayes with one normal distribution for each feature and class, and logistic regression."""

from dataclasses import dataclass
from typing import Final, Literal, Self

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.extras import needs_extra
from keywright.learners.labels import check_both_classes

_SMOOTHING: Final = 1e-9
"""Variance added to each feature, as a share of the largest variance: scikit-learn's default."""


@dataclass(frozen=True, slots=True, eq=False)
class GaussianNaiveBayes:
    """Probability of a class from features that are assumed independent and normal within each class.

    John and Langley (1995). Rows of the arrays are the classes no and yes.

    Attributes:
        prior: share of each class, (2,).
        mean: of each feature, (2, features).
        variance: of each feature, above 0, (2, features).
    """

    prior: Floats
    mean: Floats
    variance: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools) -> Self:
        """Learn from features (rows, features) and labels (rows,)."""
        check_both_classes(answers, "naive Bayes")
        classes = [rows[~answers], rows[answers]]
        added = _SMOOTHING * max(float(rows.var(axis=0).max()), _SMOOTHING)
        return cls(
            prior=np.array([len(members) / len(rows) for members in classes]),
            mean=np.array([members.mean(axis=0) for members in classes]),
            variance=np.array([members.var(axis=0) + added for members in classes]),
        )

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        distance = (rows[:, None, :] - self.mean) ** 2 / self.variance + np.log(self.variance)
        joint = np.log(self.prior) - distance.sum(axis=2) / 2
        return np.asarray(joint[:, 1] - joint[:, 0])


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

        The penalty, of inverse weight ``strength``, is on the squares of the weights (``l2``), or on their absolute
        values (``l1``), which drops features.
        """
        with needs_extra("train", "training a maximum entropy model needs scikit-learn"):
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
