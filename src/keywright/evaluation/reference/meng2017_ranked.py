"""Ranked measures as the evaluator of Meng et al. computes them for one document; each has a twist of its own."""

from collections.abc import Sequence
from math import log2
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.evaluation.measures.alpha_ndcg_kpg import KEPT
from keywright.evaluation.rules import Form

_DEPTHS: Final = (5, 10)
_NAMES: Final = ("ap", "mrr", "ndcg", "auc", "sadr", *(f"alpha_ndcg@{depth}" for depth in _DEPTHS))


def advanced(predictions: Sequence[Form], gold: Sequence[Form], hits: Floats) -> dict[str, float]:
    """The measures by Meng's names; all 0 without gold or predictions.

    ``mrr`` is the mean of 1 / rank over all hits, not of the first; ``ndcg`` has one gain for each gold phrase as its
    ideal; ``auc`` is the area under precision by recall from (0, 1) to (last recall, 0); in ``sadr`` hits count full
    down to the rank that the gold is long, discounted from there.

    Args:
        predictions: forms, best first.
        gold: forms, repeats included.
        hits: 1 where a prediction is in the gold, else 0, (predictions,).
    """
    if not gold or not predictions:
        return dict.fromkeys(_NAMES, 0.0)
    size = len(gold)
    ranks = [rank for rank, hit in enumerate(hits.tolist(), start=1) if hit]
    running = np.cumsum(hits)
    precision = running / np.arange(1, len(hits) + 1)
    ideal = _discounted([1.0] * size)
    found = {
        "ap": float((precision * hits).sum()) / size,
        "mrr": sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0,
        "ndcg": sum(1 / log2(rank + 1) for rank in ranks) / ideal,
        "auc": _area(running / size, precision),
        "sadr": sum(1 / log2(max(rank - size, 0) + 2) for rank in ranks) / size,
    }
    gains = _novel_gains(predictions, gold)
    return found | {f"alpha_ndcg@{k}": _discounted(gains[: min(k, size)]) / ideal for k in _DEPTHS}


def _area(recall: Floats, precision: Floats) -> float:
    """Area under straight lines between the points."""
    x = np.concatenate([[0.0], recall, recall[-1:]])
    y = np.concatenate([[1.0], precision, [0.0]])
    return float((np.diff(x) * (y[1:] + y[:-1]) / 2).sum())


def _novel_gains(predictions: Sequence[Form], gold: Sequence[Form]) -> list[float]:
    """1 for a prediction whose words hold those of a gold phrase or are held by them, halved for each earlier one.

    The gold phrase that was hit most often before decides.
    """
    words = [set(phrase.split(" ")) for phrase in gold]
    before = [0] * len(gold)
    gains = []
    for form in predictions:
        own = set(form.split(" "))
        related = [place for place, other in enumerate(words) if own <= other or other <= own]
        gains.append(KEPT ** max(before[place] for place in related) if related else 0.0)
        for place in related:
            before[place] += 1
    return gains


def _discounted(gains: Sequence[float]) -> float:
    """Gains by rank, each divided by log2(rank + 1), summed."""
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
