"""Rows of the quality report: scores of systems, beside the reliability of their probabilities."""

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


Row: TypeAlias = Score | Reliability
