"""Counts: what each document contributes, from which every value, interval and test is computed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
    """

    ids: tuple[str, ...]
    cutoffs: tuple[Cutoff, ...]
    hits: Ints
    divisors: Ints
    predicted: Ints
    gold: Ints

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.ids)


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
    running = _running(ranked, predicted)
    depths = np.stack([_depth(cutoff, predicted, entries) for cutoff in cutoffs], axis=1)
    reached = np.minimum(depths, predicted[:, None])
    hits = np.take_along_axis(running, reached, axis=1)
    if short_list is ShortList.NOTHING:
        hits[reached < depths] = 0
    divisors = reached if short_list is ShortList.OF_LENGTH else depths
    return Counts(ids, cutoffs, hits, divisors, predicted, entries)


def _running(ranked: Sequence[Sequence[int]], predicted: Ints) -> Ints:
    """Hits among the first r predictions, (documents, longest list + 1); column 0 is 0."""
    longest = int(predicted.max(initial=0))
    padded = [[0, *hits, *([0] * (longest - len(hits)))] for hits in ranked]
    return np.cumsum(np.array(padded, dtype=np.int64).reshape(len(ranked), longest + 1), axis=1)


def _depth(cutoff: Cutoff, predicted: Ints, gold: Ints) -> Ints:
    """How many predictions a cutoff takes from each document, (documents,)."""
    if isinstance(cutoff, int):
        return np.full_like(predicted, cutoff)
    return predicted if cutoff == "M" else gold
