"""What ``measure`` finds: values with intervals and noise floors, bins and curve, for programs and for people."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from keywright.calibration.measures.bootstrap_sums import CLASSES, LENGTHS
from keywright.calibration.measures.discrimination import RiskCoverage
from keywright.calibration.measures.ece import Bin, NoiseFloor

TENTHS: Final = tuple(tenth / 10 for tenth in range(1, 11))
"""Coverages at which curves are told."""


class Kind(NamedTuple):
    """How a measure is shown.

    Attributes:
        title: in words.
        percent: whether people read it times 100.
        floor: whether it would be 0 but for chance if confidences were true; a noise floor stands beside it then.
    """

    title: str
    percent: bool = False
    floor: bool = False


MEASURES: Final[Mapping[str, Kind]] = {
    "confidence": Kind("mean confidence", percent=True),
    "accuracy": Kind("share that is right", percent=True),
    "ece": Kind("ECE, equal bins", percent=True, floor=True),
    "adaptive_ece": Kind("ECE, bins of equal mass", percent=True, floor=True),
    "smooth_ece": Kind("ECE, smooth", percent=True, floor=True),
    "classwise_ece": Kind("ECE, classes apart", percent=True, floor=True),
    **{f"ece: {one}": Kind(f"ECE, {one}", percent=True, floor=True) for one in CLASSES},
    "lengthwise_ece": Kind("ECE, lengths apart", percent=True, floor=True),
    **{f"ece: {one}": Kind(f"ECE, {one}", percent=True, floor=True) for one in LENGTHS},
    "brier": Kind("Brier score"),
    "reliability": Kind("  reliability", floor=True),
    "resolution": Kind("  resolution"),
    "uncertainty": Kind("  uncertainty"),
    "within": Kind("  within bins"),
    "log_loss": Kind("log loss, nats"),
    "auroc": Kind("AUROC"),
    "aurc": Kind("area under risk by coverage"),
    "excess_aurc": Kind("  more than the best order"),
    "expected_per_document": Kind("expected right, a document"),
    "correct_per_document": Kind("right, a document"),
    "count_error": Kind("  their distance", floor=True),
}
"""All measures, in the order of the table."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A value and how much of it is chance.

    Attributes:
        value: errors, shares and areas are fractions 0 to 1; log loss is in nats; numbers right are phrases.
        interval: percentile interval over resampled documents; None with fewer than two, and where more samples have
            no value than its level leaves out. Resampling adds noise of its own to errors, so that those near their
            floor may lie below their interval.
        floor: what probabilities that are exactly right would have; None for measures without one.
    """

    value: float
    interval: tuple[float, float] | None = None
    floor: NoiseFloor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationReport:
    """How far the confidences of a run are from probabilities.

    Attributes:
        documents, phrases, correct: how many there are.
        values: by name, in the order of ``MEASURES``.
        absent: why a measure has no value, by name.
        bins: equal bins of all phrases, lowest first; empty without phrases.
        curve: risk by coverage; None without phrases.
        sig: how intervals were drawn.
        notes: what a reader of the numbers should know.
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
        """The value of a measure.

        Raises:
            KeyError: it has none; the key's text says why.
        """
        if name in self.values:
            return self.values[name].value
        raise KeyError(f"{name}: {self.absent.get(name, 'no such measure')}")

    def as_json(self) -> dict[str, Any]:
        """As JSON values; the curve at ten coverages: at least that share answered, and how much of it is wrong."""
        return {
            "documents": self.documents,
            "phrases": self.phrases,
            "correct": self.correct,
            "values": {name: asdict(one) for name, one in self.values.items()},
            "absent": dict(self.absent),
            "bins": [asdict(one) for one in self.bins],
            "risk_by_coverage": [
                {"coverage": share, "risk": 1 - self.curve.precision_at(share)} for share in TENTHS if self.curve
            ],
            "sig": self.sig,
            "notes": list(self.notes),
        }

    def text(self) -> str:
        """A table for people: value, interval, noise floor, and the notes; percent where papers print percent."""
        shown = [("", "value", "interval", "noise floor"), *(self._row(name) for name in MEASURES)]
        widths = [max(len(row[place]) for row in shown) for place in range(4)]
        lines = [f"{self.phrases:,} phrases of {self.documents:,} documents, {self.correct:,} right ({self.sig})"]
        for title, *numbers in shown:
            cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
            lines.append("  ".join((title.ljust(widths[0]), *cells)).rstrip())
        lines += [f"{MEASURES[name].title.strip()}: none, {reason}" for name, reason in self.absent.items()]
        return "\n".join([*lines, *self.notes])

    def _row(self, name: str) -> tuple[str, str, str, str]:
        """One line of the table."""
        kind, one = MEASURES[name], self.values.get(name)
        if one is None:
            return kind.title, "-", "", ""
        factor, form = (100, ".2f") if kind.percent else (1, ".4f")
        low_high = "".join(f"{end * factor:{form}} " for end in one.interval or ()).strip().replace(" ", " to ")
        floor = f"{one.floor.error * factor:{form}}" if one.floor else ""
        return f"{kind.title} %" if kind.percent else kind.title, f"{one.value * factor:{form}}", low_high, floor
