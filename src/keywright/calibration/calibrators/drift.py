"""Whether phrases still look like those that a calibrator was fitted on: the population stability index.

The index sums (p - q) ln(p / q) over ranges, p being the share of new phrases in a range and q that of the phrases of
calibration; ranges hold a tenth of these each, present and absent phrases apart. From .25 on the two are taken to be
different, as is the custom since the scoring of loans (Siddiqi 2006: Credit risk scorecards). Few phrases differ by
chance alone, by (ranges - 1) (1 / new + 1 / old) on average (Yurdakul 2018: Statistical properties of population
stability index), which is taken off; and of fewer than twenty documents nothing is said.

What is seen are confidences, not gold: where the system is right less often at the same confidences, nothing is heard.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from keywright.calibration.calibrators.nonparametric import edges_of
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter

UNLIKE: Final = 0.25
"""How far the index is above chance when a warning is due."""

ENOUGH: Final = 20
"""Documents below which there is none."""

WINDOW: Final = 200
"""Last documents that a stream is judged by: among all that came before them a change would not be seen for long."""

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

    def chance(self, counts: Sequence[int]) -> float:
        """The index that so many new phrases have on average if nothing has changed; there is at least one."""
        ranges = sum(old + new > 0 for old, new in zip(self.counts, counts, strict=True))
        return (ranges - 1) * (1 / sum(counts) + 1 / max(1, sum(self.counts)))


@dataclass(slots=True)
class Watch:
    """Counts what passes by, and speaks up once.

    Attributes:
        reference: of the calibrator.
        window: how many of the last documents count; None for all.
        counts: their phrases in each range.
        told: whether the warning was given.
        seen: the profiles of the documents that count.
    """

    reference: Reference
    window: int | None = None
    counts: list[int] = field(default_factory=list)
    told: bool = False
    seen: deque[Sequence[int]] = field(default_factory=deque)

    @property
    def documents(self) -> int:
        """How many count."""
        return len(self.seen)

    @property
    def known(self) -> bool:
        """Whether there is enough to tell."""
        return self.documents >= ENOUGH and sum(self.counts) > 0

    @property
    def unlike(self) -> bool:
        """Whether a warning is due."""
        return self.known and self.reference.instability(self.counts) - self.reference.chance(self.counts) >= UNLIKE

    @property
    def warning(self) -> str:
        """What is to be said then."""
        index, chance = self.reference.instability(self.counts), self.reference.chance(self.counts)
        return (
            f"scores no longer look like those of calibration: population stability index {index:.2f} over"
            f" {self.documents} documents, {chance:.2f} of it chance, {UNLIKE} above that is the limit;"
            " calibrate again on documents like these"
        )

    def as_json(self) -> dict[str, float] | None:
        """Index, chance, limit and documents; None where there is not enough to tell."""
        if not self.known:
            return None
        index, chance = self.reference.instability(self.counts), self.reference.chance(self.counts)
        return {"index": index, "chance": chance, "limit": UNLIKE, "documents": self.documents}

    def note(self, profile: Sequence[int]) -> str | None:
        """One more document by its profile; the warning, the first time that it is due.

        Raises:
            BadParameter: the profile is that of another calibrator.
        """
        if len(profile) != len(self.reference.counts):
            message = f"a profile of {len(profile)} ranges, where the calibrator has {len(self.reference.counts)}"
            raise BadParameter(message, "expected a prediction that was made with this calibrator")
        full = self.window is not None and self.documents >= self.window
        gone = self.seen.popleft() if full else (0,) * len(profile)
        self.seen.append(profile)
        before = self.counts or [0] * len(profile)
        self.counts = [old + new - less for old, new, less in zip(before, profile, gone, strict=True)]
        if self.told or not self.unlike:
            return None
        self.told = True
        return self.warning


def watched(reference: Reference, profiles: Iterable[Sequence[int]]) -> Watch:
    """A watch that has seen all of a run's documents by their profiles, which all count, and kept silent."""
    watch = Watch(reference, told=True)
    for profile in profiles:
        watch.note(profile)
    return watch
