"""Ranked measures: how early a list has its hits, as one number for each document.

All functions take columns over documents: ``hits``, credit by rank from 0 to 1, padded with 0 behind the end of a list,
(documents, ranks); ``gold``, number of gold entries, (documents,); ``depths``, how many ranks count, (documents,). They
return one number from 0 to 1 for each document, (documents,); it is 0 for a document without predictions, and for one
without gold, which the caller leaves out of the mean. A gold entry gives at most one credit in all.
"""

import enum
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints, Numbers
from keywright.core.errors import BadParameter
from keywright.evaluation.measures.counts import Listed, depth, quotient
from keywright.evaluation.measures.measure import Measure

Hits: TypeAlias = Numbers


class Ideal(enum.StrEnum):
    """The list that nDCG compares with."""

    GOLD = "gold"  # a list with a hit at every rank until the gold or the depth ends
    OWN = "own"  # the same predictions, sorted by their hits: one hit at rank 1 is perfect


class Reach(enum.StrEnum):
    """The divisor of average precision."""

    GOLD = "gold"  # all gold entries
    DEPTH = "depth"  # at most as many of them as ranks count: a list of hits alone is perfect at every depth


def r_precision(hits: Hits, gold: Ints) -> Floats:
    """Return the share of hits among the first g predictions (g gold entries); missing predictions are wrong.

    Buckley and Voorhees (2000); for keyphrases Zesch and Gurevych (2009).
    """
    return quotient(_within(hits, gold).sum(axis=1), gold)


def average_precision(hits: Hits, gold: Ints, depths: Ints, reach: Reach = Reach.GOLD) -> Floats:
    """Sum precision at the rank of each hit and divide by the number of possible hits; its mean is MAP."""
    counted = _within(hits, depths)
    precisions = np.cumsum(counted, axis=1) / np.arange(1, counted.shape[1] + 1)
    most = np.minimum(gold, depths) if reach is Reach.DEPTH else gold
    return quotient((counted * precisions).sum(axis=1), most)


def reciprocal_rank(hits: Hits, depths: Ints) -> Floats:
    """Return 1 / rank of the first prediction with any credit; 0 without one. Its mean is MRR (Voorhees, 1999)."""
    hit = np.pad(_within(hits, depths) > 0, ((0, 0), (0, 1)), constant_values=True)  # sentinel: every row has a hit
    first = np.argmax(hit, axis=1)
    return np.where(first < hits.shape[1], 1 / (1 + first), 0.0)


def ndcg(hits: Hits, gold: Ints, depths: Ints, ideal: Ideal = Ideal.GOLD) -> Floats:
    """Discount hits by log2(rank + 1) and divide by the best such sum (Järvelin and Kekäläinen, 2002)."""
    counted = _within(hits, depths)
    if ideal is Ideal.OWN:
        best = discounted(-np.sort(-counted, axis=1))
    else:
        reached = np.minimum(gold, depths)
        ranks = np.arange(int(reached.max(initial=0)))
        best = discounted((ranks < reached[:, None]).astype(np.float64))
    return quotient(discounted(counted), best)


def discounted(gains: Floats) -> Floats:
    """Sum gains by rank, (documents, ranks), each divided by log2(rank + 1)."""
    return np.asarray(gains @ (1 / np.log2(np.arange(2, gains.shape[1] + 2))))


@dataclass(frozen=True, slots=True)
class RankedValues:
    """The ranked measures for protocols; without a cutoff they are of the whole list.

    ``reach``: the divisor of average precision; ``ideal``: the list that nDCG compares with.
    """

    reach: Reach = Reach.GOLD
    ideal: Ideal = Ideal.GOLD

    name: ClassVar[str] = "ranked_values"

    def __call__(self, listed: Listed, measures: tuple[Measure, ...]) -> Floats:
        """Compute values, (documents, measures)."""
        hits, gold, predicted = listed.counts.by_rank(), listed.counts.gold, listed.counts.predicted
        columns = [self._column(measure, hits, gold, depth(measure.k or "M", predicted, gold)) for measure in measures]
        return np.stack(columns, axis=1)

    def _column(self, measure: Measure, hits: Hits, gold: Ints, depths: Ints) -> Floats:
        match measure.name:
            case "RP":
                return r_precision(hits, gold)
            case "MAP":
                return average_precision(hits, gold, depths, self.reach)
            case "MRR":
                return reciprocal_rank(hits, depths)
            case "nDCG":
                return ndcg(hits, gold, depths, self.ideal)
        raise BadParameter(f"{measure} is not a ranked measure", "expected RP, MAP, MRR or nDCG")


def _within(hits: Hits, depths: Ints) -> Floats:
    """Return hits of the ranks that count, 0 elsewhere."""
    return np.where(np.arange(hits.shape[1]) < depths[:, None], hits, 0).astype(np.float64)
