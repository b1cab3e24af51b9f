"""Leave one collection out: the default trained without it, beside other systems on the same plain texts.

Each collection is left out of the trees, of the maps to probabilities, and of the counts of author lists, and its
documents are read as plain text. All styles of the default are scored, for several seeds of the training.
"""

from collections.abc import Collection as Names
from functools import partial
from pathlib import Path
from typing import Final

from keywright.core.errors import unknown_name
from keywright.core.interfaces import Progress
from keywright.core.predictions import Prediction
from keywright.experiments.study import Study, list_uniform_records, run_units
from studies.generality.collections import COLLECTIONS
from studies.generality.measuring import DEFAULT, SEEDS, Unit, predictions, rows_of
from studies.generality.peers import PEERS
from studies.generality.rows import Calibration, Difference, Row, Score
from studies.generality.tables import sheets

SYSTEMS: Final = (DEFAULT, *(other.label for other in PEERS))


def rows(
    systems: Names[str] | None = None,
    *,
    progress: Progress | None = None,
    mirror: Path | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Compute scores, differences and calibration, collection by collection.

    Args:
        systems: labels of the study; None for all. Training the default takes a quarter of an hour for each collection.
        progress: called with the number of runs done, and of all.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.

    Raises:
        UnknownName: the study has no system of a name.
        MissingData: a collection is not on this machine.
    """
    chosen = tuple(systems or SYSTEMS)
    for name in chosen:
        if name not in SYSTEMS:
            raise unknown_name("system of the study", name, SYSTEMS, "python -m studies generality")
    units = [unit for part in COLLECTIONS for name in chosen for unit in units_of(part.name, name)]
    lists: dict[str, dict[tuple[str, str], dict[int | None, tuple[Prediction, ...]]]] = {}
    for unit, by_style in run_units(partial(predictions, mirror=mirror), units, progress, jobs):
        for style, predicted in by_style.items():
            if predicted:
                by_system = lists.setdefault(unit.collection, {})
                by_system.setdefault((unit.system, style), {})[unit.seed] = predicted
    return tuple(row for part in COLLECTIONS for row in rows_of(part, lists.get(part.name, {}), mirror))


def units_of(collection: str, system: str) -> tuple[Unit, ...]:
    """Return the runs of a system over a collection: one for each seed of the default."""
    seeds = SEEDS if system == DEFAULT else (None,)
    return tuple(Unit(collection, system, seed) for seed in seeds)


STUDY: Final = Study("generality", rows, (Score, Difference, Calibration), sheets, lines=list_uniform_records)
