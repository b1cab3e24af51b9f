"""Ranking by a support vector machine over pairs of rows."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True, eq=False)
class RankingSVM:
    """A weighted sum of standardised features that ranks the better of two rows of a document higher.

    Joachims (2002); Herbrich, Graepel and Obermayer (2000) for ordinal grades. A linear support vector machine learns
    the sign of differences between rows of one document with different grades.

    Attributes:
        scale: each feature is divided by it, (features,).
        weight: of each feature, (features,).
    """

    scale: Floats
    weight: Floats

    @classmethod
    def fit(
        cls, rows: Floats, grades: Ints, documents: Ints, *, strength: float = 1.0, pairs: int = 50, seed: int = 1
    ) -> Self:
        """Learn from features (rows, features), grades and documents, (rows,) both.

        Args:
            rows: features.
            grades: higher is better.
            documents: number of each row's document.
            strength: inverse weight of the penalty, above 0.
            pairs: maximum rows of each lower grade of its document that a row is compared with, drawn at random.
            seed: of the draws.

        Raises:
            BadParameter: no document has rows of two grades.
        """
        from sklearn import svm  # noqa: PLC0415  (seconds to import, and only training needs it)

        better, worse = _pairs(grades, documents, pairs, np.random.default_rng(seed))
        if not len(better):
            message = "a ranking needs a document with rows of different grades"
            raise BadParameter(message, "do gold keyphrases occur in the documents?")
        scale = rows.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        differences = (rows[better] - rows[worse]) / scale
        differences = np.resize(differences, (max(2, len(better)), rows.shape[1]))  # the solver needs both signs
        signs = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)
        # Without an intercept, as differences have none; 10,000 rounds are ten times the default, to converge.
        model = svm.LinearSVC(C=strength, dual=False, fit_intercept=False, max_iter=10_000)
        return cls(
            scale, model.fit(differences * signs[:, None], signs).coef_[0] if len(better) > 1 else differences[0]
        )

    def scores(self, rows: Floats) -> Floats:
        """Return scores, higher is better, comparable within a document, (rows,)."""
        return np.asarray((rows / self.scale) @ self.weight)


def _pairs(grades: Ints, documents: Ints, pairs: int, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the better and the worse row of each pair, each (pairs,)."""
    better, worse = [np.zeros(0, int)], [np.zeros(0, int)]
    for document in np.unique(documents).tolist():
        rows = np.flatnonzero(documents == document)
        levels = np.unique(grades[rows]).tolist()
        for low, high in ((low, high) for low in levels for high in levels if low < high):
            below, above = rows[grades[rows] == low], rows[grades[rows] == high]
            for row in above.tolist():
                drawn = random.permutation(below)[:pairs]
                better.append(np.full(len(drawn), row))
                worse.append(drawn)
    return np.concatenate(better), np.concatenate(worse)
