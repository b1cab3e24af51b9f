"""Errors of the default on held-out folds of training papers and abstracts, classified by rules and counted.

A miss is a keyphrase that is not among the phrases shown; a false alarm is a phrase shown that is not a keyphrase. Each
is in the first class that fits. Fifty of either are listed: the false alarms with the highest probability, and misses
of each class in proportion to its size, those ranked lowest first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from keywright.core.interfaces import Progress
from keywright.experiments.study import run_units
from studies.default.collections import COLLECTIONS, StudyCollection
from studies.default.false_alarms import false_alarms, traits
from studies.default.misses import misses, near_misses
from studies.default.rankings import HeldOutRankings
from studies.default.rows import FALSE_ALARM, MISS, ErrorCount, ErrorExample, ErrorRow

STUDIED: Final = COLLECTIONS[:2]
"""Collections whose errors are counted."""
LISTED: Final = 50
"""Errors of each side that are listed; arbitrary."""


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None
) -> tuple[ErrorRow, ...]:
    """Count all misses and false alarms by class and trait, and list some.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    outcomes = run_units(partial(evaluate, mirror=mirror), STUDIED, progress, jobs)
    return tuple(row for _, errors in outcomes for row in errors)


def evaluate(here: StudyCollection, *, mirror: Path | None = None) -> tuple[ErrorRow, ...]:
    """Return the counts of one collection, then the listed errors."""
    return tuple(errors_of(HeldOutRankings.cross_validated(here, mirror)))


def errors_of(rankings: HeldOutRankings) -> Iterator[ErrorRow]:
    """Yield the counts of rankings, then the listed errors."""
    name, missed, wrong = rankings.here.name, list(misses(rankings)), list(false_alarms(rankings))
    yield from _counts(name, MISS, "class", Counter(error.name for error in missed))
    yield from _counts(name, MISS, "group", Counter(error.group for error in missed if error.group))
    yield from near_misses(rankings)
    yield from _counts(name, FALSE_ALARM, "class", Counter(error.name for error in wrong))
    yield from traits(rankings)
    yield from listed_misses(missed)
    yield from sorted(wrong, key=lambda error: (-(error.probability or 0), error.rank))[:LISTED]


def _counts(collection: str, side: str, about: str, counted: Mapping[str, int]) -> Iterator[ErrorCount]:
    total = sum(counted.values())
    for name, number in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        yield ErrorCount(collection, side, about, name, number, round(number / total, 4))


def listed_misses(misses: Iterable[ErrorExample], most: int = LISTED) -> list[ErrorExample]:
    """Return misses of each class in proportion to its size, ranked lowest first, those without rank in text order."""
    classes: dict[str, list[ErrorExample]] = {}
    for miss in misses:
        classes.setdefault(miss.name, []).append(miss)
    total = sum(map(len, classes.values()))
    shares = {name: most * len(members) / max(1, total) for name, members in classes.items()}
    # Largest remainders: the seats that are left after rounding down go to the classes that lost most by it.
    seats = {name: int(share) for name, share in shares.items()}
    for name in sorted(shares, key=lambda name: (seats[name] - shares[name], name))[: most - sum(seats.values())]:
        seats[name] += 1
    return [
        miss
        for name, members in sorted(classes.items(), key=lambda item: (-len(item[1]), item[0]))
        for miss in sorted(members, key=lambda miss: -(miss.rank or 0))[: seats[name]]
    ]
