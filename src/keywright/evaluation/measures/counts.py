"""Counts: sufficient statistics of each document, from which every value, interval and test is computed."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.evaluation.measures.measure import Cutoff, Measure
from keywright.evaluation.rules import Entries, Form, ShortList


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Sufficient statistics of one system on one gold set, as columns over documents in gold order."""

    ids: Sequence[str]  # the documents, (documents,)
    cutoffs: tuple[Cutoff, ...]  # the cutoffs, (cutoffs,)
    # Matches counted at each cutoff, (documents, cutoffs); fractions where the matching gives partial credit.
    hits: Ints | Floats
    divisors: Ints  # divisor of precision at each cutoff, (documents, cutoffs)
    predicted: Ints  # predictions that have a rank, (documents,)
    gold: Ints  # gold entries, (documents,)
    # Hits of each ranked prediction, document after document, (sum of predicted,); ``by_rank`` gives them as a table.
    # Lists are cut at the protocol's deepest cutoff, unless that is M, O or G.
    relevance: Ints | Floats
    # Values by measure that are averaged over documents, each (documents,); nan where a document has none.
    means: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def of_documents(self, rows: slice | Ints) -> "Counts":
        """Return the counts of some documents, without their relevance."""
        return replace(
            self,
            ids=self.ids[rows] if isinstance(rows, slice) else tuple(self.ids[row] for row in rows.tolist()),
            hits=self.hits[rows],
            divisors=self.divisors[rows],
            predicted=self.predicted[rows],
            gold=self.gold[rows],
            relevance=self.relevance[:0],
            means={name: column[rows] for name, column in self.means.items()},
        )

    def by_rank(self, depth: int | None = None) -> Ints | Floats:
        """Return hits at each rank, (documents, depth), 0 behind the end of a list; None for the longest list."""
        ranks = np.arange(max(int(self.predicted.max(initial=0)), depth or 0))
        within = ranks < self.predicted[:, None]
        kind: DTypeLike = np.float64 if self.relevance.dtype.kind == "f" else np.int64
        table: Ints | Floats = np.zeros(within.shape, dtype=kind)
        # A Boolean mask is read row by row, which is the order of the flat column: no index per document is needed.
        table[within] = self.relevance
        return table[:, :depth]


def build_counts(
    ids: tuple[str, ...],
    ranked: Sequence[Sequence[float]],
    gold: Sequence[int],
    cutoffs: tuple[Cutoff, ...],
    short_list: ShortList,
    *,
    partial: bool = False,
) -> Counts:
    """Build counts from hits by rank, a list for each document; ``partial``: whether hits may be fractions."""
    predicted = np.array([len(hits) for hits in ranked], dtype=np.int64)
    entries = np.array(gold, dtype=np.int64)
    kinds: tuple[DTypeLike, DTypeLike] = (np.float64, np.float64) if partial else (np.uint32, np.int64)
    flat = np.fromiter(itertools.chain.from_iterable(ranked), dtype=kinds[0], count=int(predicted.sum()))
    depths = depths_at(cutoffs, predicted, entries)
    reached = np.minimum(depths, predicted[:, None])
    if partial:  # exact sums: differences of prefix sums could make a list of full credits earn less than its length
        rows = zip(ranked, reached.tolist(), strict=True)
        sums = [[math.fsum(credit[:end]) for end in ends] for credit, ends in rows]
        hits = np.array(sums, dtype=np.float64).reshape(reached.shape)
    else:  # prefix sums over all documents in one column: any list's first k hits are a difference of two of them
        running = np.concatenate([[0], np.cumsum(flat, dtype=kinds[1])])
        starts = (np.cumsum(predicted) - predicted)[:, None]
        hits = running[starts + reached] - running[starts]
    if short_list is ShortList.NOTHING:
        hits[reached < depths] = 0
    divisors = reached if short_list is ShortList.OF_LENGTH else depths
    if short_list is ShortList.OF_CUTOFF_IF_ANY:
        divisors = np.where(predicted[:, None] > 0, depths, 0)
    return Counts(ids, cutoffs, hits, divisors, predicted, entries, flat)


