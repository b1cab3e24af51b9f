"""Rows of the study of calibrators."""

from dataclasses import dataclass
from typing import Final

from keywright.experiments.study import TableRow

AS_GIVEN: Final = "none"
"""In place of a method: confidences as the system gives them."""

SAME: Final = "same"
OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Calibrated(TableRow):
    """The phrases of a class, on documents that the calibrator was not fitted on.

    Attributes:
        system: that predicted the phrases.
        dataset: of the documents.
        phrase_class: ``present`` or ``absent``.
        method: of calibration; ``none`` for confidences as they are given.
        fitted: on a part of the ``same`` collection, evaluated on the rest; or on the ``others`` of the study,
            evaluated on all documents.
        documents: of calibration.
        splits: number of divisions; the following values are means over them.
        error: expected calibration error, ten equal bins, 0 to 1.
        spread: standard deviation of the error over the splits.
        floor: the error that exact probabilities would show, of as many phrases.
        brier: Brier score, 0 to 1; it rises where a calibrator gives all phrases the same probability.
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
