"""The analysis of a run's confidences: measures, perplexities, positions, repeats and degenerate output."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from keywright.calibration import bootstrap_sums
from keywright.calibration.analysis.degeneration import Degeneration
from keywright.calibration.analysis.positions import MeansByPlace, PerplexityHistogram
from keywright.calibration.measuring import MEASURES, CalibrationReport, Measured
from keywright.core.arrays import Ints
from keywright.core.json_values import encode
from keywright.core.views import Kinds, NotebookTable, frame_records

APART: Final = bootstrap_sums.CLASSES
CLASSES: Final = (*APART, "all")
"""Classes of phrases; all together may flatter, since errors of present and absent phrases can cancel out."""
COLUMNS: Final[Kinds] = MappingProxyType(
    {
        "class": str,
        "phrases": int,
        "measure": str,
        "value": float,
        "low": float,
        "high": float,
        "noise_floor": float,
    }
)
"""Columns of an analysis: one row for each class of phrases and measure."""
_SHOWN: Final = ("confidence", "accuracy", "ece", "adaptive_ece", "smooth_ece", "brier", "log_loss", "auroc")
"""Measures that a notebook shows; the others are in the table and in the page of the analysis."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldPositions:
    """Gold phrases by the fifth of the document, and the recall of each fifth.

    Attributes:
        recall: of gold that occurs in the document, each phrase once; sizes are numbers of gold phrases.
        counted: gold as the collection lists it, by fifth of title and abstract, (5,); None where it has several kinds
            of gold, which would count phrases several times.
        as_published: the same with the shifted places of the published study, (5,), or None.
    """

    recall: MeansByPlace
    counted: Ints | None
    as_published: Ints | None

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        record = {**self.recall.as_json(), "counted": self.counted, "as_published": self.as_published}
        return dict(encode(record))


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The analysis of one run.

    Attributes:
        system: signature of the run's system.
        protocol: signature of the protocol by which phrases were present or absent, right or wrong.
        confidence: the judged confidence; ``calibrated`` for a calibrator's.
        comparable: whether confidences are claimed to be probabilities; scores are an order only.
        perplexities: of present and of absent phrases; empty without token probabilities.
        places: mean probability of first, second ... words of present and absent phrases; empty without token
            probabilities.
        ece_without_degenerate: calibration error over equal-width bins by class, 0 to 1, of documents without
            degenerate output; empty where no document has any, and for scores.
        missing: parts that could not be computed, and why.
        notes: cautions for readers of the numbers.
    """

    system: str
    protocol: str
    confidence: str
    comparable: bool
    reports: Mapping[str, CalibrationReport] = field(metadata={"key": "classes"})
    perplexities: Mapping[str, PerplexityHistogram] = field(metadata={"key": "perplexity"})
    places: Mapping[str, MeansByPlace] = field(metadata={"key": "probability_by_place"})
    gold: GoldPositions = field(metadata={"key": "gold_by_fifth"})
    degeneration: Degeneration
    ece_without_degenerate: Mapping[str, float] = field(metadata={"key": "ece_without_soup"})
    missing: tuple[str, ...]
    notes: tuple[str, ...]

    def add_notes(self, notes: tuple[str, ...]) -> "Analysis":
        """Return the analysis with more notes, which come first."""
        return replace(self, notes=(*notes, *self.notes))

    def __repr__(self) -> str:
        """Name the system, the confidence and the classes."""
        return f"<Analysis of {self.system.partition('|')[0]}: {self.confidence} of {', '.join(self.reports)} phrases>"

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table of all measures by class of phrases; ``library`` as for ``Report.to_frame``."""
        return frame_records(self.rows(), COLUMNS, library)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a record for each class of phrases and measure that has a value, with the names of ``COLUMNS``."""
        for name, report in self.reports.items():
            for measure, measured in report.values.items():
                low, high = measured.interval or (None, None)
                floor = measured.floor.error if measured.floor else None
                values = measured.value, low, high, floor
                yield dict(zip(COLUMNS, (name, report.phrases, measure, *values), strict=True))

    def _repr_html_(self) -> str:
        """Return the main measures for a notebook, a column for each class of phrases."""
        classes, reports = tuple(self.reports), self.reports.values()
        rows = [
            (MEASURES[measure].title.strip(), *(_format_value(report.values.get(measure)) for report in reports))
            for measure in _SHOWN
            if any(measure in report.values for report in reports)
        ]
        counts = ("phrases", *(f"{report.phrases:,}" for report in reports))
        caption = f"Analysis of {self.system.partition('|')[0]}: {self.confidence}, by class of phrases"
        notes = (*self.missing, *self.notes, "fractions; to_frame() has all measures with intervals")
        return NotebookTable(caption, ("measure", *classes), [counts, *rows], classes, notes).html()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright analyse --json`` prints them; missing parts are null or empty."""
        return dict(encode(self))


def _format_value(measured: Measured | None) -> str:
    return "" if measured is None else f"{measured.value:.4f}"
