"""Counts: what each document contributes, from which every value, interval and test is computed."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import DTypeLike

from keywright.core.arrays import Floats, Ints
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.rules import ShortList


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Sufficient statistics of one system on one gold set, as columns over documents in gold order.

    Attributes:
        ids: the documents, (documents,).
        cutoffs: the cutoffs, (cutoffs,).
        hits: matches counted at each cutoff, (documents, cutoffs); fractions where the matching gives partial credit.
        divisors: what precision divides by at each cutoff, (documents, cutoffs).
        predicted: predictions that have a rank, (documents,).
        gold: gold entries, (documents,).
        relevance: hits of each ranked prediction, document after document, (sum of predicted,). ``predicted`` says
            where one document ends; ``by_rank`` gives it as a table. Lists are cut at the protocol's deepest cutoff,
            unless that is M, O or G.
        means: values by measure that are averaged over documents, each (documents,); nan where one has none.
    """

    ids: tuple[str, ...]
    cutoffs: tuple[Cutoff, ...]
    hits: Ints | Floats
    divisors: Ints
    predicted: Ints
    gold: Ints
    relevance: Ints | Floats
    means: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.ids)

    def by_rank(self, depth: int | None = None) -> Ints | Floats:
        """Hits at each rank, (documents, depth), 0 where a list has ended; None for the longest list.

        All that ranked measures need: ``by_rank(k)`` with ``predicted`` and ``gold`` gives average precision,
        reciprocal rank or gain at k for every document at once.
        """
        longest = int(self.predicted.max(initial=0)) if depth is None else depth
        starts = np.cumsum(self.predicted) - self.predicted
        ranks = np.arange(longest)
        there = ranks < self.predicted[:, None]
        kind: DTypeLike = np.float64 if self.relevance.dtype.kind == "f" else np.int64
        table: Ints | Floats = np.zeros((len(self), longest), dtype=kind)
        table[there] = self.relevance[(starts[:, None] + ranks)[there]]
        return table


def counted(
    ids: tuple[str, ...],
    ranked: Sequence[Sequence[float]],
    gold: Sequence[int],
    cutoffs: tuple[Cutoff, ...],
    short_list: ShortList,
    *,
    partial: bool = False,
) -> Counts:
    """Counts from hits by rank.

    Args:
        ids: the documents, (documents,).
        ranked: hits at each rank, a list for each document; lists may be empty.
        gold: entries of each document, (documents,).
        cutoffs: the cutoffs, (cutoffs,).
        short_list: what a list shorter than a cutoff gives.
        partial: whether hits may be fractions.
    """
    predicted = np.array([len(hits) for hits in ranked], dtype=np.int64)
    entries = np.array(gold, dtype=np.int64)
    kinds: tuple[DTypeLike, DTypeLike] = (np.float64, np.float64) if partial else (np.uint32, np.int64)
    flat = np.fromiter(itertools.chain.from_iterable(ranked), dtype=kinds[0], count=int(predicted.sum()))
    running = np.concatenate([[0], np.cumsum(flat, dtype=kinds[1])])
    ends = np.cumsum(predicted)
    before = ends - predicted
    depths = np.stack([depth(cutoff, predicted, entries) for cutoff in cutoffs], axis=1)
    reached = np.minimum(depths, predicted[:, None])
    hits = running[before[:, None] + reached] - running[before][:, None]
    if partial:  # differences of long sums are not exact, and a list of full credits has its length, no less
        sums = ([math.fsum(one[:end]) for end in ends] for one, ends in zip(ranked, reached.tolist(), strict=True))
        hits = np.array(list(sums), dtype=np.float64).reshape(reached.shape)
    if short_list is ShortList.NOTHING:
        hits[reached < depths] = 0
    divisors = reached if short_list is ShortList.OF_LENGTH else depths
    if short_list is ShortList.OF_CUTOFF_IF_ANY:
        divisors = np.where(predicted[:, None] > 0, depths, 0)
    return Counts(ids, cutoffs, hits, divisors, predicted, entries, flat)


def depth(cutoff: Cutoff, predicted: Ints, gold: Ints) -> Ints:
    """How many predictions a cutoff takes from each document, (documents,)."""
    if isinstance(cutoff, int):
        return np.full_like(predicted, cutoff)
    if cutoff == "G":
        return np.maximum(predicted, gold)
    return predicted if cutoff == "M" else gold
