"""Rows of the study: scores, differences between systems, and calibration."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from keywright.calibration.calibration_error import NoiseFloor
from keywright.experiments.study import TableRow


@dataclass(frozen=True, slots=True)
class Score(TableRow):
    """F of one system on one collection.

    Attributes:
        collection: name in the study.
        system: label in the study.
        style: of the default; empty for other systems.
        seed: of the training; None for the mean over seeds, and for systems that are not trained here.
        documents: number of documents.
        measure: such as ``F@10``.
        value: F of macro-averaged precision and recall, 0 to 1.
        interval: low and high end of 95 percent, from resampling documents, and seeds where there are several.
    """

    collection: str
    system: str
    style: str
    seed: int | None
    documents: int
    measure: str
    value: float
    interval: tuple[float, float]

    part: ClassVar[str] = "score"


@dataclass(frozen=True, slots=True)
class Difference(TableRow):
    """The default less the best other system.

    Attributes:
        collection: name in the study.
        style: of the default.
        other: label of the other system, the one with the highest value.
        measure: such as ``F@10``.
        value: difference of F, -1 to 1.
        interval: low and high end of 95 percent, from resampling documents and seeds, paired.
    """

    collection: str
    style: str
    other: str
    measure: str
    value: float
    interval: tuple[float, float]

    part: ClassVar[str] = "difference"


@dataclass(frozen=True, slots=True)
class Calibration(TableRow):
    """Probabilities of the phrases that a system lists, beside the share that is right; means over seeds.

    Attributes:
        collection: name in the study.
        system: label in the study.
        style: of the default.
        seeds: number of trainings.
        phrases: listed phrases of one training.
        error: calibration error in ten equal bins, 0 to 1.
        interval: low and high end of 95 percent, from resampling documents and seeds.
        floor: the error of probabilities that are exactly right.
        probability: mean probability, 0 to 1.
        right: share of phrases that is right, 0 to 1.
    """

    collection: str
    system: str
    style: str
    seeds: int
    phrases: int
    error: float
    interval: tuple[float, float]
    floor: NoiseFloor
    probability: float
    right: float

    part: ClassVar[str] = "calibration"


Row: TypeAlias = Score | Difference | Calibration
