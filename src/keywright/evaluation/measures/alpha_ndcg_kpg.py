"""Alpha-NDCG as evaluators of keyphrase generation compute it (after Clarke et al., SIGIR 2008).

A prediction is relevant to every gold phrase of which it is a substring; the empty prediction is relevant to all. Each
further prediction for the same gold phrase gains half as much as the one before. The ideal is not the gold but a greedy
reordering of the same predictions; of equal gains the first prediction comes first.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import log2
from typing import Final

from keywright.evaluation.rules import Form

DECAY: Final = 0.5
"""1 - alpha: factor of a gain for each earlier prediction of the same gold phrase; alpha as those evaluators set it."""


def alpha_ndcg(forms: Sequence[Form], gold: Sequence[Form], depths: Sequence[int]) -> list[float]:
    """Compute the measure at several depths for one document; 0 where nothing is relevant.

    ``depths`` are how many predictions count, (cutoffs,); none exceeds their number.
    """
    relevant = [[place for place, phrase in enumerate(gold) if form in phrase] for form in forms]
    deepest = max(depths, default=0)
    gained = list(accumulate(_discounted(_gains(relevant[:deepest], len(gold))), initial=0.0))
    best = list(accumulate(_discounted(_greedy(relevant, len(gold), deepest)), initial=0.0))
    return [gained[depth] / best[depth] if best[depth] else 0.0 for depth in depths]


def _gains(relevant: Sequence[Sequence[int]], gold: int) -> list[float]:
    """Return the gain of each prediction, in their order."""
    worth = [1.0] * gold
    gains = []
    for places in relevant:
        gains.append(sum(worth[place] for place in places))
        for place in places:
            worth[place] *= DECAY
    return gains


def _greedy(relevant: Sequence[Sequence[int]], gold: int, depth: int) -> list[float]:
    """Return the gains of the same predictions in greedy order, the largest gain next."""
    worth = [1.0] * gold
    left = [places for places in relevant if places]
    gains: list[float] = []
    while left and len(gains) < depth:
        values = [sum(worth[place] for place in places) for places in left]
        best = max(values)
        gains.append(best)
        for place in left.pop(values.index(best)):
            worth[place] *= DECAY
    return gains + [0.0] * (depth - len(gains))


def _discounted(gains: Sequence[float]) -> list[float]:
    """Divide gains by rank by log2(rank + 1)."""
    return [gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1)]
