"""Reliability of probabilities: their agreement with the share of phrases that are right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from keywright.calibration.calibration_error import (
    Bin,
    NoiseFloor,
    compute_error,
    make_bins,
    measure_noise_floor,
    sum_bins,
)
from keywright.core.arrays import Bools, Floats, Ints
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from keywright.experiments.study import TableRow


@dataclass(frozen=True, slots=True)
class Reliability(TableRow):
    """The reliability of the probabilities of the phrases that a system ranks first.

    Attributes:
        documents_of: a data set, or a class of documents, such as ``abstract``.
        system: of the catalogue.
        error: calibration error, 0 to 1.
        interval: low and high end of 95 percent, from resampling documents.
        floor: the error of probabilities that are exactly right.
        bins: mean probabilities beside shares of right phrases.
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
class TopPhrases:
    """The phrases that a system ranks first, documents concatenated.

    Attributes:
        probabilities: 0 to 1, (phrases,).
        right: whether each is a keyphrase, (phrases,).
        owner: number of its document, from 0, (phrases,).
    """

    probabilities: Floats
    right: Bools
    owner: Ints

    def record(self) -> dict[str, Any]:
        """Return the columns as lists."""
        return {
            "probabilities": self.probabilities.tolist(),
            "right": self.right.tolist(),
            "owner": self.owner.tolist(),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the phrases of a record."""
        return cls(
            np.array(record["probabilities"], float), np.array(record["right"], bool), np.array(record["owner"], int)
        )


def pool_phrases(parts: Sequence[TopPhrases]) -> TopPhrases:
    """Return the phrases of several collections as one."""
    before = np.cumsum([0, *(len(np.unique(part.owner)) for part in parts)])
    owners = [np.unique(part.owner, return_inverse=True)[1] + start for part, start in zip(parts, before, strict=False)]
    return TopPhrases(
        np.concatenate([part.probabilities for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate(owners),
    )


def measure_reliability(
    documents_of: str, system: str, shown: TopPhrases, resampling: Resampling | None = None
) -> Reliability:
    """Return the reliability of at least one phrase, with an interval from resampling documents."""
    drawing = resampling or Resampling()
    documents = np.unique(shown.owner)
    masks = (shown.owner == document for document in documents)
    parts = [(shown.probabilities[mask], shown.right[mask]) for mask in masks]
    table = np.stack([sum_bins(*part) for part in parts])  # (documents, 3, bins)
    drawn = resample(table.reshape(len(table), -1), drawing)
    low, high = percentile_interval(compute_error(drawn.reshape(-1, *table.shape[1:]))[:, None], drawing.level)[
        :, 0
    ].tolist()
    whole = table.sum(axis=0)
    floor = measure_noise_floor(shown.probabilities)
    error = float(compute_error(whole))
    return Reliability(
        documents_of, system, len(documents), len(shown.right), error, (low, high), floor, make_bins(whole)
    )
