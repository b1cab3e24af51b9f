"""How much the default gains from more documents to learn from: its learning curve on training collections.

Trees are grown on some documents of the other four folds alone, drawn several times; tables of phrases and words are
those that ship, whatever the number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from keywright.core.interfaces import Progress
from keywright.core.predictions import Prediction
from keywright.evaluation.statistics.bootstrap import Functional, Resampling, interval, resampled
from keywright.experiments.rows import TableRow
from keywright.experiments.run_units import run_units
from keywright.learners.growing import Boosting
from keywright.learners.trees import Trees
from studies.default.data import (
    COLLECTIONS,
    Described,
    collection,
    described_as_shipped,
    grown,
    held_out,
    measured,
    ranked,
)

SIZES: Final = (10, 20, 50, 100, 200)
"""Documents to learn from; beyond them, all there are."""
DRAWS: Final = 3
_SEED: Final = 20261121

Unit: TypeAlias = tuple[str, int | None, int]
"""A collection by name, how many documents are learnt from (None for all), and which draw."""


@dataclass(frozen=True, slots=True)
class CurvePoint(TableRow):
    """One value after learning from so many documents.

    Attributes:
        collection: a training collection, such as ``SemEval-2010 train``.
        gold: kind of gold.
        measure: such as ``F@15``.
        learnt: documents that trees learnt from; of all, the mean over the folds.
        draws: how often they were drawn.
        value: mean over the draws, 0 to 1.
        least, most: smallest and largest value of a draw.
        low, high: ends of 95 percent, from drawing held-out documents, means of the draws' ends.
    """

    collection: str
    gold: str
    measure: str
    learnt: int
    draws: int
    value: float
    least: float
    most: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Lesson:
    """Measures a collection after learning from so many documents; travels to other processes.

    Attributes:
        mirror: folder of data sets, where it is not the usual one.
        most: documents of a collection that are used; None for all.
        boosting: numbers of the trees.
    """

    mirror: Path | None = None
    most: int | None = None
    boosting: Boosting = field(default_factory=Boosting)

    def __call__(self, unit: Unit) -> dict[tuple[str, str], Functional]:
        """What is reported."""
        name, size, draw = unit
        here = collection(name)
        papers, _ = described_as_shipped(name, self.mirror, self.most)

        def grow(known: Sequence[Described], number: int) -> Trees:
            drawn = np.random.default_rng((_SEED, draw, number)).permutation(len(known))[:size]
            return grown(here, [known[place] for place in np.sort(drawn)], self.boosting)

        predictions: list[list[Prediction]] = [[] for _ in here.questions]
        for one, trees in held_out(papers, grow):
            for question, some in zip(here.questions, predictions, strict=True):
                some.append(ranked(one, trees, question.style))
        return measured(here, papers, predictions)


def rows(
    progress: Progress | None = None, mirror: Path | None = None, *, jobs: int | None = None, most: int | None = None
) -> tuple[CurvePoint, ...]:
    """Every collection after learning from few documents, from more, and from all of the other folds.

    Args:
        progress: told how many trainings are done, of how many.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.
        most: documents of a collection that are used; None for all.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    units = [unit for here in COLLECTIONS for unit in _units(here.name, mirror, most)]
    draws: dict[tuple[str, int | None], list[dict[tuple[str, str], Functional]]] = {}
    for (name, size, _), outcome in run_units(Lesson(mirror, most), units, progress, jobs):
        draws.setdefault((name, size), []).append(outcome)
    return tuple(
        _point(name, size, place, [one[place] for one in some])
        for (name, size), some in draws.items()
        for place in some[0]
    )


def _units(name: str, mirror: Path | None, most: int | None) -> list[Unit]:
    """All documents are there once, the others are drawn."""
    known = _learnt(len(described_as_shipped(name, mirror, most)[0]))
    sizes = [size for size in SIZES if size < known]
    return [*((name, size, draw) for size in sizes for draw in range(DRAWS)), (name, None, 0)]


def _learnt(documents: int) -> int:
    """Documents in four of five folds."""
    return round(documents * 4 / 5)


def _point(name: str, size: int | None, place: tuple[str, str], some: Sequence[Functional]) -> CurvePoint:
    values = [float(one.observed[0]) for one in some]
    ends = [interval(one.of(resampled(one.rows, Resampling())), Resampling().level)[:, 0] for one in some]
    low, high = np.mean(ends, axis=0)
    numbers = (float(np.mean(values)), min(values), max(values), float(low), float(high))
    learnt = _learnt(len(some[0].ids)) if size is None else size
    return CurvePoint(name, *place, learnt, len(some), *(round(number, 6) for number in numbers))
