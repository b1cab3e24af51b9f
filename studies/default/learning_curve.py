"""The learning curve of the default on training collections: its gain from more training documents.

Trees are trained on some documents of the other four folds alone, sampled several times; tables of phrases and words
are those that ship, whatever the number of documents.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from keywright.core.interfaces import Progress
from keywright.evaluation.statistics.bootstrap import Functional, Resampling, percentile_interval, resample
from keywright.experiments.study import run_units
from keywright.extraction.learners.growing import Boosting
from keywright.extraction.learners.trees import Trees
from studies.default.data import (
    COLLECTIONS,
    DescribedDocument,
    Scores,
    collection,
    described_as_shipped,
    held_out,
    measure,
    train,
)
from studies.default.rows import CurvePoint

SIZES: Final = (10, 20, 50, 100, 200)  # numbers of training documents, arbitrary; the last point uses all there are
DRAWS: Final = 3  # samples of training documents; arbitrary
_SEED: Final = 20261121  # arbitrary

Unit: TypeAlias = tuple[str, int | None, int]
"""A collection by name, the number of training documents (None for all), and the number of the sample."""


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None
) -> tuple[CurvePoint, ...]:
    """Measure every collection after training on few documents, on more, and on all of the other folds.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    units = [unit for here in COLLECTIONS for unit in _units(here.name, mirror)]
    samples: dict[tuple[str, int | None], list[Scores]] = {}
    for (name, size, _), scores in run_units(partial(evaluate, mirror=mirror), units, progress, jobs):
        samples.setdefault((name, size), []).append(scores)
    return tuple(
        _point(name, size, place, [scores[place] for scores in of_size])
        for (name, size), of_size in samples.items()
        for place in of_size[0]
    )


def evaluate(
    unit: Unit, *, mirror: Path | None = None, most: int | None = None, boosting: Boosting | None = None
) -> Scores:
    """Measure a collection after training on a sample of its documents.

    Args:
        unit: collection, number of training documents, number of the sample.
        mirror: folder of data sets, where it is not the usual one.
        most: number of documents of the collection; None for all.
        boosting: parameters of the trees.
    """
    name, size, draw = unit
    here = collection(name)
    papers, _ = described_as_shipped(name, mirror, most)

    def train_fold(training: Sequence[DescribedDocument], number: int) -> Trees:
        sample = np.random.default_rng((_SEED, draw, number)).permutation(len(training))[:size]
        return train(here, [training[place] for place in np.sort(sample)], boosting or Boosting())

    return measure(here, papers, held_out(papers, train_fold))


def _units(name: str, mirror: Path | None) -> list[Unit]:
    """Return the samples of each size, then all documents, once."""
    training = _training_size(len(described_as_shipped(name, mirror)[0]))
    sizes = [size for size in SIZES if size < training]
    return [*((name, size, draw) for size in sizes for draw in range(DRAWS)), (name, None, 0)]


def _training_size(documents: int) -> int:
    """Return the number of documents in four of five folds."""
    return round(documents * 4 / 5)


def _point(name: str, size: int | None, place: tuple[str, str], samples: Sequence[Functional]) -> CurvePoint:
    values = [float(functional.observed[0]) for functional in samples]
    ends = [
        percentile_interval(functional.of(resample(functional.rows, Resampling())), Resampling().level)[:, 0]
        for functional in samples
    ]
    low, high = np.mean(ends, axis=0)
    numbers = (float(np.mean(values)), min(values), max(values), float(low), float(high))
    training = _training_size(len(samples[0].ids)) if size is None else size
    return CurvePoint(name, *place, training, len(samples), *(round(number, 6) for number in numbers))
