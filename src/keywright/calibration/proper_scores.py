"""Proper scores (Brier with its decomposition, log loss), and discrimination (AUROC, risk-coverage curve).

Brier 1950 (Verification of forecasts expressed in terms of probability); decomposition after Murphy 1973 (A new vector
partition of the probability score), with the remainder within bins after Stephenson, Coelho and Jolliffe 2008 (Two
extra components in the Brier score decomposition). The risk-coverage curve is that of selective prediction (El-Yaniv
and Wiener 2010: On the foundations of noise-free selective classification). Its area (AURC) and the excess over the
best order are after Geifman, Uziel and El-Yaniv 2019 (Bias-reduced uncertainty estimation for deep neural classifiers).
Each value is the mean over all orders of tied rows.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.calibration_error import check_scores
from keywright.core.arrays import Bools, Floats, Ints

CLIP: Final = 1e-12  # probabilities stay this far from 0 and 1: a certain mistake costs 27.6 nats, not infinity
TENTHS: Final = tuple(tenth / 10 for tenth in range(1, 11))  # coverages at which risk-coverage curves are reported
_ROUNDING: Final = 1e-12  # tolerance for a coverage such as .3 computed as a share of rows


def decompose_brier(totals: Floats) -> tuple[Floats, Floats, Floats]:
    """Return parts of the Brier score, each (...), from bin totals (..., 3, bins); nan without rows.

    The score is reliability - resolution + uncertainty + the effect of differences inside bins: reliability is the
    squared distance of mean probability and share of yes in the bins, resolution that of the bins' shares from the
    overall share, uncertainty the score of always predicting the overall share, 0 to .25.
    """
    size, probability, yes = np.moveaxis(totals, -2, 0)
    rows = size.sum(-1)
    filled = np.maximum(size, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = yes.sum(-1) / rows
        reliability = (np.square(probability - yes) / filled).sum(-1) / rows
        resolution = (size * np.square(yes / filled - share[..., None])).sum(-1) / rows
    return reliability, resolution, share * (1 - share)


def compute_log_losses(probabilities: Floats, outcomes: Bools) -> Floats:
    """Return -ln of the probability of each row's outcome in nats, clipped at ``CLIP``, 0 to 27.6, (rows,)."""
    clipped = np.clip(probabilities, CLIP, 1 - CLIP)
    return np.asarray(-np.where(outcomes, np.log(clipped), np.log1p(-clipped)))


@dataclass(frozen=True, slots=True, eq=False)
class RiskCoverage:
    """Risk-coverage curve; a point for each distinct score, highest first."""

    score: Floats  # rows of this score and above are answered, falling, (points,)
    coverage: Floats  # share of rows that are answered, rising to 1, (points,)
    risk: Floats  # share of those that are wrong, 0 to 1, (points,)
    area: float  # mean risk over all coverages, 0 to 1, smaller is better
    excess: float  # area less that of the best order of the same rows

    def risk_at(self, coverage: float) -> float:
        """Return the risk at the first point that answers at least this share of the rows, 0 to 1."""
        place = min(int(np.searchsorted(self.coverage, coverage - _ROUNDING)), len(self.coverage) - 1)
        return float(self.risk[place])

    def as_json(self) -> list[dict[str, float]]:
        """Return the risk at ten coverages."""
        return [{"coverage": share, "risk": self.risk_at(share)} for share in TENTHS]


def measure_auroc(scores: Floats, outcomes: Bools) -> float | None:
    """Return how often a yes has a higher score than a no, ties half; .5 is chance. None where all outcomes are equal.

    Raises BadParameter: no rows, lengths that differ, or a score that is nan; it may be infinite.
    """
    _, right, wrong = _count_by_score(scores, outcomes)
    return float(compute_auroc(right, wrong)) if right.any() and wrong.any() else None


def compute_auroc(right: Floats | Ints, wrong: Floats | Ints) -> Floats:
    """Return AUROC, (...), from right and wrong rows of each score, (..., scores), lowest first; nan without both."""
    wrong_below = wrong.cumsum(-1) - wrong
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((right * (wrong_below + wrong / 2)).sum(-1) / (right.sum(-1) * wrong.sum(-1) * 1.0))


def trace_risk_coverage(scores: Floats, outcomes: Bools) -> RiskCoverage:
    """Return the risk-coverage curve of rows, and its area; arguments and errors are those of ``measure_auroc``."""
    values, right, wrong = _count_by_score(scores, outcomes)
    answered, mistakes = (right + wrong)[::-1].cumsum(), wrong[::-1].cumsum()
    area, excess = compute_aurc(right, wrong)
    return RiskCoverage(values[::-1], answered / answered[-1], mistakes / answered, float(area), float(excess))


def compute_aurc(right: Floats | Ints, wrong: Floats | Ints) -> tuple[Floats, Floats]:
    """Return area under the curve and its excess, each (...), from whole counts per score, (..., scores), lowest first.

    After c rows with m mistakes, j of n tied rows with a share s of mistakes have an expected risk of (m + js) / (c +
    j); summed over j that is ns + (m - sc) (H(c + n) - H(c)), where H are the harmonic numbers, a table look-up.
    """
    right, wrong = np.flip(right, -1), np.flip(wrong, -1)
    sizes = (right + wrong).astype(np.int64)
    until = sizes.cumsum(-1)
    before, mistakes = until - sizes, wrong.cumsum(-1) - wrong
    rows, all_mistakes = until[..., -1], wrong.sum(-1)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, rows.max(initial=0) + 1))])
    share = wrong / np.maximum(sizes, 1)
    risk_sum = (wrong + (mistakes - share * before) * (harmonic[until] - harmonic[before])).sum(-1)
    correct = (rows - all_mistakes).astype(np.int64)
    best_risk_sum = all_mistakes - correct * (harmonic[rows] - harmonic[correct])
    with np.errstate(invalid="ignore", divide="ignore"):
        return risk_sum / rows, (risk_sum - best_risk_sum) / rows


def _count_by_score(scores: Floats, outcomes: Bools) -> tuple[Floats, Ints, Ints]:
    """Return the distinct scores, rising, and the right and wrong rows of each, (scores,)."""
    scores, outcomes = check_scores(scores, outcomes, least=1)
    values, group = np.unique(scores, return_inverse=True)
    sizes = np.bincount(group, minlength=len(values))
    right = np.bincount(group[outcomes], minlength=len(values))
    return values, right, sizes - right
