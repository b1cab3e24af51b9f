"""All measures of calibration of a run at once, each with an interval and, where chance has a share, a noise floor.

Intervals come from documents drawn with replacement, since phrases of one document go together. Noise floors come from
answers drawn from the confidences themselves; phrases that are right together would make them larger, so they are a
lower bound of what chance does.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.adaptive_ece import adaptive_error
from keywright.calibration.measures.bootstrap_measures import sampled_measures
from keywright.calibration.measures.bootstrap_sums import as_they_are, cells, resampled, simulated
from keywright.calibration.measures.discrimination import auroc, risk_coverage
from keywright.calibration.measures.ece import BINS, NoiseFloor, bin_totals, bins_of
from keywright.calibration.measures.inputs import checked
from keywright.calibration.measures.report import MEASURES, CalibrationReport, Measured
from keywright.calibration.measures.smooth_ece import smooth_error
from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter, unknown
from keywright.evaluation.statistics.bootstrap import Resampling, interval

RESAMPLING: Final = Resampling(samples=1000)
DRAWS: Final = 200
"""How often answers are drawn for noise floors."""


def measure(
    judged: JudgedPhrases,
    bins: int = BINS,
    resampling: Resampling = RESAMPLING,
    draws: int = DRAWS,
    names: Collection[str] = MEASURES,
) -> CalibrationReport:
    """Measures of the phrases of a run; ``judged.where(...)`` gives those of some of them.

    Without phrases every measure is absent with the reason.

    Args:
        judged: phrases whose confidence is a probability, 0 to 1.
        bins: of the calibration errors.
        resampling: how documents are drawn; its level is that of the noise floors, too.
        draws: how often answers are drawn for noise floors.
        names: of ``MEASURES``, those that are wanted.

    Raises:
        BadParameter: a confidence outside 0 to 1 or nan, no bins, or no draws.
        UnknownName: a measure that there is not.
    """
    for name in names:
        if name not in MEASURES:
            raise unknown("measure", name, MEASURES, "keywright.calibration.measures.report.MEASURES")
    confidence, correct = checked(judged.confidence, judged.correct)
    if bins < 1 or draws < 1:
        raise BadParameter(f"{bins} bins, {draws} draws", "expected at least one of each")
    counted = len(judged.ids), len(judged), int(correct.sum())
    sig = resampling.mark("db")
    if not len(judged):
        absent = {name: "there are no phrases" for name in MEASURES if name in names}
        return CalibrationReport(*counted, {}, absent, (), None, sig, ())
    judged = replace(judged, confidence=confidence, correct=correct)
    where = cells(judged, bins)
    found = {name: float(column[0]) for name, column in sampled_measures(where, as_they_are(judged, where)).items()}
    curve = risk_coverage(confidence, correct)
    found["adaptive_ece"] = adaptive_error(confidence, correct, bins)
    found["smooth_ece"] = smooth_error(confidence, correct)
    found["aurc"], found["excess_aurc"] = curve.area, curve.excess
    area = auroc(confidence, correct)
    found["auroc"] = np.nan if area is None else area
    drawn = sampled_measures(where, resampled(judged, where, resampling)) if len(judged.ids) > 1 else {}
    floored = {name for name in names if MEASURES[name].floor}
    chance = sampled_measures(where, simulated(judged, where, replace(resampling, samples=draws))) if floored else {}
    values = {
        name: Measured(
            found[name],
            _ends(drawn[name], resampling.level) if drawn else None,
            _floor(chance[name], resampling.level) if name in floored else None,
        )
        for name in MEASURES
        if name in names and not np.isnan(found[name])
    }
    absent = {name: _reason(name, judged) for name in MEASURES if name in names and name not in values}
    shown = bins_of(bin_totals(confidence, correct, bins))
    return CalibrationReport(*counted, values, absent, shown, curve, sig, _notes(judged, bins, values))


def _ends(samples: Floats, level: float) -> tuple[float, float] | None:
    """Percentile interval over the samples that have a value; None where too few have."""
    known = samples[~np.isnan(samples)]
    if len(known) < level * len(samples):
        return None
    low, high = interval(known, level).tolist()
    return low, high


def _floor(samples: Floats, level: float) -> NoiseFloor:
    """Mean and interval of a measure where answers come from the confidences."""
    low, high = interval(samples, level).tolist()
    return NoiseFloor(float(samples.mean()), low, high)


def _reason(name: str, judged: JudgedPhrases) -> str:
    """Why a measure has no value although there are phrases."""
    if name == "auroc":
        answer = "right" if judged.correct.all() else "wrong"
        return f"{phrases_in_all(len(judged))} {answer}, and it compares right and wrong ones"
    return "there are no such phrases"


def phrases_in_all(number: int, kind: str = "") -> str:
    """Words for all phrases of a kind, with the verb, such as "all 3 present phrases are"."""
    what = f"{kind} phrase".strip()
    return f"the only {what} is" if number == 1 else f"all {number} {what}s are"


def _notes(judged: JudgedPhrases, bins: int, values: Mapping[str, Measured]) -> tuple[str, ...]:
    """What a reader of the numbers should know."""
    notes = []
    if len(judged.ids) == 1:
        notes.append("1 document: no intervals, which need at least two")
    elif len(judged.ids) < bins:
        notes.append(f"{len(judged.ids)} documents, fewer than the {bins} bins: intervals say little")
    without = [name for name, one in values.items() if one.interval is None]
    if "accuracy" in without and len(judged.ids) > 1:
        notes.append("intervals of numbers a document only, since too many samples of documents have no phrases")
    elif without and len(judged.ids) > 1:
        titles = "; ".join(MEASURES[name].title.strip() for name in without)
        notes.append(f"no interval, since too many samples of documents have no value: {titles}")
    if len(judged) < bins and "ece" in values:
        number = f"{len(judged)} phrase{'s' * (len(judged) > 1)}"
        notes.append(f"{number}, fewer than the {bins} bins: errors over bins are mostly noise")
    return tuple(notes)
