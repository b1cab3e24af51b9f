"""All measures of calibration of a run, with intervals from documents, and noise floors where chance raises them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.calibration import calibration_error
from keywright.calibration.bootstrap_sums import (
    CLASSES,
    LENGTHS,
    compute_measures,
    group_phrases,
    sum_simulated,
    sum_weighted,
)
from keywright.calibration.phrases import JudgedPhrases
from keywright.calibration.proper_scores import RiskCoverage, measure_auroc, trace_risk_coverage
from keywright.core.errors import BadParameter, unknown_name
from keywright.core.json_values import encode
from keywright.evaluation.statistics.bootstrap import Resampling, draw_documents, percentile_interval

RESAMPLING: Final = Resampling(samples=1000)
"""1,000 samples: a tenth of those of scores, for a sample of all measures takes longer."""
DRAWS: Final = 200  # times that outcomes are drawn for noise floors; arbitrary


class Display(NamedTuple):
    """How a measure is printed."""

    title: str  # two leading spaces indent a part of the measure above
    percent: bool = False  # whether it is printed times 100
    floor: bool = False  # whether it is 0 for exact probabilities but for chance, so that it has a noise floor

    @property
    def label(self) -> str:
        """The title with its unit, not indented."""
        return self.title.strip() + (" %" if self.percent else "")


MEASURES: Final[Mapping[str, Display]] = {
    "confidence": Display("mean confidence", percent=True),
    "accuracy": Display("share correct", percent=True),
    "ece": Display("ECE, equal-width bins", percent=True, floor=True),
    "adaptive_ece": Display("ECE, equal-mass bins", percent=True, floor=True),
    "smooth_ece": Display("ECE, smooth", percent=True, floor=True),
    "classwise_ece": Display("ECE, by class", percent=True, floor=True),
    **{f"ece: {name}": Display(f"ECE, {name}", percent=True, floor=True) for name in CLASSES},
    "lengthwise_ece": Display("ECE, by length", percent=True, floor=True),
    **{f"ece: {name}": Display(f"ECE, {name}", percent=True, floor=True) for name in LENGTHS},
    "brier": Display("Brier score"),
    "reliability": Display("  reliability", floor=True),
    "resolution": Display("  resolution"),
    "uncertainty": Display("  uncertainty"),
    "within": Display("  within bins"),
    "log_loss": Display("log loss, nats"),
    "auroc": Display("AUROC"),
    "aurc": Display("area under risk-coverage curve"),
    "excess_aurc": Display("  excess over the best order"),
    "expected_per_document": Display("expected correct per document"),
    "correct_per_document": Display("correct per document"),
    "count_error": Display("  their distance", floor=True),
}
"""All measures, in the order of the table."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A value with its noise floor and its interval; None for too few documents, or samples with a value."""

    value: float  # errors, shares and areas are fractions 0 to 1; log loss is in nats; numbers per document are phrases
    interval: tuple[float, float] | None = None
    floor: calibration_error.NoiseFloor | None = None  # the value of exact probabilities; None for measures without one


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationReport:
    """Measures of how far the confidences of a run are from probabilities."""

    documents: int  # number of documents; so of phrases and of correct ones
    phrases: int
    correct: int
    values: Mapping[str, Measured]  # by name, in the order of ``MEASURES``
    absent: Mapping[str, str]  # why a measure has no value, by name
    bins: tuple[calibration_error.Bin, ...]  # equal-width bins of all phrases, lowest first; empty without phrases
    curve: RiskCoverage | None = field(metadata={"key": "risk_by_coverage"})  # None without phrases
    sig: str  # signature of the resampling
    notes: tuple[str, ...]  # cautions for readers of the numbers

    def __getitem__(self, name: str) -> float:
        if name in self.values:
            return self.values[name].value
        raise KeyError(f"{name}: {self.absent.get(name, 'no such measure')}")

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; of the curve, the risk at ten coverages."""
        record = encode(self)
        record["risk_by_coverage"] = record["risk_by_coverage"] or []
        return dict(record)

    def text(self) -> str:
        """Return a table of values, intervals and noise floors, and the notes; percent where papers print percent."""
        rows = [("", "value", "interval", "noise floor")]
        for name, display in MEASURES.items():
            percent = " %" if display.percent and name in self.values else ""
            rows.append((display.title + percent, *self.format_measure(name)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [f"{self.phrases:,} phrases of {self.documents:,} documents, {self.correct:,} correct ({self.sig})"]
        for title, *numbers in rows:
            cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
            lines.append("  ".join((title.ljust(widths[0]), *cells)).rstrip())
        lines += [f"{MEASURES[name].title.strip()}: none, {reason}" for name, reason in self.absent.items()]
        return "\n".join([*lines, *self.notes])

    def format_measure(self, name: str) -> tuple[str, str, str]:
        """Return value, interval and noise floor of a measure as text: a dash for a missing value, else empty text."""
        measured = self.values.get(name)
        if measured is None:
            return "-", "", ""
        factor, form = (100, ".2f") if MEASURES[name].percent else (1, ".4f")
        ends = " to ".join(f"{factor * end:{form}}" for end in measured.interval or ())
        floor = f"{factor * measured.floor.error:{form}}" if measured.floor else ""
        return f"{factor * measured.value:{form}}", ends, floor


def measure(
    judged: JudgedPhrases,
    bins: int = calibration_error.BINS,
    resampling: Resampling = RESAMPLING,
    draws: int = DRAWS,
    names: Collection[str] = MEASURES,
) -> CalibrationReport:
    """Return the measures of the phrases of a run; without phrases each is absent with the reason.

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
            raise unknown_name("measure", name, MEASURES, "keywright.calibration.measuring.MEASURES")
    wanted = [name for name in MEASURES if name in names]
    confidence, correct = calibration_error.check_probabilities(judged.confidence, judged.correct)
    if bins < 1 or draws < 1:
        raise BadParameter(f"{bins} bins, {draws} draws", "expected at least one of each")
    sizes = len(judged.ids), len(judged), int(correct.sum())
    sig = resampling.mark("db")
    if not len(judged):
        absent = dict.fromkeys(wanted, "there are no phrases")
        return CalibrationReport(*sizes, {}, absent, (), None, sig, ())
    judged = replace(judged, confidence=confidence, correct=correct)
    cells = group_phrases(judged, bins)
    curve, area = trace_risk_coverage(confidence, correct), measure_auroc(confidence, correct)
    once = [np.ones((1, len(judged.ids)))]
    observed = {name: column[0] for name, column in compute_measures(cells, sum_weighted(judged, cells, once)).items()}
    observed |= {  # exact values, where blocks of neighbouring confidences are approximate
        "adaptive_ece": calibration_error.measure_adaptive_error(confidence, correct, bins),
        "smooth_ece": calibration_error.measure_smooth_error(confidence, correct),
        "aurc": curve.area,
        "excess_aurc": curve.excess,
        "auroc": np.nan if area is None else area,
    }
    drawn = sum_weighted(judged, cells, draw_documents(len(judged.ids), resampling))
    resampled = compute_measures(cells, drawn) if len(judged.ids) > 1 else {}
    floored = {name for name in wanted if MEASURES[name].floor}
    exact = sum_simulated(judged, cells, replace(resampling, samples=draws))
    simulated = compute_measures(cells, exact) if floored else {}
    values, absent = {}, {}
    for name in wanted:
        if np.isnan(observed[name]):
            absent[name] = "there are no such phrases"
            continue
        # An interval over the samples that have a value; none where a share of 1 - level of them has none.
        interval, floor = None, None
        defined = resampled[name][~np.isnan(resampled[name])] if resampled else None
        if defined is not None and len(defined) >= resampling.level * len(resampled[name]):
            low, high = percentile_interval(defined, resampling.level).tolist()
            interval = low, high
        if name in floored:
            ends = percentile_interval(simulated[name], resampling.level).tolist()
            floor = calibration_error.NoiseFloor(float(simulated[name].mean()), *ends)
        values[name] = Measured(float(observed[name]), interval, floor)
    if "auroc" in absent:
        outcome = "correct" if correct.all() else "wrong"
        absent["auroc"] = f"{name_all_phrases(len(judged))} {outcome}, and it compares correct and wrong ones"
    diagram = calibration_error.make_bins(calibration_error.sum_bins(confidence, correct, bins))
    return CalibrationReport(*sizes, values, absent, diagram, curve, sig, _list_notes(judged, bins, values))


def name_all_phrases(number: int, kind: str = "") -> str:
    """Return the subject and verb of a sentence on all phrases, such as "all 3 present phrases are"."""
    noun = f"{kind} phrase".strip()
    return f"the only {noun} is" if number == 1 else f"all {number} {noun}s are"


def _list_notes(judged: JudgedPhrases, bins: int, values: Mapping[str, Measured]) -> tuple[str, ...]:
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
