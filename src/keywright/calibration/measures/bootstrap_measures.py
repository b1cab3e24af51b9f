"""All measures of calibration from sums over phrases, for many samples at once; nan where a sample has no value."""

from typing import Final

import numpy as np

from keywright.calibration.measures.adaptive_ece import equal_mass_bins
from keywright.calibration.measures.bootstrap_sums import CLASSES, LENGTHS, Cells, Sums
from keywright.calibration.measures.discrimination import aurc_from_counts, auroc_from_counts
from keywright.calibration.measures.ece import error_from_totals
from keywright.calibration.measures.proper_scores import murphy_decomposition
from keywright.calibration.measures.smooth_ece import smooth_errors
from keywright.core.arrays import Floats

_CHUNK: Final = 100
"""Samples computed at a time, so that their sums fit into a processor's cache; arbitrary."""


def sampled_measures(cells: Cells, sums: Sums) -> dict[str, Floats]:
    """Return the values of all measures by name, (samples,)."""
    chunks = [_measures(cells, sums[start : start + _CHUNK]) for start in range(0, len(sums.documents), _CHUNK)]
    return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}


def _measures(cells: Cells, sums: Sums) -> dict[str, Floats]:
    """Return the values of one chunk of samples."""
    right, wrong, residual = sums.right, sums.wrong, sums.residual
    sizes, correct, expected = right + wrong, right.sum(1), residual.sum(1) + right.sum(1)
    rows = sizes.sum(1)
    membership = np.eye(cells.bins)[cells.block_bin]  # (blocks, bins): sums over bins as one product
    totals = np.stack([sizes @ membership, (residual + right) @ membership, right @ membership], axis=1)
    reliability, resolution, uncertainty = murphy_decomposition(totals)
    area, excess = aurc_from_counts(right, wrong)
    with np.errstate(invalid="ignore", divide="ignore"):
        score = sums.squared_residual / rows
        return {
            "confidence": expected / rows,
            "accuracy": correct / rows,
            "ece": error_from_totals(totals),
            "adaptive_ece": _adaptive(sizes, residual, cells.bins) / rows,
            "smooth_ece": smooth_errors(cells.block_confidence, residual, rows),
            **_segmented(sums),
            "brier": score,
            "reliability": reliability,
            "resolution": resolution,
            "uncertainty": uncertainty,
            "within": score - reliability + resolution - uncertainty,
            "log_loss": sums.log_loss / rows,
            "auroc": auroc_from_counts(right, wrong),
            "aurc": area,
            "excess_aurc": excess,
            "expected_per_document": expected / sums.documents,
            "correct_per_document": correct / sums.documents,
            "count_error": sums.count_error / sums.documents,
        }


def _adaptive(sizes: Floats, residual: Floats, bins: int) -> Floats:
    """Return the sum over bins of equal mass of the distance of probabilities and outcomes, (samples,)."""
    samples = len(sizes)
    # Bins of all samples are numbered through, so that one bincount sums them all.
    bin_of = equal_mass_bins(sizes, bins) + bins * np.arange(samples)[:, None]
    bin_residuals = np.bincount(bin_of.ravel(), residual.ravel(), samples * bins)
    distances: Floats = np.abs(bin_residuals).reshape(samples, bins).sum(1)
    return distances


def _segmented(sums: Sums) -> dict[str, Floats]:
    """Return the calibration errors of each class and each length, and their means weighted by size, (samples,)."""
    errors = {}
    for mean_name, names, other_axis in (("classwise_ece", CLASSES, 2), ("lengthwise_ece", LENGTHS, 1)):
        distances = np.abs(sums.segment_residual.sum(other_axis)).sum(-1)  # (samples, classes or lengths)
        sizes = sums.segment_size.sum(other_axis)
        with np.errstate(invalid="ignore", divide="ignore"):
            errors[mean_name] = distances.sum(1) / sizes.sum(1)
            errors |= {f"ece: {name}": column for name, column in zip(names, (distances / sizes).T, strict=True)}
    return errors
