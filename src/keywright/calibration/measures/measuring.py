"""All measures of calibration of a run at once, each with an interval and, where chance raises it, a noise floor.

Intervals come from documents drawn with replacement, since phrases of one document depend on each other. Noise floors
come from outcomes drawn from the confidences, independently of each other, so that they are lower bounds of the error
that chance alone gives.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.bootstrap_sums import (
    CLASSES,
    LENGTHS,
    Cells,
    Sums,
    observed_sums,
    phrase_cells,
    resampled_sums,
    simulated_sums,
)
from keywright.calibration.measures.discrimination import aurc_from_counts, auroc, auroc_from_counts, risk_coverage
from keywright.calibration.measures.ece import (
    BINS,
    NoiseFloor,
    adaptive_error,
    bin_totals,
    bins_from_totals,
    equal_mass_bins,
    error_from_totals,
)
from keywright.calibration.measures.inputs import checked_probabilities
from keywright.calibration.measures.proper_scores import murphy_decomposition
from keywright.calibration.measures.report import MEASURES, CalibrationReport, Measured
from keywright.calibration.measures.smooth_ece import smooth_error, smooth_errors
from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter, unknown
from keywright.evaluation.statistics.bootstrap import Resampling, interval

_CHUNK: Final = 100
"""Samples computed at a time, so that their sums fit into a processor's cache; arbitrary."""


def sampled_measures(cells: Cells, sums: Sums) -> dict[str, Floats]:
    """Return the values of all measures by name, (samples,)."""
    chunks = [_measures(cells, sums[start : start + _CHUNK]) for start in range(0, len(sums.documents), _CHUNK)]
    return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}


def _measures(cells: Cells, sums: Sums) -> dict[str, Floats]:
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
    return np.asarray(np.abs(bin_residuals).reshape(samples, bins).sum(1))


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


RESAMPLING: Final = Resampling(samples=1000)
"""1,000 samples: a tenth of those of scores, for a sample of all measures takes longer."""
DRAWS: Final = 200
"""Times that outcomes are drawn for noise floors; arbitrary."""


def measure(
    judged: JudgedPhrases,
    bins: int = BINS,
    resampling: Resampling = RESAMPLING,
    draws: int = DRAWS,
    names: Collection[str] = MEASURES,
) -> CalibrationReport:
    """Return the measures of the phrases of a run; ``judged.where(...)`` selects some phrases.

    Without phrases every measure is absent with the reason.

    Args:
        judged: phrases whose confidence is a probability, 0 to 1.
        bins: number of bins of the calibration errors.
        resampling: how documents are drawn; its level is also that of the noise floors.
        draws: times that outcomes are drawn for noise floors.
        names: the measures to report, of ``MEASURES``.

    Raises:
        BadParameter: a confidence outside 0 to 1 or nan, no bins, or no draws.
        UnknownName: there is no such measure.
    """
    for name in names:
        if name not in MEASURES:
            raise unknown("measure", name, MEASURES, "keywright.calibration.measures.report.MEASURES")
    wanted = [name for name in MEASURES if name in names]
    confidence, correct = checked_probabilities(judged.confidence, judged.correct)
    if bins < 1 or draws < 1:
        raise BadParameter(f"{bins} bins, {draws} draws", "expected at least one of each")
    sizes = len(judged.ids), len(judged), int(correct.sum())
    sig = resampling.mark("db")
    if not len(judged):
        absent = dict.fromkeys(wanted, "there are no phrases")
        return CalibrationReport(*sizes, {}, absent, (), None, sig, ())
    judged = replace(judged, confidence=confidence, correct=correct)
    cells = phrase_cells(judged, bins)
    curve, area = risk_coverage(confidence, correct), auroc(confidence, correct)
    observed = {
        name: float(column[0]) for name, column in sampled_measures(cells, observed_sums(judged, cells)).items()
    }
    observed |= {  # exact values, where blocks of neighbouring confidences are approximate
        "adaptive_ece": adaptive_error(confidence, correct, bins),
        "smooth_ece": smooth_error(confidence, correct),
        "aurc": curve.area,
        "excess_aurc": curve.excess,
        "auroc": np.nan if area is None else area,
    }
    resampled = sampled_measures(cells, resampled_sums(judged, cells, resampling)) if len(judged.ids) > 1 else {}
    floored = {name for name in wanted if MEASURES[name].floor}
    draw = replace(resampling, samples=draws)
    simulated = sampled_measures(cells, simulated_sums(judged, cells, draw)) if floored else {}
    values = {
        name: Measured(
            observed[name],
            _interval(resampled[name], resampling.level) if resampled else None,
            _floor(simulated[name], resampling.level) if name in floored else None,
        )
        for name in wanted
        if not np.isnan(observed[name])
    }
    absent = {name: _reason(name, judged) for name in wanted if name not in values}
    diagram = bins_from_totals(bin_totals(confidence, correct, bins))
    return CalibrationReport(*sizes, values, absent, diagram, curve, sig, _notes(judged, bins, values))


def _interval(samples: Floats, level: float) -> tuple[float, float] | None:
    """Return the percentile interval over the samples that have a value; None where a share of 1 - level has none."""
    defined = samples[~np.isnan(samples)]
    if len(defined) < level * len(samples):
        return None
    low, high = interval(defined, level).tolist()
    return low, high


def _floor(samples: Floats, level: float) -> NoiseFloor:
    low, high = interval(samples, level).tolist()
    return NoiseFloor(float(samples.mean()), low, high)


def _reason(name: str, judged: JudgedPhrases) -> str:
    if name == "auroc":
        outcome = "correct" if judged.correct.all() else "wrong"
        return f"{all_phrases_are(len(judged))} {outcome}, and it compares correct and wrong ones"
    return "there are no such phrases"


def all_phrases_are(number: int, kind: str = "") -> str:
    """Return the subject and verb of a sentence on all phrases, such as "all 3 present phrases are"."""
    noun = f"{kind} phrase".strip()
    return f"the only {noun} is" if number == 1 else f"all {number} {noun}s are"


def _notes(judged: JudgedPhrases, bins: int, values: Mapping[str, Measured]) -> tuple[str, ...]:
    notes = []
    if len(judged.ids) == 1:
        notes.append("1 document: no intervals, which need at least two")
    elif len(judged.ids) < bins:
        notes.append(f"{len(judged.ids)} documents, fewer than the {bins} bins: intervals are unreliable")
    without = [name for name, value in values.items() if value.interval is None]
    if "accuracy" in without and len(judged.ids) > 1:
        notes.append("intervals only for numbers per document: too many samples of documents have no phrases")
    elif without and len(judged.ids) > 1:
        titles = "; ".join(MEASURES[name].title.strip() for name in without)
        notes.append(f"no interval, since too many samples of documents have no value: {titles}")
    if len(judged) < bins and "ece" in values:
        phrases = f"{len(judged)} phrase{'s' * (len(judged) > 1)}"
        notes.append(f"{phrases}, fewer than the {bins} bins: errors over bins are mostly noise")
    return tuple(notes)
