"""Rows of the study of calibrators: how right probabilities are on documents that they were not fitted on."""

from dataclasses import dataclass
from typing import Final

from keywright.experiments.rows import TableRow

AS_GIVEN: Final = "none"
"""In place of a method: confidences as the system gives them."""

SAME: Final = "same"
OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Calibrated(TableRow):
    """The phrases of a class on documents that did not calibrate.

    Attributes:
        system: whose phrases.
        dataset: their documents.
        phrase_class: ``present`` or ``absent``.
        method: of calibration; ``none`` for confidences as they are given.
        fitted: on a part of the ``same`` collection, the others being asked; or on the ``others`` of the study, all
            documents being asked.
        documents: of calibration.
        splits: how often was divided; what follows is the mean.
        error: expected calibration error, ten equal bins, 0 to 1.
        spread: standard deviation of the error over the splits.
        floor: the error that exact probabilities would show, of as many phrases.
        brier: Brier score, 0 to 1: what a calibrator loses where it makes all phrases alike shows here.
    """

    system: str
    dataset: str
    phrase_class: str
    method: str
    fitted: str
    documents: int
    splits: int
    error: float
    spread: float
    floor: float
    brier: float
