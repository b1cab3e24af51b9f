"""Drift: whether phrases still look like those that a calibrator was fitted on, by the population stability index.

The index sums (p - q) ln(p / q) over ranges of confidence, p being the share of new phrases in a range and q that of
the phrases of calibration, a tenth of each class. From .25 on the two are taken to be different (Siddiqi 2006: Credit
risk scorecards). The average effect of chance, (ranges - 1) (1 / new + 1 / old), is subtracted (Yurdakul 2018:
Statistical properties of population stability index); fewer than twenty documents are not judged. A system that is
right less often at the same confidences is not detected.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from keywright.calibration.calibrators.model import find_equal_mass_edges
from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter

LIMIT: Final = 0.25  # index above chance from which on a warning is due; the custom
MIN_DOCUMENTS: Final = 20  # documents below which there is no warning; arbitrary
WINDOW: Final = 200
"""Last documents of a stream that are judged; among all earlier ones a change would stay hidden for long. Arbitrary."""
_ADDED: Final = 0.5  # phrases added to each range, so that an empty one has a logarithm; the continuity correction


@dataclass(frozen=True, slots=True)
class Reference:
    """Numbers of phrases of calibration in each range of confidence."""

    present_edges: tuple[float, ...]  # where ranges end, rising; an edge belongs to the upper range
    absent_edges: tuple[float, ...]
    counts: tuple[int, ...]  # present phrases in their ranges, then absent ones in theirs

    def __post_init__(self) -> None:
        rising = all(np.all(np.diff(edges) > 0) for edges in (self.present_edges, self.absent_edges))
        if not rising or len(self.counts) != len(self.present_edges) + len(self.absent_edges) + 2:
            raise BadParameter(f"{len(self.counts)} counts of ranges", "expected rising edges, and one count per range")

    @classmethod
    def from_phrases(cls, confidence: Floats, present: Bools) -> Self:
        """Return ranges with a tenth of the phrases each; confidence and class are (phrases,)."""
        of_present, of_absent = (
            tuple(find_equal_mass_edges(confidence[rows]).tolist()) for rows in (present, ~present)
        )
        empty = cls(of_present, of_absent, (0,) * (len(of_present) + len(of_absent) + 2))
        return replace(empty, counts=empty.profile(confidence, present))

    def profile(self, confidence: Floats, present: Bools) -> tuple[int, ...]:
        """Return the number of phrases in each range, (ranges,)."""
        counts: list[int] = []
        for edges, rows in ((self.present_edges, present), (self.absent_edges, ~present)):
            range_of = np.searchsorted(np.array(edges), confidence[rows], side="right")
            counts += np.bincount(range_of, minlength=len(edges) + 1).tolist()
        return tuple(counts)

    def instability(self, counts: Sequence[int]) -> float:
        """Return the index of new phrases by their counts in the ranges: 0 if shares are equal, without upper bound."""
        old, new = (np.asarray(column, float) + _ADDED for column in (self.counts, counts))
        p, q = new / new.sum(), old / old.sum()
        return float(((p - q) * np.log(p / q)).sum())

    def chance(self, counts: Sequence[int]) -> float:
        """Return the mean index of so many new phrases, at least one, if nothing has changed."""
        ranges = sum(old + new > 0 for old, new in zip(self.counts, counts, strict=True))
        return (ranges - 1) * (1 / sum(counts) + 1 / max(1, sum(self.counts)))


@dataclass(slots=True)
class DriftMonitor:
    """Counts the phrases of a stream of documents, and warns once."""

    reference: Reference
    window: int | None = None  # number of last documents that count; None for all
    counts: list[int] = field(default_factory=list)  # their phrases in each range
    warned: bool = False
    profiles: deque[Sequence[int]] = field(default_factory=deque)  # one for each document that counts

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warning if it is due, else nothing."""
        stability = self.as_json()
        if stability is None or stability["index"] - stability["chance"] < LIMIT:
            return ()
        warning = (
            f"scores no longer look like those of calibration: population stability index {stability['index']:.2f} over"
            f" {len(self.profiles)} documents, {stability['chance']:.2f} of it chance, {LIMIT} above that is the limit;"
            " calibrate again on documents like these"
        )
        return (warning,)

    def as_json(self) -> dict[str, float] | None:
        """Return index, chance, limit and documents; None for too few documents, or documents without phrases."""
        documents = len(self.profiles)
        if documents < MIN_DOCUMENTS or not sum(self.counts):
            return None
        index, chance = self.reference.instability(self.counts), self.reference.chance(self.counts)
        return {"index": index, "chance": chance, "limit": LIMIT, "documents": documents}

    def add(self, profile: Sequence[int]) -> str | None:
        """Count one more document by its profile; return the warning, the first time that it is due."""
        if len(profile) != len(self.reference.counts):
            message = f"a profile of {len(profile)} ranges, where the calibrator has {len(self.reference.counts)}"
            raise BadParameter(message, "expected a prediction that was made with this calibrator")
        full = self.window is not None and len(self.profiles) >= self.window
        oldest = self.profiles.popleft() if full else (0,) * len(profile)
        self.profiles.append(profile)
        before = self.counts or [0] * len(profile)
        self.counts = [old + new - less for old, new, less in zip(before, profile, oldest, strict=True)]
        warning = None if self.warned else next(iter(self.warnings), None)
        self.warned = self.warned or warning is not None
        return warning


def monitor_profiles(reference: Reference, profiles: Iterable[Sequence[int]]) -> DriftMonitor:
    """Return a monitor that has counted all documents of a run by their profiles, without warning."""
    monitor = DriftMonitor(reference, warned=True)
    for profile in profiles:
        monitor.add(profile)
    return monitor
