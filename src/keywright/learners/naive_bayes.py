"""Naive Bayes with one normal distribution for each feature and class."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats
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
