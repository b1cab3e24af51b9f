"""Rows on how well probabilities agree with the share of phrases that are right, from the phrases shown first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from keywright.calibration.measures.ece import (
    Bin,
    NoiseFloor,
    bin_totals,
    bins_from_totals,
    error_from_totals,
    noise_floor,
)
from keywright.core.arrays import Bools, Floats, Ints
from keywright.evaluation.statistics.bootstrap import Resampling, interval, resampled
from keywright.experiments.rows import TableRow


@dataclass(frozen=True, slots=True)
class Reliability(TableRow):
    """How right the probabilities of the phrases are that a system shows first.

    Attributes:
        documents_of: a data set, or a class of documents, such as ``abstract``.
        system: of the catalogue.
        documents: how many.
        phrases: how many were shown.
        error: calibration error, 0 to 1.
        interval: low and high end of 95 percent, from drawing documents.
        floor: the error that probabilities have which are exactly right.
        bins: the probabilities beside the shares that were right.
    """

    documents_of: str
    system: str
    documents: int
    phrases: int
    error: float
    interval: tuple[float, float]
    floor: NoiseFloor
    bins: tuple[Bin, ...]

    part: ClassVar[str] = "reliability"


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The phrases that a system shows first, of all documents one after the other.

    Attributes:
        probabilities: 0 to 1, (phrases,).
        right: whether it is a keyphrase, (phrases,).
        owner: which document it is of, from 0, (phrases,).
    """

    probabilities: Floats
    right: Bools
    owner: Ints

    def record(self) -> dict[str, Any]:
        """The columns as lists."""
        return {
            "probabilities": self.probabilities.tolist(),
            "right": self.right.tolist(),
            "owner": self.owner.tolist(),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """What ``record`` gave."""
        return cls(
            np.array(record["probabilities"], float), np.array(record["right"], bool), np.array(record["owner"], int)
        )


def pooled(parts: Sequence[Shown]) -> Shown:
    """What was shown for several collections, as one."""
    before = np.cumsum([0, *(len(np.unique(part.owner)) for part in parts)])
    owners = [np.unique(part.owner, return_inverse=True)[1] + start for part, start in zip(parts, before, strict=False)]
    return Shown(
        np.concatenate([part.probabilities for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate(owners),
    )


def reliability(documents_of: str, system: str, shown: Shown, resampling: Resampling | None = None) -> Reliability:
    """The row of what was shown, at least one phrase; documents are drawn for the interval."""
    drawing = resampling or Resampling()
    documents = np.unique(shown.owner)
    parts = [(shown.probabilities[own], shown.right[own]) for own in (shown.owner == one for one in documents)]
    table = np.stack([bin_totals(*part) for part in parts])  # (documents, 3, bins)
    drawn = resampled(table.reshape(len(table), -1), drawing)
    low, high = interval(error_from_totals(drawn.reshape(-1, *table.shape[1:]))[:, None], drawing.level)[:, 0].tolist()
    whole = table.sum(axis=0)
    floor = noise_floor(shown.probabilities)
    error = float(error_from_totals(whole))
    return Reliability(
        documents_of, system, len(documents), len(shown.right), error, (low, high), floor, bins_from_totals(whole)
    )
