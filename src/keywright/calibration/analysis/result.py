"""The analysis of a run's confidences: measures, perplexities, positions, repeats and degenerate output."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from keywright.calibration import bootstrap_sums
from keywright.calibration.analysis.degeneration import Degeneration
from keywright.calibration.analysis.positions import MeansByPlace, PerplexityHistogram
from keywright.calibration.measuring import MEASURES, CalibrationReport, Measured
from keywright.core.arrays import Ints
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
        return {
            **_convert_means(self.recall),
            "counted": None if self.counted is None else self.counted.tolist(),
            "as_published": None if self.as_published is None else self.as_published.tolist(),
        }


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
    reports: Mapping[str, CalibrationReport]
    perplexities: Mapping[str, PerplexityHistogram]
    places: Mapping[str, MeansByPlace]
    gold: GoldPositions
    degeneration: Degeneration
    ece_without_degenerate: Mapping[str, float]
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
        classes = tuple(self.reports)
        rows = [
            (
                MEASURES[measure].title.strip(),
                *(_format_value(report.values.get(measure)) for report in self.reports.values()),
            )
            for measure in _SHOWN
            if any(measure in report.values for report in self.reports.values())
        ]
        counts = ("phrases", *(f"{report.phrases:,}" for report in self.reports.values()))
        caption = f"Analysis of {self.system.partition('|')[0]}: {self.confidence}, by class of phrases"
        notes = (*self.missing, *self.notes, "fractions; to_frame() has all measures with intervals")
        return NotebookTable(caption, ("measure", *classes), [counts, *rows], classes, notes).html()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright analyse --json`` prints them; missing parts are null or empty."""
        return {
            "system": self.system,
            "protocol": self.protocol,
            "confidence": self.confidence,
            "comparable": self.comparable,
            "classes": {name: report.as_json() for name, report in self.reports.items()},
            "perplexity": {name: _convert_histogram(histogram) for name, histogram in self.perplexities.items()},
            "probability_by_place": {name: _convert_means(means) for name, means in self.places.items()},
            "gold_by_fifth": self.gold.as_json(),
            "degeneration": self.degeneration.as_json(),
            "ece_without_soup": dict(self.ece_without_degenerate),
            "missing": list(self.missing),
            "notes": list(self.notes),
        }


def _convert_histogram(histogram: PerplexityHistogram) -> dict[str, Any]:
    return {
        "median": histogram.median,
        "edges": histogram.edges.tolist(),
        "counts": histogram.counts.tolist(),
        "above": histogram.above,
    }


def _convert_means(means: MeansByPlace) -> dict[str, Any]:
    return {"sizes": means.size.tolist(), "means": [None if np.isnan(mean) else mean for mean in means.mean.tolist()]}


def _format_value(measured: Measured | None) -> str:
    return "" if measured is None else f"{measured.value:.4f}"
