"""What is known of how sure a run is of its phrases: measures, perplexities, positions, repeats and soups."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.calibration.analysis.degeneration import Degeneration
from keywright.calibration.analysis.perplexity import Spread
from keywright.calibration.analysis.positions import ByPlace
from keywright.calibration.measures.report import CalibrationReport
from keywright.core.arrays import Ints

CLASSES: Final = ("present", "absent", "all")
"""Of phrases; what both together show may flatter, since errors of one can make up for those of the other."""
APART: Final = CLASSES[:2]


@dataclass(frozen=True, slots=True, eq=False)
class GoldPlaces:
    """Where gold phrases stand, by the fifth of the document, and how many of them are found.

    Attributes:
        recall: of gold that stands in the document, each phrase once; sizes are how many there are.
        counted: gold as the collection lists it, by fifth of title and abstract, (5,); None where it has several kinds
            of gold, which would count phrases several times.
        as_published: the same with the shifted places of the published study, (5,), or None likewise.
    """

    recall: ByPlace
    counted: Ints | None
    as_published: Ints | None

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            **_by_place(self.recall),
            "counted": None if self.counted is None else self.counted.tolist(),
            "as_published": None if self.as_published is None else self.as_published.tolist(),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """One run, analysed.

    Attributes:
        system: signature of what made the run.
        protocol: by which phrases were told present from absent and right from wrong.
        confidence: which one was judged; ``calibrated`` where a calibrator gave it.
        comparable: whether confidences are claimed to be probabilities; scores are taken for an order only.
        reports: measures by class, one for each of ``CLASSES``.
        spreads: perplexities of present and of absent phrases; empty where token probabilities are not known.
        places: mean probability of first, second ... words in present and absent phrases; empty likewise.
        gold: where it stands.
        degeneration: repeats and soups.
        without_soup: calibration error over equal bins by class, 0 to 1, of the documents that are no soup; empty where
            none is one, and for scores.
        missing: what could not be had, and why.
        notes: what a reader of the numbers should know.
    """

    system: str
    protocol: str
    confidence: str
    comparable: bool
    reports: Mapping[str, CalibrationReport]
    spreads: Mapping[str, Spread]
    places: Mapping[str, ByPlace]
    gold: GoldPlaces
    degeneration: Degeneration
    without_soup: Mapping[str, float]
    missing: tuple[str, ...]
    notes: tuple[str, ...]

    def noted(self, notes: tuple[str, ...]) -> "Analysis":
        """The same, with notes that come first."""
        return replace(self, notes=(*notes, *self.notes))

    def as_json(self) -> dict[str, Any]:
        """As JSON values; what is not known is null."""
        found = self.degeneration
        return {
            "system": self.system,
            "protocol": self.protocol,
            "confidence": self.confidence,
            "comparable": self.comparable,
            "classes": {name: one.as_json() for name, one in self.reports.items()},
            "perplexity": {name: _spread(one) for name, one in self.spreads.items()},
            "probability_by_place": {name: _by_place(one) for name, one in self.places.items()},
            "gold_by_fifth": self.gold.as_json(),
            "degeneration": {**asdict(found), "soup_share": found.soup_share, "duplicates": found.duplicates},
            "ece_without_soup": dict(self.without_soup),
            "missing": list(self.missing),
            "notes": list(self.notes),
        }


def _spread(one: Spread) -> dict[str, Any]:
    return {
        "median": one.median,
        "edges": one.edges.tolist(),
        "counts": one.counts.tolist(),
        "above": one.above,
    }


def _by_place(one: ByPlace) -> dict[str, Any]:
    means = [None if np.isnan(mean) else mean for mean in one.mean.tolist()]
    return {"sizes": one.size.tolist(), "means": means}
