"""What the default gets wrong on held-out folds of training papers and abstracts, sorted by rules and counted.

A miss is a keyphrase that is not among the phrases shown; a false alarm is a phrase shown that is none. Each is put
into the first class that fits. Fifty of either are listed: the false alarms with the highest probability, and misses of
each class in proportion to its size, those ranked lowest first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from keywright.core.interfaces import Progress
from studies.default.data import COLLECTIONS
from studies.default.error_rows import (
    FALSE_ALARM,
    LISTED,
    MISS,
    ErrorCount,
    Row,
    worst_misses,
)
from studies.default.false_alarms import false_alarms, traits
from studies.default.misses import misses, nearly
from studies.default.reading import Reading

READ: Final = COLLECTIONS[:2]
"""Collections whose errors are read."""


def rows(progress: Progress | None = None, mirror: Path | None = None, *, most: int | None = None) -> tuple[Row, ...]:
    """Counts of all misses and false alarms by class, what else is true of them, and the listed ones.

    Args:
        progress: told how many collections are done, of how many.
        mirror: folder of data sets, where it is not the usual one.
        most: documents of a collection that are used; None for all.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    found: list[Row] = []
    for number, here in enumerate(READ, 1):
        found += errors_of(Reading.of(here, mirror, most))
        if progress:
            progress(number, len(READ))
    return tuple(found)


def errors_of(reading: Reading) -> Iterator[Row]:
    """Counts for one collection, then the listed errors."""
    name, missed, wrong = reading.here.name, list(misses(reading)), list(false_alarms(reading))
    yield from _shares(name, MISS, "class", Counter(one.name for one in missed))
    yield from _shares(name, MISS, "group", Counter(one.group for one in missed if one.group))
    yield from nearly(reading)
    yield from _shares(name, FALSE_ALARM, "class", Counter(one.name for one in wrong))
    yield from traits(reading)
    yield from worst_misses(missed)
    yield from sorted(wrong, key=lambda one: (-(one.probability or 0), one.rank))[:LISTED]


def _shares(collection: str, side: str, about: str, counted: Mapping[str, int]) -> Iterator[ErrorCount]:
    total = sum(counted.values())
    for name, number in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
        yield ErrorCount(collection, side, about, name, number, round(number / total, 4))
