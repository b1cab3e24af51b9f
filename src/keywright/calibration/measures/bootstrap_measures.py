"""Every measure of calibration from sums over phrases, for many samples at once; nan where a sample has no value."""

from typing import Final

import numpy as np

from keywright.calibration.measures.adaptive_ece import equal_mass_bins
from keywright.calibration.measures.bootstrap_sums import CLASSES, LENGTHS, Cells, Tallies
from keywright.calibration.measures.discrimination import area_of, auroc_of
from keywright.calibration.measures.ece import error_of
from keywright.calibration.measures.proper_scores import murphy
from keywright.calibration.measures.smooth_ece import smooth_errors
from keywright.core.arrays import Floats

_AT_ONCE: Final = 100
"""Samples that are looked at together: few enough for a processor's cache."""


def sampled_measures(where: Cells, tallies: Tallies) -> dict[str, Floats]:
    """Values of all measures by name, (samples,)."""
    samples = len(tallies.documents)
    parts = [_measures(where, tallies[start : start + _AT_ONCE]) for start in range(0, samples, _AT_ONCE)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _measures(where: Cells, tallies: Tallies) -> dict[str, Floats]:
    """The same of a few samples."""
    right, wrong, residual = tallies.right, tallies.wrong, tallies.residual
    sizes, rights, residuals = right + wrong, right.sum(1), residual.sum(1)
    rows = sizes.sum(1)
    bins = np.eye(where.bins)[where.bin]  # (blocks, bins)
    totals = np.stack([sizes @ bins, (residual + right) @ bins, right @ bins], axis=1)  # (samples, 3, bins)
    reliability, resolution, uncertainty = murphy(totals)
    area, excess = area_of(right, wrong)
    with np.errstate(invalid="ignore", divide="ignore"):
        score = tallies.squares / rows
        return {
            "confidence": (residuals + rights) / rows,
            "accuracy": rights / rows,
            "ece": error_of(totals),
            "adaptive_ece": _adaptive(sizes, residual, where.bins) / rows,
            "smooth_ece": smooth_errors(where.place, residual, rows),
            **_segmented(tallies),
            "brier": score,
            "reliability": reliability,
            "resolution": resolution,
            "uncertainty": uncertainty,
            "within": score - reliability + resolution - uncertainty,
            "log_loss": tallies.losses / rows,
            "auroc": auroc_of(right, wrong),
            "aurc": area,
            "excess_aurc": excess,
            "expected_per_document": (residuals + rights) / tallies.documents,
            "correct_per_document": rights / tallies.documents,
            "count_error": tallies.count_errors / tallies.documents,
        }


def _adaptive(sizes: Floats, residual: Floats, bins: int) -> Floats:
    """Sum over bins of equal mass of the distance of probabilities and answers, (samples,)."""
    samples = len(sizes)
    owner = equal_mass_bins(sizes, bins) + bins * np.arange(samples)[:, None]
    found = np.bincount(owner.ravel(), residual.ravel(), samples * bins)
    distances: Floats = np.abs(found).reshape(samples, bins).sum(1)
    return distances


def _segmented(tallies: Tallies) -> dict[str, Floats]:
    """Calibration errors of classes and lengths apart, and their means weighed by sizes, (samples,)."""
    found = {}
    for name, names, other in (("classwise_ece", CLASSES, 2), ("lengthwise_ece", LENGTHS, 1)):
        distances = np.abs(tallies.segments.sum(other)).sum(-1)  # (samples, classes or lengths)
        sizes = tallies.sizes.sum(other)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[name] = distances.sum(1) / sizes.sum(1)
            found |= {f"ece: {one}": column for one, column in zip(names, (distances / sizes).T, strict=True)}
    return found
