"""Whether phrases still look like those that a calibrator was fitted on: the population stability index.

The index sums (p - q) ln(p / q) over ranges, p being the share of new phrases in a range and q that of the phrases of
calibration; ranges hold a tenth of these each, present and absent phrases apart. Below .1 nothing has changed to speak
of, from .25 on the two are taken to be different, as is the custom since the scoring of loans (Siddiqi 2006: Credit
risk scorecards). Few documents differ by chance, so that nothing is said of fewer than twenty.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from keywright.calibration.calibrators.steps import edges_of
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter

UNLIKE: Final = 0.25
"""Index from which on a warning is due."""

ENOUGH: Final = 20
"""Documents below which there is none."""

_ADDED: Final = 0.5
"""Phrases added to each range, so that an empty one has a logarithm."""


@dataclass(frozen=True, slots=True)
class Reference:
    """How many phrases of calibration stood in each range of confidence.

    Attributes:
        present_edges, absent_edges: where ranges end, rising; an edge belongs to the upper range.
        counts: of present phrases in their ranges, then of absent ones in theirs.

    Raises:
        BadParameter: edges do not rise, or there is not one more count than edges in each class.
    """

    present_edges: tuple[float, ...]
    absent_edges: tuple[float, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse ranges that are none."""
        rising = all(np.all(np.diff(edges) > 0) for edges in (self.present_edges, self.absent_edges))
        if not rising or len(self.counts) != len(self.present_edges) + len(self.absent_edges) + 2:
            raise BadParameter(f"{len(self.counts)} counts of ranges", "expected rising edges, and one count a range")

    @classmethod
    def of(cls, confidence: Floats, present: Bools) -> Self:
        """Ranges with a tenth of the phrases each; confidence and class are (phrases,)."""
        ends, others = (tuple(edges_of(confidence[one]).tolist()) for one in (present, ~present))
        empty = cls(ends, others, (0,) * (len(ends) + len(others) + 2))
        return replace(empty, counts=empty.profile(confidence, present))

    def profile(self, confidence: Floats, present: Bools) -> tuple[int, ...]:
        """Phrases in each range, (ranges,)."""
        counts: list[int] = []
        for edges, rows in ((self.present_edges, present), (self.absent_edges, ~present)):
            place = np.searchsorted(np.array(edges), confidence[rows], side="right")
            counts += np.bincount(place, minlength=len(edges) + 1).tolist()
        return tuple(counts)

    def instability(self, counts: Sequence[int]) -> float:
        """The index of new phrases by their counts in the ranges: 0 if shares are equal, without upper bound."""
        old, new = (np.asarray(one, float) + _ADDED for one in (self.counts, counts))
        p, q = new / new.sum(), old / old.sum()
        return float(((p - q) * np.log(p / q)).sum())


@dataclass(slots=True)
class Watch:
    """Counts what passes by, and speaks up once.

    Attributes:
        reference: of the calibrator.
        documents: how many have been seen.
        counts: their phrases in each range.
        told: whether the warning was given.
    """

    reference: Reference
    documents: int = 0
    counts: list[int] = field(default_factory=list)
    told: bool = False

    @property
    def index(self) -> float | None:
        """The index of all documents so far; None of too few."""
        return self.reference.instability(self.counts) if self.documents >= ENOUGH else None

    @property
    def unlike(self) -> bool:
        """Whether a warning is due."""
        return self.index is not None and self.index >= UNLIKE

    @property
    def warning(self) -> str:
        """What is to be said then."""
        index = "unknown" if self.index is None else f"{self.index:.2f}"
        return (
            f"scores no longer look like those of calibration: population stability index {index} over"
            f" {self.documents} documents, {UNLIKE} is the limit; calibrate again on documents like these"
        )

    def note(self, profile: Sequence[int]) -> str | None:
        """One more document by its profile; the warning, the first time that it is due.

        Raises:
            BadParameter: the profile is that of another calibrator.
        """
        if len(profile) != len(self.reference.counts):
            message = f"a profile of {len(profile)} ranges, where the calibrator has {len(self.reference.counts)}"
            raise BadParameter(message, "expected a prediction that was made with this calibrator")
        self.documents += 1
        self.counts = [a + b for a, b in zip(self.counts or [0] * len(profile), profile, strict=True)]
        if self.told or not self.unlike:
            return None
        self.told = True
        return self.warning
