"""Ranking by a support vector machine over pairs."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True, eq=False)
class RankingSVM:
    """A weighted sum of standardised features that puts the better of two rows of a document in front.

    Joachims, 2002; Herbrich, Graepel and Obermayer, 2000 (ordinal grades). A linear support vector machine learns the
    sign of differences between rows with different grades of the same document.

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
            documents: which rows belong together.
            strength: inverse of the penalty's weight, above 0.
            pairs: each row is set against at most so many rows of each lower grade of its document, drawn at random.
            seed: of the draws.

        Raises:
            BadParameter: no document has rows of two grades.
        """
        from sklearn import svm  # noqa: PLC0415  (seconds to import, and only training needs it)

        better, worse = _drawn_pairs(grades, documents, pairs, np.random.default_rng(seed))
        if not len(better):
            message = "a ranking needs a document with rows of different grades"
            raise BadParameter(message, "do gold keyphrases occur in the documents?")
        scale = rows.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        differences = (rows[better] - rows[worse]) / scale
        differences = np.resize(differences, (max(2, len(better)), rows.shape[1]))  # the machine wants both signs
        signs = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)
        model = svm.LinearSVC(C=strength, dual=False, fit_intercept=False, max_iter=10_000)
        return cls(
            scale, model.fit(differences * signs[:, None], signs).coef_[0] if len(better) > 1 else differences[0]
        )

    def scores(self, rows: Floats) -> Floats:
        """Higher is better; comparable within a document, (rows,)."""
        scores: Floats = (rows / self.scale) @ self.weight
        return scores


def _drawn_pairs(grades: Ints, documents: Ints, pairs: int, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Rows of pairs, the better one and the worse one, each (pairs,)."""
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
