"""Measures that are one number for each document and the mean of it, such as MAP, beside P, R and F at cutoffs.

A protocol lists families of them under ``means``. Their values are in ``Counts.means``, so that intervals and tests
resample them like all others.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.evaluation.measures.counts import Counts, quotient
from keywright.evaluation.measures.measure import Measure
from keywright.evaluation.rules import Entries, Form

Accepted: TypeAlias = tuple[tuple[Form, ...], ...]
"""The accepted forms of each gold entry of a document."""


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Predictions and gold after a protocol's rules, as columns over documents in gold order.

    Attributes:
        forms: forms that take a rank, best first, (documents,).
        entries: gold entries that accept each form, (documents,).
    """

    counts: Counts
    forms: tuple[Sequence[Form], ...]
    entries: tuple[Entries, ...]

    def accepted(self) -> tuple[Accepted, ...]:
        """Return the accepted forms of each gold entry, (documents,)."""
        sizes = self.counts.gold.tolist()
        return tuple(_by_entry(entries, size) for entries, size in zip(self.entries, sizes, strict=True))


ByDocument: TypeAlias = Callable[[Listed, tuple[Measure, ...]], Floats]
"""Values of measures, (documents, measures); nan where a document has none and is left out of the mean."""


@dataclass(frozen=True, slots=True)
class Means:
    """A family of measures that are computed together.

    Attributes:
        of: function for the values of documents; a frozen dataclass with its own rules, or a plain function.
        rewards: whether a list without hits has 0 and one more hit lowers no value.
    """

    measures: tuple[Measure, ...]
    of: ByDocument
    rewards: bool = field(default=True, metadata={"signed": False})


def mean_columns(families: Sequence[Means], listed: Listed, counted: Bools) -> dict[str, Floats]:
    """Compute values of documents by measure, each (documents,), over the documents that count, (documents,)."""
    columns: dict[str, Floats] = {}
    for family in families:
        table = np.where(counted[:, None], family.of(listed, family.measures), np.nan)
        columns |= {str(measure): table[:, place] for place, measure in enumerate(family.measures)}
    return columns


def summed(column: Floats) -> Floats:
    """Return the columns that are summed over documents for one measure: value and 1, or 0 and 0, (documents, 2)."""
    there = ~np.isnan(column)
    return np.stack([np.where(there, column, 0.0), there.astype(np.float64)], axis=1)


def mean(totals: Floats) -> Floats:
    """Return the mean from sums (..., 2): (..., 1); 0 where no document has a value."""
    return quotient(totals[..., :1], totals[..., 1:])


def mean_values(by: str, columns: Mapping[str, Floats]) -> dict[str, float]:
    """Return the means by name of the value, such as ``author/MAP@10``; exact sums, so document order is irrelevant."""
    totals = {
        name: np.array([math.fsum(part) for part in summed(column).T.tolist()]) for name, column in columns.items()
    }
    return {f"{by}/{name}": float(mean(sums)[0]) for name, sums in totals.items()}


def _by_entry(entries: Entries, size: int) -> Accepted:
    """Invert entries by form to forms by entry."""
    accepted: list[list[Form]] = [[] for _ in range(size)]
    for form, numbers in entries.items():
        for number in numbers:
            accepted[number].append(form)
    return tuple(tuple(sorted(forms)) for forms in accepted)
