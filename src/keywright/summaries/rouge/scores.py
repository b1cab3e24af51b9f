"""Precision, recall and F."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Scores(NamedTuple):
    """The values of one summary, from 0 to 1."""

    P: float
    R: float
    F: float

    @classmethod
    def from_ratios(cls, precision: float, recall: float) -> "Scores":
        """Return the values with F, the harmonic mean; 0 if both are 0."""
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)

    def as_values(self) -> dict[str, float]:
        """Return the values by name."""
        return {"P": self.P, "R": self.R, "F": self.F}


UNDEFINED: Final[Mapping[str, None]] = dict.fromkeys(Scores._fields)
"""The values where there is nothing to compare with."""
