"""Layout of the study of guarantees: a table for each measure and each way to count lists without phrases.

How often guarantees of precision and recall hold: simulated by dividing collections repeatedly.

A part of the documents calibrates as ``keywright calibrate`` does (beta, cross-fitted, the last fit on all of the
part) and gives the guarantee; it is tested on the lists of the others. Collections are those of the released
predictions of five generators, and simulated documents, so many that their rest is the truth, with overconfident
probabilities.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from keywright.calibration.guarantees import THRESHOLDS, Empty, ThresholdCounts, find_precision_index, find_recall_index
from keywright.core.arrays import Floats
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.experiments.kpg_predictions import STUDIED
from keywright.experiments.study import Study, format_decimal, run_units
from studies.calibrators.data import Phrases
from studies.guarantees.data import Collection, Coverage, Predicted, Simulated
from studies.tables import lay_out_rows, list_uniform_records

_COLUMNS: Final[Mapping[str, Callable[[Coverage], str]]] = {
    "phrases of": lambda row: row.system,
    "documents": lambda row: row.dataset,
    "at least": lambda row: f"{row.target:g}",
    "confidence": lambda row: "" if row.confidence is None else f"{row.confidence:g}",
    "guaranteed": lambda row: f"{row.promised:.3f}",
    "violated": lambda row: "" if row.confidence is None else f"{row.violated:.3f}",
    "allowed": lambda row: format_decimal(row.allowed, 3),
    "kept": lambda row: "yes" if row.holds else "no",
    "on the rest": lambda row: format_decimal(row.value, 3),
    "phrases": lambda row: format_decimal(row.phrases, 2),
    "empty": lambda row: format_decimal(row.empties, 2),
    "pooled precision": lambda row: format_decimal(row.pooled, 3),
}
_CAPTIONS: Final = {
    ("precision", "apart"): "Mean precision of lists, lists without phrases left out",
    ("precision", "right"): "Mean precision of lists, lists without phrases counted as correct",
    ("recall", "apart"): "Mean recall of the correct phrases in the list, on average over splits",
}
_NOTES: Final = (
    "guaranteed: share of splits in which a guarantee could be given",
    "violated: share of splits in which the rest fell short of it",
    "phrases: shown for a document; empty: share of documents without any",
)


def sheets(rows: Sequence[Coverage]) -> Iterator[Table]:
    """Yield the tables."""
    for kind, subject in _CAPTIONS.items():
        chosen = [row for row in rows if (row.measure, row.empty) == kind]
        if chosen:
            caption = f"{subject}: {chosen[0].splits} splits, {chosen[0].documents} documents of calibration."
            yield lay_out_rows(caption, chosen, _COLUMNS, ("phrases of", "documents", "kept"), _NOTES)


SPLITS: Final = 200
"""Divisions of a collection; arbitrary. The standard error of a share of .1 is .02 then."""
CALIBRATION: Final = 300  # documents of a part that calibrates; arbitrary

COLLECTIONS: Final = ("inspec", "krapivin")
SIMULATED: Final = "simulated"
SIMULATED_DOCUMENTS: Final = 5000  # arbitrary; enough for their mean to be the truth

_SEED: Final = 20261121  # arbitrary
_ROUNDING: Final = 1e-12  # values short of the target by no more than rounding errors are not violations
_VALUES: Final = ("value", "value_of_all", "phrases", "empties", "pooled", "threshold")
"""Values of each division, as in ``Coverage``."""


class Guarantee(NamedTuple):
    """A guarantee to test, as in ``Coverage``."""

    measure: str
    target: float
    confidence: float | None = None
    empty: Empty = Empty.APART


GUARANTEES: Final = (
    *(Guarantee("precision", target, level) for level in (0.8, 0.9) for target in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)),
    *(Guarantee("precision", target, 0.9, Empty.RIGHT) for target in (0.3, 0.4, 0.5, 0.6, 0.7)),
    *(Guarantee("recall", target) for target in (0.5, 0.7, 0.9)),
)


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None, splits: int = SPLITS
) -> tuple[Coverage, ...]:
    """Test every guarantee for every model and collection, and for simulated documents.

    Raises:
        MissingData: the predictions are not on this machine.
    """
    units = [(SIMULATED, SIMULATED), *((system, name) for name in COLLECTIONS for system in STUDIED)]
    outcomes = run_units(partial(evaluate, mirror=mirror, splits=splits), units, progress, jobs)
    return tuple(row for _, unit_rows in outcomes for row in unit_rows)


def evaluate(unit: tuple[str, str], *, mirror: Path | None = None, splits: int = SPLITS) -> tuple[Coverage, ...]:
    """Divide the documents of a system and a collection repeatedly, and test all guarantees on each division."""
    collection: Collection = (
        Simulated.sample(SIMULATED_DOCUMENTS, _SEED)
        if unit == (SIMULATED, SIMULATED)
        else Predicted(Phrases.of_generator(*unit, mirror))
    )
    chance = np.random.Generator(np.random.PCG64(_SEED))
    divisions: list[list[Floats]] = []
    for _ in range(splits):
        calibrates = np.zeros(len(collection), dtype=bool)
        part = chance.permutation(len(collection))[:CALIBRATION]
        calibrates[part] = True
        cross, whole = collection.calibrated(part)
        here, rest = cross.where(calibrates), whole.where(~calibrates)
        divisions.append([_values(guarantee, here, rest, whole) for guarantee in GUARANTEES])
    by_guarantee = np.array(divisions).swapaxes(0, 1)
    return tuple(_row(unit, *pair) for pair in zip(GUARANTEES, by_guarantee, strict=True))


def _row(unit: tuple[str, str], guarantee: Guarantee, values: Floats) -> Coverage:
    """Return the outcome of a guarantee in all divisions; ``values`` is (splits, values), nan where none is given."""
    splits = len(values)
    values = values[~np.isnan(values[:, 0])]
    violated = (values[:, :2] < guarantee.target - _ROUNDING).sum(0) / splits
    means = dict(zip(_VALUES, values.mean(0).tolist() if len(values) else [None] * len(_VALUES), strict=True))
    allowed = None
    if guarantee.confidence is None:
        error = values[:, 0].std() / math.sqrt(max(1, len(values)))
        holds = not len(values) or values[:, 0].mean() >= guarantee.target - 2 * error
    else:
        level = guarantee.confidence
        allowed = 1 - level + 2 * math.sqrt(level * (1 - level) / splits)
        holds = violated[0] <= allowed
    return Coverage(
        system=unit[0],
        dataset=unit[1],
        measure=guarantee.measure,
        empty=guarantee.empty.value,
        target=guarantee.target,
        confidence=guarantee.confidence,
        splits=splits,
        documents=CALIBRATION,
        promised=len(values) / splits,
        violated=float(violated[0]),
        violated_of_all=float(violated[1]),
        allowed=allowed,
        holds=bool(holds),
        **means,
    )


def _values(guarantee: Guarantee, here: ThresholdCounts, rest: ThresholdCounts, whole: ThresholdCounts) -> Floats:
    """Return the values of a guarantee on one division, (values,); nan where none can be given."""
    if guarantee.confidence is None:
        place = find_recall_index(here, guarantee.target)
    else:
        place = find_precision_index(here, guarantee.target, guarantee.confidence, guarantee.empty)
    if place is None:
        return np.full(len(_VALUES), np.nan)
    sizes, hits = rest.sizes[:, place], rest.hits[:, place]
    pooled = hits.sum() / max(1, sizes.sum())
    means = (_mean(guarantee, rest, place), _mean(guarantee, whole, place))
    return np.array([*means, sizes.mean(), (sizes == 0).mean(), pooled, THRESHOLDS[place]])


def _mean(guarantee: Guarantee, counts: ThresholdCounts, place: int) -> float:
    """Return mean precision or recall of documents at a threshold; 1 where no document counts: nothing falls short."""
    if guarantee.measure == "recall":
        counted, losses = counts.reachable > 0, counts.missed[:, place]
    else:
        counted, losses = counts.sizes[:, place] > 0, counts.wrong[:, place]
        if guarantee.empty is Empty.RIGHT:
            counted = np.ones(len(counts), dtype=bool)
    return float(1 - losses[counted].mean()) if counted.any() else 1.0


STUDY: Final = Study("guarantees", rows, (Coverage,), sheets, lines=list_uniform_records)
