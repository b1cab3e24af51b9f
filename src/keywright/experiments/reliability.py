"""Reliability of probabilities: their agreement with the share of phrases that are right."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from keywright.calibration.calibration_error import (
    Bin,
    NoiseFloor,
    compute_error,
    make_bins,
    measure_noise_floor,
    sum_bins,
)
from keywright.calibration.judging import Decisions
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.choices import Confidence
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from keywright.experiments.study import TableRow


@dataclass(frozen=True, slots=True)
class Reliability(TableRow):
    """The reliability of the probabilities, 0 to 1, of the phrases that a system ranks first.

    ``documents_of``: a data set, or a class of documents, such as ``abstract``; ``interval``: 95 percent, from
    resampling documents; ``floor``: the error of probabilities that are exactly right.
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
    """The phrases that a system ranks first, with the number of each one's document, from 0; columns are (phrases,)."""

    probabilities: Floats
    right: Bools
    owner: Ints


def measure_reliability(
    documents_of: str, system: str, shown: TopPhrases, resampling: Resampling | None = None
) -> Reliability:
    """Return the reliability of at least one phrase, with an interval from resampling documents."""
    drawing = resampling or Resampling()
    masks = [shown.owner == document for document in np.unique(shown.owner)]
    table = np.stack([sum_bins(shown.probabilities[mask], shown.right[mask]) for mask in masks])  # (documents, 3, bins)
    drawn = resample(table.reshape(len(table), -1), drawing).reshape(-1, *table.shape[1:])
    low, high = percentile_interval(compute_error(drawn)[:, None], drawing.level)[:, 0].tolist()
    whole, floor = table.sum(axis=0), measure_noise_floor(shown.probabilities)
    error = float(compute_error(whole))
    return Reliability(documents_of, system, len(masks), len(shown.right), error, (low, high), floor, make_bins(whole))


def measure_class(
    documents_of: str, system: str, decisions: Decisions, part: PhraseClass, confidence: Confidence
) -> Reliability | None:
    """Return the reliability of the present, or of the absent phrases of a run; None if there are none."""
    columns = decisions.columns(confidence)
    phrases = columns.where(columns.present == (part is PhraseClass.PRESENT))
    if not len(phrases):
        return None
    return measure_reliability(documents_of, system, TopPhrases(phrases.confidence, phrases.correct, phrases.document))
