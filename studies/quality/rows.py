"""Rows of the quality report: scores, differences of the default and others, reliability of probabilities."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from keywright.experiments.reliability import Reliability
from keywright.experiments.study import TableRow

OURS: Final = "keywright"
"""Source of the rows that this program computed."""


@dataclass(frozen=True, slots=True)
class Score(TableRow):
    """One value of one system.

    Attributes:
        dataset: such as ``inspec/test``.
        protocol: its signature; the bare name for values that were scored elsewhere.
        gold: kind of gold, or its class, such as ``present``.
        measure: such as ``F@10``.
        system: of the catalogue, or another tool's.
        value: 0 to 1.
        interval: low and high end of 95 percent, from resampling documents; None where it was not computed.
        source: ``OURS``, or the origin of the value.
    """

    dataset: str
    protocol: str
    gold: str
    measure: str
    system: str
    value: float
    interval: tuple[float, float] | None = None
    source: str = OURS

    part: ClassVar[str] = "score"


@dataclass(frozen=True, slots=True)
class Difference(TableRow):
    """The default's value minus that of the best other system of the same column.

    Attributes:
        dataset, protocol, gold, measure: as of ``Score``; the protocol by its name.
        system: the best other system.
        source: of its value.
        value: -1 to 1.
        interval: low and high end of 95 percent, from resampling documents for both systems together; None where the
            other has no values of single documents.
    """

    dataset: str
    protocol: str
    gold: str
    measure: str
    system: str
    source: str
    value: float
    interval: tuple[float, float] | None = None

    part: ClassVar[str] = "difference"

    @property
    def clear(self) -> bool:
        """True if the interval excludes zero."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)


@dataclass(frozen=True, slots=True)
class Hits(TableRow):
    """Matches of one system on one set of gold: everything that its values are computed from.

    Attributes:
        dataset, gold, system: as of ``Score``.
        protocol: its signature.
        by_rank: number of gold entries matched at each rank, a digit each, such as ``0100``; ``-`` for an empty list.
            Documents are separated by blanks.
        sizes: gold entries of each document, separated by blanks.
        strata: category of each document, separated by blanks; empty where documents are resampled together.
    """

    dataset: str
    protocol: str
    gold: str
    system: str
    by_rank: str
    sizes: str
    strata: str = ""

    part: ClassVar[str] = "hits"


Row: TypeAlias = Score | Difference | Reliability