def depths_at(cutoffs: Sequence[Cutoff], predicted: Ints, gold: Ints) -> Ints:
    """Return how many predictions each cutoff takes from each document, (documents, cutoffs); there may be none."""
    letters = {"M": predicted, "O": gold, "G": np.maximum(predicted, gold)}
    columns = [np.full_like(predicted, k) if isinstance(k, int) else letters[k] for k in cutoffs]
    return np.array(columns, dtype=np.int64).reshape(len(cutoffs), len(predicted)).T


def quotient(a: Numbers, b: Numbers) -> Floats:
    """Divide element by element, broadcasting; 0 where the divisor is 0."""
    shape = np.broadcast_shapes(a.shape, b.shape)
    return np.divide(a, b, out=np.zeros(shape), where=np.broadcast_to(b, shape) != 0)


def harmonic(precision: float, recall: float) -> float:
    """Return F of precision and recall; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


Accepted: TypeAlias = tuple[tuple[Form, ...], ...]  # the accepted forms of each gold entry of a document


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Predictions and gold after a protocol's rules, as columns over documents in gold order."""

    counts: Counts
    forms: tuple[Sequence[Form], ...]  # forms that take a rank, best first, (documents,)
    entries: tuple[Entries, ...]  # gold entries that accept each form, (documents,)

    def accepted(self) -> tuple[Accepted, ...]:
        """Return the accepted forms of each gold entry, (documents,)."""
        documents = []
        for entries, size in zip(self.entries, self.counts.gold.tolist(), strict=True):
            accepted: list[list[Form]] = [[] for _ in range(size)]
            for form, numbers in entries.items():
                for number in numbers:
                    accepted[number].append(form)
            documents.append(tuple(tuple(sorted(forms)) for forms in accepted))
        return tuple(documents)


ByDocument: TypeAlias = Callable[[Listed, tuple[Measure, ...]], Floats]
"""Values of measures, (documents, measures); nan where a document has none and is left out of the mean."""


@dataclass(frozen=True, slots=True)
class Means:
    """A family of measures that are one number for each document and the mean of it, such as MAP, computed together.

    ``of``: function for the values of documents, in ``Counts.means``; ``rewards``: whether a list without hits has 0
    and one more hit lowers no value.
    """

    measures: tuple[Measure, ...]
    of: ByDocument
    rewards: bool = field(default=True, metadata={"signed": False})


def measure_documents(families: Sequence[Means], listed: Listed, counted: Bools) -> dict[str, Floats]:
    """Compute values of documents by measure, each (documents,), over the documents that count, (documents,)."""
    columns: dict[str, Floats] = {}
    for family in families:
        table = np.where(counted[:, None], family.of(listed, family.measures), np.nan)
        columns |= {str(measure): table[:, place] for place, measure in enumerate(family.measures)}
    return columns


def summable_columns(column: Floats) -> Floats:
    """Return the columns that are summed over documents for one measure: value and 1, or 0 and 0, (documents, 2)."""
    there = ~np.isnan(column)
    return np.stack([np.where(there, column, 0.0), there.astype(np.float64)], axis=1)


def mean(totals: Floats) -> Floats:
    """Return the mean from sums (..., 2): (..., 1); 0 where no document has a value."""
    return quotient(totals[..., :1], totals[..., 1:])


def mean_values(by: str, columns: Mapping[str, Floats]) -> dict[str, float]:
    """Return the means by name of the value, such as ``author/MAP@10``; exact sums, so document order is irrelevant."""
    there = {name: column[~np.isnan(column)] for name, column in columns.items()}
    totals = {name: np.array([math.fsum(column), len(column)]) for name, column in there.items()}
    return {f"{by}/{name}": float(mean(sums)[0]) for name, sums in totals.items()}
