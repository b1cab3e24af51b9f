"""Proper scores, minimal in expectation for the true probabilities: Brier score with its decomposition, and log loss.

Brier 1950 (Verification of forecasts expressed in terms of probability); decomposition after Murphy 1973 (A new vector
partition of the probability score), with the remainder within bins after Stephenson, Coelho and Jolliffe 2008 (Two
extra components in the Brier score decomposition).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.measures.ece import BINS, bin_totals
from keywright.calibration.measures.inputs import checked_probabilities, non_empty
from keywright.core.arrays import Bools, Floats

CLIP: Final = 1e-12
"""Log loss clips probabilities this far from 0 and 1, so that a certain mistake costs 27.6 nats, not infinity."""


@dataclass(frozen=True, slots=True)
class Brier:
    """The mean squared distance of probability and outcome: ``reliability - resolution + uncertainty + within``.

    Attributes:
        score: 0 to 1, smaller is better.
        reliability: squared distance of mean probability and share of yes in the bins, 0 to 1, smaller is better.
        resolution: how far the bins' shares of yes are from the overall share, squared, 0 to .25, larger is better.
        uncertainty: the score of always predicting the overall share, 0 to .25; a property of the data.
        within: effect of differences inside bins: variance of the probabilities less twice their covariance with the
            outcomes; 0 where all probabilities of a bin are equal.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> Brier:
    """Return the Brier score and its parts; arguments and errors are those of ``ece.calibration_error``."""
    probabilities, outcomes = non_empty(*checked_probabilities(probabilities, outcomes))
    score = np.square(probabilities - outcomes).mean()
    reliability, resolution, uncertainty = murphy_decomposition(bin_totals(probabilities, outcomes, bins))
    within = score - reliability + resolution - uncertainty
    return Brier(*map(float, (score, reliability, resolution, uncertainty, within)))


def murphy_decomposition(totals: Floats) -> tuple[Floats, Floats, Floats]:
    """Return reliability, resolution and uncertainty, each (...), from bin totals (..., 3, bins); nan without rows."""
    size, probability, yes = np.moveaxis(totals, -2, 0)
    rows = size.sum(-1)
    filled = np.maximum(size, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = yes.sum(-1) / rows
        reliability = (np.square(probability - yes) / filled).sum(-1) / rows
        resolution = (size * np.square(yes / filled - share[..., None])).sum(-1) / rows
    return reliability, resolution, share * (1 - share)


def log_losses(probabilities: Floats, outcomes: Bools) -> Floats:
    """Return -ln of the probability of each row's outcome in nats, clipped at ``CLIP``, 0 to 27.6, (rows,)."""
    clipped = np.clip(probabilities, CLIP, 1 - CLIP)
    return np.asarray(-np.where(outcomes, np.log(clipped), np.log1p(-clipped)))


def log_loss(probabilities: Floats, outcomes: Bools) -> float:
    """Return the mean of ``log_losses``; arguments and errors are those of ``brier``."""
    return float(log_losses(*non_empty(*checked_probabilities(probabilities, outcomes))).mean())
