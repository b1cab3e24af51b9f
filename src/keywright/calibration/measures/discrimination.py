"""Whether the surer rows are the right ones, however sure: AUROC, risk by coverage and the area under it.

The curve is that of selective prediction (El-Yaniv and Wiener 2010: On the foundations of noise-free selective
classification): answer only where the score is high, and see how often that is wrong. Its area (AURC) and the part of
it that a better order would save after Geifman, Uziel and El-Yaniv 2019 (Bias-reduced uncertainty estimation for deep
neural classifiers). Rows of equal score come in an order by chance: values are what that gives on average.
"""

from dataclasses import dataclass

import numpy as np

from keywright.calibration.measures.inputs import paired, some
from keywright.core.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class RiskCoverage:
    """How often the surest rows are wrong; a point for each distinct score, surest first.

    Attributes:
        score: rows of this score and above are answered, falling, (points,).
        coverage: share of rows that are answered, rising to 1, (points,).
        risk: share of those that are wrong, 0 to 1, (points,).
        area: mean risk over all coverages, 0 to 1, smaller is better.
        excess: area less that of the best order of the same rows.
    """

    score: Floats
    coverage: Floats
    risk: Floats
    area: float
    excess: float

    def precision_at(self, coverage: float) -> float:
        """Share that is right of the surest rows, of which at least this share of all is answered.

        Args:
            coverage: 0 to 1.
        """
        place = min(int(np.searchsorted(self.coverage, coverage - 1e-12)), len(self.coverage) - 1)
        return float(1 - self.risk[place])


def auroc(scores: Floats, answers: Bools) -> float | None:
    """How often a yes has a higher score than a no, ties half; .5 is chance. None where all answers are the same.

    Args:
        scores: any numbers, infinity too, (rows,).
        answers: whether the row is a yes, (rows,).

    Raises:
        BadParameter: no rows, lengths that differ, or a score that is nan.
    """
    _, right, wrong = _groups(scores, answers)
    found = float(auroc_of(right, wrong))
    return None if np.isnan(found) else found


def auroc_of(right: Floats | Ints, wrong: Floats | Ints) -> Floats:
    """AUROC, (...), from the right and wrong rows of each score, (..., scores), lowest first; nan if one is missing."""
    below = wrong.cumsum(-1) - wrong
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (right * (below + wrong / 2)).sum(-1) / (right.sum(-1) * wrong.sum(-1) * 1.0)
    return found


def risk_coverage(scores: Floats, answers: Bools) -> RiskCoverage:
    """The risk-coverage curve of rows, and its area.

    Args:
        scores: any numbers, infinity too, (rows,), at least one.
        answers: whether the row is a yes, (rows,).

    Raises:
        BadParameter: no rows, lengths that differ, or a score that is nan.
    """
    values, right, wrong = _groups(scores, answers)
    answered, mistakes = (right + wrong)[::-1].cumsum(), wrong[::-1].cumsum()
    area, excess = area_of(right, wrong)
    return RiskCoverage(values[::-1], answered / answered[-1], mistakes / answered, float(area), float(excess))


def area_of(right: Floats | Ints, wrong: Floats | Ints) -> tuple[Floats, Floats]:
    """Area under the curve and its excess, each (...), from the rows of each score, (..., scores), lowest first.

    After c rows with m mistakes, j of n rows with a share s of mistakes have an expected risk of (m + js) / (c + j);
    summed over j that is ns + (m - sc) (H(c + n) - H(c)), where H are the harmonic numbers.

    Args:
        right: whole numbers.
        wrong: whole numbers.
    """
    right, wrong = np.flip(right, -1), np.flip(wrong, -1)
    sizes = (right + wrong).astype(np.int64)
    until = sizes.cumsum(-1)
    before, mistakes = until - sizes, wrong.cumsum(-1) - wrong
    rows, all_mistakes = until[..., -1], wrong.sum(-1)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, rows.max(initial=0) + 1))])
    share = wrong / np.maximum(sizes, 1)
    sums = (wrong + (mistakes - share * before) * (harmonic[until] - harmonic[before])).sum(-1)
    correct = (rows - all_mistakes).astype(np.int64)
    best = all_mistakes - correct * (harmonic[rows] - harmonic[correct])
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums / rows, (sums - best) / rows


def _groups(scores: Floats, answers: Bools) -> tuple[Floats, Ints, Ints]:
    """Distinct scores, rising, and how many rows of each are right and wrong, (scores,)."""
    scores, answers = some(*paired(scores, answers))
    values, owner = np.unique(scores, return_inverse=True)
    sizes = np.bincount(owner, minlength=len(values))
    right = np.bincount(owner[answers], minlength=len(values))
    return values, right, sizes - right
