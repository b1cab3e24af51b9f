"""From a place in a list to a number that is comparable between lists: for scores that are not."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.calibration.calibrators.features import Described
from keywright.calibration.calibrators.fitting import PENALTY, fitted, probability
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True)
class Placing:
    """Logistic model of standardised score, rank, number of phrases, words and class.

    Attributes:
        weights: of 1, the standardised score, ln rank, ln count, words, [absent], and [absent] times standardised score
            and ln rank.
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse weights that are not of these columns."""
        if len(self.weights) != 8:  # noqa: PLR2004  (as many as listed)
            raise BadParameter(f"{len(self.weights)} weights of places in lists", "expected 8")

    @classmethod
    def fit(cls, seen: Described, correct: Bools) -> Self:
        """Learn from judged phrases.

        Raises:
            BadParameter: all are right, or none is.
        """
        rows = _rows(seen)
        penalty = PENALTY * np.diag([0.0, *np.ones(rows.shape[1] - 1)])
        return cls(tuple(fitted(rows, correct, penalty).tolist()))

    def of(self, seen: Described) -> Floats:
        """Above 0 and below 1, (phrases,)."""
        return probability(_rows(seen) @ np.array(self.weights))


def _rows(seen: Described) -> Floats:
    absent, rank = (~seen.present).astype(float), np.log(seen.rank)
    columns = (np.ones(len(seen)), seen.standard, rank, np.log(np.maximum(seen.count, 1)), seen.words, absent)
    return np.column_stack((*columns, absent * seen.standard, absent * rank))
