"""Layout of the study: the default beside the best other system, all systems, calibration, and single seeds.

Leave one collection out: the default trained without it, beside other systems on the same plain texts.

Each collection is left out of the trees, of the maps to probabilities, and of the counts of author lists, and its
documents are read as plain text. All styles of the default are scored, for several seeds of the training.
"""

from collections.abc import Collection as Names
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from keywright.core.errors import unknown_name
from keywright.core.interfaces import Progress
from keywright.core.pages import Cell, Table
from keywright.core.predictions import Prediction
from keywright.experiments.study import (
    PERCENT,
    Lines,
    Study,
    format_decimal,
    format_interval,
    lay_out_groups,
    run_units,
)
from keywright.extraction.systems.default import Default
from studies.generality.collections import COLLECTIONS
from studies.generality.lists import CUTOFFS
from studies.generality.measuring import DEFAULT, MEASURES, SEEDS, Unit, predictions, rows_of
from studies.generality.peers import PEERS
from studies.generality.rows import Calibration, Difference, Row, Score
from studies.tables import lay_out_rows, list_uniform_records

MAIN: Final = f"F@{CUTOFFS[1]}"
USUAL_STYLE: Final = Default.style  # style of the default without options
_CALIBRATION: Final = {
    "collection": lambda row: row.collection,
    "system": lambda row: name_of(row.system, row.style),
    "phrases": lambda row: str(row.phrases),
    "error": lambda row: format_decimal(row.error, 3),
    "interval": lambda row: format_interval(row.interval, 3),
    "noise floor": lambda row: format_decimal(row.floor.error, 3),
    "95 % of it": lambda row: format_interval((row.floor.low, row.floor.high), 3),
    "mean probability": lambda row: format_decimal(row.probability, 3),
    "share correct": lambda row: format_decimal(row.right, 3),
}


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables; those without rows are left out."""
    scores = [row for row in rows if isinstance(row, Score) and row.seed is None]
    differences = [row for row in rows if isinstance(row, Difference)]
    if differences:
        yield summary(scores, differences)
    for measure in MEASURES:
        if column := [row for row in scores if row.measure == measure]:
            yield systems_table(measure, column)
    if calibrations := [row for row in rows if isinstance(row, Calibration)]:
        caption = f"Probabilities of the first {CUTOFFS[-1]} phrases, by collection and style."
        yield lay_out_rows(caption, calibrations, _CALIBRATION, ("collection", "system"))
    if seeds := [row for row in rows if isinstance(row, Score) and row.seed is not None]:
        yield seeds_table(seeds)


def name_of(system: str, style: str) -> str:
    """Return a system with the style of the default: ``default (author)``."""
    return f"{system} ({style})" if style else system


def summary(scores: Sequence[Score], differences: Sequence[Difference]) -> Table:
    """Return the default without options, and in the style of the gold, beside the best other system."""
    body = []
    for part in COLLECTIONS:
        values = {(row.system, row.style): row for row in scores if (row.collection, row.measure) == (part.name, MAIN)}
        by_style = {row.style: row for row in differences if (row.collection, row.measure) == (part.name, MAIN)}
        usual, asked = by_style.get(USUAL_STYLE), by_style.get(part.style.value)
        if usual and asked:
            ours, best = values[DEFAULT, usual.style], values[usual.other, ""]
            cells = (part.name, str(ours.documents), percent(ours.value), percent(best.value), usual.other)
            in_style = percent(values[DEFAULT, asked.style].value)
            body.append((*map(Cell, cells), difference(usual), Cell(asked.style), Cell(in_style), difference(asked)))
    head = (
        *("collection", "documents", DEFAULT, "best other", "which", "difference"),
        *("style of the gold", "in this style", "difference to best"),
    )
    caption = (
        f"{MAIN} in percent: the default without options, trained without the collection, beside the best other system"
        " of the table below; then in the style that is nearest to the gold. Differences with 95 percent intervals,"
        " marked where these exclude zero."
    )
    return Table(caption, head, tuple(body), frozenset({1, 2, 3, 5, 7, 8}))


def systems_table(measure: str, rows: Sequence[Score]) -> Table:
    """Return systems by lines and collections by columns, the best of each column marked."""
    columns = [part.name for part in COLLECTIONS if any(row.collection == part.name for row in rows)]
    best = {name: max(row.value for row in rows if row.collection == name) for name in columns}
    lines: Lines = {}
    for row in rows:
        cell = Cell(percent(row.value), best=row.value == best[row.collection])
        lines.setdefault((name_of(row.system, row.style),), {})[row.collection] = cell
    return lay_out_groups(f"{measure} in percent, by system and collection.", ("system",), lines, columns)


def seeds_table(rows: Sequence[Score]) -> Table:
    """Return the default without options by collection and seed."""
    chosen = [row for row in rows if (row.style, row.measure) == (USUAL_STYLE, MAIN)]
    lines: Lines = {}
    for row in chosen:
        lines.setdefault((row.collection,), {})[str(row.seed)] = Cell(percent(row.value))
    seeds = tuple(dict.fromkeys(str(row.seed) for row in chosen))
    caption = f"{MAIN} in percent of the default without options, by seed of the training."
    return lay_out_groups(caption, ("collection",), lines, seeds)


def percent(value: float) -> str:
    """Return a fraction in percent: ``25.1``."""
    return f"{PERCENT * value:.1f}"


def difference(row: Difference) -> Cell:
    """Return a difference with its interval, ``+2.3 (0.4 to 4.2)``; marked where the interval excludes zero."""
    low, high = row.interval
    text = f"{PERCENT * row.value:+.1f} ({format_interval((PERCENT * low, PERCENT * high), 1)})"
    return Cell(text, best=low > 0 or high < 0)


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
