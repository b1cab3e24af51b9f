"""Proper scores: means that only the true probabilities make smallest, and the parts of one of them.

Brier 1950 (Verification of forecasts expressed in terms of probability); its parts after Murphy 1973 (A new vector
partition of the probability score), with what bins leave over after Stephenson, Coelho and Jolliffe 2008 (Two extra
components in the Brier score decomposition).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.measures.ece import BINS, bin_totals
from keywright.calibration.measures.inputs import checked, some
from keywright.core.arrays import Bools, Floats

CLIP: Final = 1e-12
"""Probabilities nearer to 0 or 1 than this count as this near, so that one sure mistake costs 27.6 and not infinity."""


@dataclass(frozen=True, slots=True)
class Brier:
    """The mean squared distance of probability and answer: ``reliability - resolution + uncertainty + within``.

    Attributes:
        score: 0 to 1, smaller is better.
        reliability: squared distance of mean probability and share of yes in the bins, 0 to 1, smaller is better.
        resolution: how far the bins' shares of yes are from the share of all, squared, 0 to .25, larger is better.
        uncertainty: what always giving the share of all would have, 0 to .25; a fact of the data.
        within: what differences inside bins add: their variance less twice their covariance with the answers; 0 where
            all probabilities of a bin are equal.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(probabilities: Floats, answers: Bools, number: int = BINS) -> Brier:
    """The Brier score and its parts over equal bins.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        answers: whether the row is a yes, (rows,).
        number: of bins.

    Raises:
        BadParameter: no rows or bins, lengths that differ, or a probability outside 0 to 1 or nan.
    """
    probabilities, answers = some(*checked(probabilities, answers))
    score = np.square(probabilities - answers).mean()
    reliability, resolution, uncertainty = murphy(bin_totals(probabilities, answers, number))
    within = score - reliability + resolution - uncertainty
    return Brier(*map(float, (score, reliability, resolution, uncertainty, within)))


def murphy(totals: Floats) -> tuple[Floats, Floats, Floats]:
    """Reliability, resolution and uncertainty, each (...), from bin totals (..., 3, bins); nan without rows."""
    size, probability, yes = np.moveaxis(totals, -2, 0)
    rows = size.sum(-1)
    filled = np.maximum(size, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = yes.sum(-1) / rows
        reliability = (np.square(probability - yes) / filled).sum(-1) / rows
        resolution = (size * np.square(yes / filled - share[..., None])).sum(-1) / rows
    return reliability, resolution, share * (1 - share)


def log_losses(probabilities: Floats, answers: Bools) -> Floats:
    """What each row costs, -ln of the probability of its answer, clipped at ``CLIP``, 0 to 27.6, (rows,)."""
    clipped = np.clip(probabilities, CLIP, 1 - CLIP)
    costs: Floats = -np.where(answers, np.log(clipped), np.log1p(-clipped))
    return costs


def log_loss(probabilities: Floats, answers: Bools) -> float:
    """The mean of -ln of the probability of each answer, in nats, 0 to 27.6; clipped at ``CLIP``.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        answers: whether the row is a yes, (rows,).

    Raises:
        BadParameter: no rows, lengths that differ, or a probability outside 0 to 1 or nan.
    """
    return float(log_losses(*some(*checked(probabilities, answers))).mean())
