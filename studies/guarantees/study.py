"""Whether promises of precision and recall are kept: simulated by dividing collections again and again.

A part of the documents calibrates as ``keywright calibrate`` does (beta, cross-fitted, the last fit on all of the
part) and gives the promise; the others are shown what it allows. Collections are those of the released predictions of
five generators, and one of drawn documents, so large that its rest is the truth, whose probabilities are too sure.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from keywright.calibration.selection.guarantees import Empty, precision_place, recall_place
from keywright.calibration.selection.thresholds import THRESHOLDS, ThresholdCounts
from keywright.core.arrays import Floats
from keywright.core.interfaces import Progress
from keywright.experiments.kpg_calibration.predictions import STUDIED
from keywright.experiments.layouts import uniform_lines
from keywright.experiments.run_units import run_units
from keywright.experiments.study import Study
from studies.calibrators.data import Phrases
from studies.guarantees.data import Collection, Drawn, Predicted
from studies.guarantees.rows import Coverage
from studies.guarantees.tables import sheets

SPLITS: Final = 200
CALIBRATION: Final = 300
"""Documents of a part that calibrates."""

COLLECTIONS: Final = ("inspec", "krapivin")
DRAWN: Final = "simulated"
SIMULATED: Final = 5000
"""Documents that are drawn."""

_SEED: Final = 20261121
_SAME: Final = 1e-12
_NUMBERS: Final = ("value", "value_of_all", "phrases", "empties", "pooled", "threshold")
"""What is kept of each try, as in ``Coverage``."""


class Ask(NamedTuple):
    """What is to be promised, as in ``Coverage``."""

    measure: str
    target: float
    confidence: float | None = None
    empty: Empty = Empty.APART


ASKED: Final = (
    *(Ask("precision", target, sure) for sure in (0.8, 0.9) for target in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)),
    *(Ask("precision", target, 0.9, Empty.RIGHT) for target in (0.3, 0.4, 0.5, 0.6, 0.7)),
    *(Ask("recall", target) for target in (0.5, 0.7, 0.9)),
)


def rows(
    progress: Progress | None = None, mirror: Path | None = None, *, jobs: int | None = None, splits: int = SPLITS
) -> tuple[Coverage, ...]:
    """Every promise for every model and collection, and for drawn documents.

    Args:
        progress: told how many collections are done, of how many.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.
        splits: how often each collection is divided.

    Raises:
        MissingData: the predictions are not on this machine.
    """
    units = [(DRAWN, DRAWN), *((system, name) for name in COLLECTIONS for system in STUDIED)]
    made = run_units(Simulation(mirror, splits), units, progress, jobs)
    return tuple(row for _, some in made for row in some)


@dataclass(frozen=True, slots=True)
class Simulation:
    """Divides a collection and gives promises; travels to other processes.

    Attributes:
        mirror: folder of data sets, where it is not the usual one.
        splits: how often.
        calibration: documents that calibrate.
    """

    mirror: Path | None = None
    splits: int = SPLITS
    calibration: int = CALIBRATION

    def __call__(self, unit: tuple[str, str]) -> tuple[Coverage, ...]:
        """Rows of a system and a collection, or of drawn documents."""
        drawn = unit == (DRAWN, DRAWN)
        collection: Collection = (
            Drawn.of(SIMULATED, _SEED) if drawn else Predicted(Phrases.of_generator(*unit, self.mirror))
        )
        chance = np.random.Generator(np.random.PCG64(_SEED))
        tried: list[list[Floats]] = []
        for _ in range(self.splits):
            part = np.zeros(len(collection), dtype=bool)
            order = chance.permutation(len(collection))[: self.calibration]
            part[order] = True
            held, whole = collection.calibrated(order)
            here, rest = held.where(part), whole.where(~part)
            tried.append([_tried(ask, here, rest, whole) for ask in ASKED])
        return tuple(
            self._row(unit, ask, some) for ask, some in zip(ASKED, np.array(tried).swapaxes(0, 1), strict=True)
        )

    def _row(self, unit: tuple[str, str], ask: Ask, tried: Floats) -> Coverage:
        """What came of a promise in all splits; ``tried`` is (splits, numbers)."""
        given = tried[~np.isnan(tried[:, 0])]
        short = (given[:, :2] < ask.target - _SAME).sum(0) / self.splits
        worth = dict(zip(_NUMBERS, given.mean(0).tolist() if len(given) else [None] * len(_NUMBERS), strict=True))
        allowed = None
        if ask.confidence is None:
            error = given[:, 0].std() / math.sqrt(max(1, len(given)))
            kept = not len(given) or given[:, 0].mean() >= ask.target - 2 * error
        else:
            allowed = 1 - ask.confidence + 2 * math.sqrt(ask.confidence * (1 - ask.confidence) / self.splits)
            kept = short[0] <= allowed
        return Coverage(
            system=unit[0],
            dataset=unit[1],
            measure=ask.measure,
            empty=ask.empty.value,
            target=ask.target,
            confidence=ask.confidence,
            splits=self.splits,
            documents=self.calibration,
            promised=len(given) / self.splits,
            violated=float(short[0]),
            violated_of_all=float(short[1]),
            allowed=allowed,
            kept=bool(kept),
            **worth,
        )


def _tried(ask: Ask, held: ThresholdCounts, rest: ThresholdCounts, whole: ThresholdCounts) -> Floats:
    """What a promise is worth, (numbers,); nan where none is given."""
    if ask.confidence is None:
        place = recall_place(held, ask.target)
    else:
        place = precision_place(held, ask.target, ask.confidence, ask.empty)
    if place is None:
        return np.full(len(_NUMBERS), np.nan)
    sizes, hits = rest.sizes[:, place], rest.hits[:, place]
    pooled = hits.sum() / max(1, sizes.sum())
    worth = (_value(ask, rest, place), _value(ask, whole, place))
    return np.array([*worth, sizes.mean(), (sizes == 0).mean(), pooled, THRESHOLDS[place]])


def _value(ask: Ask, shown: ThresholdCounts, place: int) -> float:
    """Mean precision or recall of documents at a threshold; where none of them counts, nothing falls short."""
    if ask.measure == "recall":
        counted, losses = shown.reachable > 0, shown.missed[:, place]
    else:
        counted, losses = shown.sizes[:, place] > 0, shown.wrong[:, place]
        if ask.empty is Empty.RIGHT:
            counted = np.ones(len(shown), dtype=bool)
    return float(1 - losses[counted].mean()) if counted.any() else 1.0


STUDY: Final = Study("guarantees", rows, (Coverage,), sheets, lines=uniform_lines)
