"""From a list as it is shown to probabilities: one model for confidences and for scores of any size."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.features import Described
from keywright.calibration.calibrators.nonparametric import Histogram, Isotonic
from keywright.calibration.calibrators.parametric import Beta, Correctness, Platt, Temperature
from keywright.calibration.calibrators.rank_transform import Placing
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import unknown

Map: TypeAlias = Platt | Beta | Isotonic | Histogram | Correctness | Temperature

METHODS: Final[Mapping[str, type[Map]]] = MappingProxyType(
    {
        "beta": Beta,
        "platt": Platt,
        "isotonic": Isotonic,
        "histogram": Histogram,
        "logistic": Correctness,
        "temperature": Temperature,
    }
)
"""Calibrators by name, the best for few documents first."""


@dataclass(frozen=True, slots=True)
class ProbabilityModel:
    """A map of confidences to probabilities, behind a placing where scores are no confidences.

    Attributes:
        placing: makes confidences of places in lists; None where the system gives confidences, 0 to 1.
        map: makes probabilities of confidences.
    """

    placing: Placing | None
    map: Map

    @classmethod
    def fit(cls, seen: Described, correct: Bools, method: str = "beta", *, confident: bool) -> Self:
        """Learn from judged phrases.

        Args:
            seen: the phrases.
            correct: whether each is a keyphrase, (phrases,).
            method: one of ``METHODS``.
            confident: whether confidences lie between 0 and 1 and are comparable between documents.

        Raises:
            UnknownName: there is no such method.
            BadParameter: all phrases are right, or none is.
        """
        kind = method_of(method)
        placing = None if confident else Placing.fit(seen, correct)
        return cls(placing, kind.fit(_placed(placing, seen), correct))

    def confidence(self, seen: Described) -> Floats:
        """What the map is given, 0 to 1, (phrases,)."""
        return _placed(self.placing, seen).confidence

    def of(self, seen: Described) -> Floats:
        """Probabilities, 0 to 1, (phrases,)."""
        found: Floats = np.clip(self.map.of(_placed(self.placing, seen)), 0.0, 1.0)
        return found


def method_of(name: str) -> type[Map]:
    """A calibrator by name.

    Raises:
        UnknownName: there is none.
    """
    if name not in METHODS:
        raise unknown("calibrator", name, METHODS, "keywright calibrate --help")
    return METHODS[name]


def _placed(placing: Placing | None, seen: Described) -> Described:
    return seen if placing is None else seen.with_confidence(placing.of(seen))
