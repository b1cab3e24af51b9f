"""Rows of the study of calibrators: how right probabilities are on documents that they were not fitted on."""

from dataclasses import asdict, dataclass
from typing import Any, Final, Self

AS_GIVEN: Final = "none"
"""In place of a method: confidences as the system gives them."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The phrases of a class on all documents but those of calibration, mean of many divisions.

    Attributes:
        system: whose phrases.
        dataset: their documents.
        phrase_class: ``present`` or ``absent``.
        method: of calibration; ``none`` for confidences as they are given.
        documents: of calibration.
        splits: how often was divided.
        error: expected calibration error, ten equal bins, 0 to 1.
        spread: standard deviation of the error over the splits.
        floor: the error that exact probabilities would show, of as many phrases.
        brier: Brier score, 0 to 1: what a calibrator loses where it makes all phrases alike shows here.
    """

    system: str
    dataset: str
    phrase_class: str
    method: str
    documents: int
    splits: int
    error: float
    spread: float
    floor: float
    brier: float

    def record(self) -> dict[str, Any]:
        """The row for machines; the class is called ``class``."""
        known = asdict(self)
        return {
            "system": known.pop("system"),
            "dataset": known.pop("dataset"),
            "class": known.pop("phrase_class"),
        } | known

    @classmethod
    def of(cls, record: dict[str, Any]) -> Self:
        """The row of a record that ``record`` gave."""
        known = dict(record)
        return cls(phrase_class=known.pop("class"), **known)
