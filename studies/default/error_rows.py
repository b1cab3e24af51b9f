"""Rows about errors of the default: how many of each class there are, and which are listed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from keywright.experiments.rows import TableRow

MISS: Final = "miss"
FALSE_ALARM: Final = "false alarm"
LISTED: Final = 50
"""Errors of each side that are listed."""


@dataclass(frozen=True, slots=True)
class ErrorCount(TableRow):
    """How often something is true of errors.

    Attributes:
        collection: a training collection.
        side: ``miss`` or ``false alarm``.
        about: ``class`` (they part the errors), ``trait`` (any number can be true) or ``group`` of columns that took
            most from a missed candidate's score, beside what the keyphrases that were shown got from it.
        name: which.
        number: errors.
        share: of all errors of the side; of the described ones for ``group``.
        hits: share of the keyphrases that were shown of which it is true; None where that has no meaning.
    """

    collection: str
    side: str
    about: str
    name: str
    number: int
    share: float
    hits: float | None = None

    part: ClassVar[str] = "count"


@dataclass(frozen=True, slots=True)
class ErrorExample(TableRow):
    """One error.

    Attributes:
        collection: a training collection.
        side: ``miss`` or ``false alarm``.
        document: its id.
        phrase: as the document writes it; as the gold does where it is not among the candidates.
        name: its class.
        rank: of the phrase, from 1; None where it was not ranked.
        probability: that it is a keyphrase, of held-out scores; None where it was not ranked.
        group: of columns that took most from its score; None for false alarms and what was not ranked.
    """

    collection: str
    side: str
    document: str
    phrase: str
    name: str
    rank: int | None
    probability: float | None
    group: str | None = None

    part: ClassVar[str] = "example"


Row: TypeAlias = ErrorCount | ErrorExample


def worst_misses(misses: Iterable[ErrorExample], most: int = LISTED) -> list[ErrorExample]:
    """Misses of each class in proportion to its size, ranked lowest first; what was not ranked in reading order."""
    found: dict[str, list[ErrorExample]] = {}
    for one in misses:
        found.setdefault(one.name, []).append(one)
    total = sum(map(len, found.values()))
    shares = {name: most * len(some) / max(1, total) for name, some in found.items()}
    taken = {name: int(share) for name, share in shares.items()}
    for name in sorted(shares, key=lambda name: (taken[name] - shares[name], name))[: most - sum(taken.values())]:
        taken[name] += 1
    return [
        one
        for name, some in sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        for one in sorted(some, key=lambda one: -(one.rank or 0))[: taken[name]]
    ]
