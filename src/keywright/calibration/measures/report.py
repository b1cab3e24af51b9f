"""Report of the measures of calibration: values with intervals and noise floors, bins, and risk-coverage curve."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from keywright.calibration.measures.bootstrap_sums import CLASSES, LENGTHS
from keywright.calibration.measures.discrimination import RiskCoverage
from keywright.calibration.measures.ece import Bin, NoiseFloor

TENTHS: Final = tuple(tenth / 10 for tenth in range(1, 11))
"""Coverages at which risk-coverage curves are reported."""


class Display(NamedTuple):
    """How a measure is printed.

    Attributes:
        title: in words; two leading spaces indent a part of the measure above.
        percent: whether it is printed times 100.
        floor: whether it is 0 for exact probabilities but for chance, so that it has a noise floor.
    """

    title: str
    percent: bool = False
    floor: bool = False


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
    """A value with its uncertainty.

    Attributes:
        value: errors, shares and areas are fractions 0 to 1; log loss is in nats; numbers per document are phrases.
        interval: percentile interval over resampled documents; None with fewer than two, and where more samples have
            no value than its level leaves out. Resampling itself adds noise to errors, so that an error near its floor
            may lie below its interval.
        floor: the value of exact probabilities; None for measures without one.
    """

    value: float
    interval: tuple[float, float] | None = None
    floor: NoiseFloor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationReport:
    """Measures of how far the confidences of a run are from probabilities.

    Attributes:
        documents, phrases, correct: numbers of each.
        values: by name, in the order of ``MEASURES``.
        absent: why a measure has no value, by name.
        bins: equal-width bins of all phrases, lowest first; empty without phrases.
        curve: risk-coverage curve; None without phrases.
        notes: cautions for readers of the numbers.
    """

    documents: int
    phrases: int
    correct: int
    values: Mapping[str, Measured]
    absent: Mapping[str, str]
    bins: tuple[Bin, ...]
    curve: RiskCoverage | None
    sig: str
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        """Return the value of a measure."""
        if name in self.values:
            return self.values[name].value
        raise KeyError(f"{name}: {self.absent.get(name, 'no such measure')}")

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; of the curve, the risk at ten coverages."""
        return {
            "documents": self.documents,
            "phrases": self.phrases,
            "correct": self.correct,
            "values": {name: asdict(value, dict_factory=_with_lists) for name, value in self.values.items()},
            "absent": dict(self.absent),
            "bins": [asdict(each) for each in self.bins],
            "risk_by_coverage": [
                {"coverage": share, "risk": 1 - self.curve.precision_at(share)} for share in TENTHS if self.curve
            ],
            "sig": self.sig,
            "notes": list(self.notes),
        }

    def text(self) -> str:
        """Return a table of values, intervals and noise floors, and the notes; percent where papers print percent."""
        rows = [("", "value", "interval", "noise floor"), *(self._row(name) for name in MEASURES)]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [f"{self.phrases:,} phrases of {self.documents:,} documents, {self.correct:,} correct ({self.sig})"]
        for title, *numbers in rows:
            cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
            lines.append("  ".join((title.ljust(widths[0]), *cells)).rstrip())
        lines += [f"{MEASURES[name].title.strip()}: none, {reason}" for name, reason in self.absent.items()]
        return "\n".join([*lines, *self.notes])

    def _row(self, name: str) -> tuple[str, str, str, str]:
        title = MEASURES[name].title + (" %" if MEASURES[name].percent and name in self.values else "")
        return title, *self.formatted(name)

    def formatted(self, name: str) -> tuple[str, str, str]:
        """Return value, interval and noise floor of a measure as text: a dash for a missing value, else empty text."""
        measured = self.values.get(name)
        if measured is None:
            return "-", "", ""
        factor, form = (100, ".2f") if MEASURES[name].percent else (1, ".4f")
        ends = " to ".join(f"{factor * end:{form}}" for end in measured.interval or ())
        floor = f"{factor * measured.floor.error:{form}}" if measured.floor else ""
        return f"{factor * measured.value:{form}}", ends, floor


def _with_lists(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return fields as JSON values: intervals are lists."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields}
