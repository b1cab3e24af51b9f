"""Naive Bayes with one normal distribution for each feature and class."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter

_LEAST_VARIANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class GaussianNaiveBayes:
    """Probability of a class from features taken to be independent and normal within each class.

    John and Langley, 1995. Rows of the arrays are the classes no and yes.

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
        """Learn from features (rows, features) and labels (rows,).

        Raises:
            BadParameter: one of the classes has no row.
        """
        if answers.all() or not answers.any():
            raise BadParameter("naive Bayes needs rows of both classes", "do gold keyphrases occur in the documents?")
        classes = [rows[~answers], rows[answers]]
        spread = _LEAST_VARIANCE * max(float(rows.var(axis=0).max()), _LEAST_VARIANCE)
        return cls(
            prior=np.array([len(members) / len(rows) for members in classes]),
            mean=np.array([members.mean(axis=0) for members in classes]),
            variance=np.array([members.var(axis=0) + spread for members in classes]),
        )

    def log_odds(self, rows: Floats) -> Floats:
        """Logarithm of P(yes) / P(no), (rows,)."""
        distance = (rows[:, None, :] - self.mean) ** 2 / self.variance + np.log(self.variance)
        joint = np.log(self.prior) - distance.sum(axis=2) / 2
        odds: Floats = joint[:, 1] - joint[:, 0]
        return odds
