"""Counts: what each document contributes, from which every value, interval and test is computed."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Ints
from keywright.evaluation.measures import Cutoff
from keywright.evaluation.rules import ShortList


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Sufficient statistics of one system on one gold set, as columns over documents in gold order.

    Attributes:
        ids: the documents, (documents,).
        cutoffs: the cutoffs, (cutoffs,).
        hits: matches counted at each cutoff, (documents, cutoffs).
        divisors: what precision divides by at each cutoff, (documents, cutoffs).
        predicted: predictions that have a rank, (documents,).
        gold: gold entries, (documents,).
        relevance: hits of each ranked prediction, document after document, (sum of predicted,). ``predicted`` says
            where one document ends; ``by_rank`` gives it as a table. Lists are cut at the protocol's deepest cutoff,
            unless that is M, O or G.
    """

    ids: tuple[str, ...]
    cutoffs: tuple[Cutoff, ...]
    hits: Ints
    divisors: Ints
    predicted: Ints
    gold: Ints
    relevance: NDArray[np.uint32]

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.ids)

    def by_rank(self, depth: int | None = None) -> Ints:
        """Hits at each rank, (documents, depth), 0 where a list has ended; None for the longest list.

        All that ranked measures need: ``by_rank(k)`` with ``predicted`` and ``gold`` gives average precision,
        reciprocal rank or gain at k for every document at once.
        """
        longest = int(self.predicted.max(initial=0)) if depth is None else depth
        starts = np.cumsum(self.predicted) - self.predicted
        ranks = np.arange(longest)
        there = ranks < self.predicted[:, None]
        table = np.zeros((len(self), longest), dtype=np.int64)
        table[there] = self.relevance[(starts[:, None] + ranks)[there]]
        return table


def counted(
    ids: tuple[str, ...],
    ranked: Sequence[Sequence[int]],
    gold: Sequence[int],
    cutoffs: tuple[Cutoff, ...],
    short_list: ShortList,
) -> Counts:
    """Counts from hits by rank.

    Args:
        ids: the documents, (documents,).
        ranked: hits at each rank, a list for each document; lists may be empty.
        gold: entries of each document, (documents,).
        cutoffs: the cutoffs, (cutoffs,).
        short_list: what a list shorter than a cutoff gives.
    """
    predicted = np.array([len(hits) for hits in ranked], dtype=np.int64)
    entries = np.array(gold, dtype=np.int64)
    flat = np.fromiter(itertools.chain.from_iterable(ranked), dtype=np.uint32, count=int(predicted.sum()))
    running = np.concatenate([[0], np.cumsum(flat, dtype=np.int64)])
    ends = np.cumsum(predicted)
    before = ends - predicted
    depths = np.stack([_depth(cutoff, predicted, entries) for cutoff in cutoffs], axis=1)
    reached = np.minimum(depths, predicted[:, None])
    hits = running[before[:, None] + reached] - running[before][:, None]
    if short_list is ShortList.NOTHING:
        hits[reached < depths] = 0
    divisors = reached if short_list is ShortList.OF_LENGTH else depths
    if short_list is ShortList.OF_CUTOFF_IF_ANY:
        divisors = np.where(predicted[:, None] > 0, depths, 0)
    return Counts(ids, cutoffs, hits, divisors, predicted, entries, flat)


def _depth(cutoff: Cutoff, predicted: Ints, gold: Ints) -> Ints:
    """How many predictions a cutoff takes from each document, (documents,)."""
    if isinstance(cutoff, int):
        return np.full_like(predicted, cutoff)
    if cutoff == "G":
        return np.maximum(predicted, gold)
    return predicted if cutoff == "M" else gold
