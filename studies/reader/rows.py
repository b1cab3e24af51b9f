"""Rows of the study of quality best."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from keywright.experiments.study import TableRow

CUTOFFS: Final = (5, 10, 15)  # lengths that the shared task of SemEval-2010 scored


@dataclass(frozen=True, slots=True)
class Gain(TableRow):
    """A measure of the standard quality, of the encoder alone, and of quality best.

    Attributes:
        documents: origin of the documents: test, held out, or left out.
        dataset: such as ``inspec/test``.
        gold: kind of gold, or its class, such as ``present``.
        measure: such as ``F@10``.
        number: of documents.
        standard, encoder, best: 0 to 1; the encoder's is of the candidates in the order of its corrections alone, None
            where it was not computed.
        interval: low and high end of 95 percent of best less standard, from resampling documents for both together.
    """

    documents: str
    dataset: str
    gold: str
    measure: str
    number: int
    standard: float
    best: float
    interval: tuple[float, float]
    encoder: float | None = None

    part: ClassVar[str] = "gain"

    @property
    def clear(self) -> bool:
        """True if the interval excludes zero."""
        return self.interval[0] > 0 or self.interval[1] < 0


@dataclass(frozen=True, slots=True)
class SeedGain(TableRow):
    """Best less standard on documents that were held out, its mean over data sets, by the training's seed.

    Attributes:
        seeds: of the training, or of several whose corrections are averaged, such as ``1 + 2 + 3``.
        style: of the keyphrases.
        measure: such as ``F@10``.
        number: of data sets.
        gain: best less standard.
    """

    seeds: str
    style: str
    measure: str
    number: int
    gain: float

    part: ClassVar[str] = "seed"


@dataclass(frozen=True, slots=True)
class CalibrationError(TableRow):
    """Expected calibration errors of both qualities on a test set, 0 to 1; see ``Reliability``."""

    dataset: str
    gold: str
    standard: float
    best: float
    floor: float

    part: ClassVar[str] = "error"


@dataclass(frozen=True, slots=True)
class Reach(TableRow):
    """Keyphrases of a training collection that could be ranked higher.

    Attributes:
        dataset: such as ``inspec/train``.
        keyphrases: of some of its documents.
        text: that their texts contain, of at most eight words.
        candidates: that are candidates of the default.
        shortlist: that are on its shortlist.
        read: that the encoder reads.
    """

    dataset: str
    keyphrases: int
    text: int
    candidates: int
    shortlist: int
    read: int

    part: ClassVar[str] = "reach"


Row: TypeAlias = Gain | SeedGain | CalibrationError | Reach
