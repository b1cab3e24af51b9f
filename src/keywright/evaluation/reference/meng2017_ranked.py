"""Ranked measures of one document as the evaluator of Meng et al. computes them; each deviates from the usual one."""

from collections.abc import Sequence
from math import log2
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.evaluation.measures.alpha_ndcg_kpg import DECAY
from keywright.evaluation.rules import Form

_DEPTHS: Final = (5, 10)  # as the reference prints
_NAMES: Final = ("ap", "mrr", "ndcg", "auc", "sadr", *(f"alpha_ndcg@{depth}" for depth in _DEPTHS))


def advanced(predictions: Sequence[Form], gold: Sequence[Form], hits: Floats) -> dict[str, float]:
    """Compute the measures by Meng's names; all 0 without gold or predictions.

    ``mrr`` is the mean of 1 / rank over all hits, not of the first; ``ndcg`` has one gain for each gold phrase as its
    ideal; ``auc`` is the area under precision by recall from (0, 1) to (last recall, 0); in ``sadr`` hits have full
    weight down to the rank that equals the number of gold phrases, and are discounted below it.

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
    gains = _novel_gains(predictions, gold)
    return {
        "ap": float((precision * hits).sum()) / size,
        "mrr": sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0,
        "ndcg": sum(1 / log2(rank + 1) for rank in ranks) / ideal,
        "auc": _area(running / size, precision),
        "sadr": sum(1 / log2(max(rank - size, 0) + 2) for rank in ranks) / size,
        **{f"alpha_ndcg@{depth}": _discounted(gains[: min(depth, size)]) / ideal for depth in _DEPTHS},
    }


def _area(recall: Floats, precision: Floats) -> float:
    """Integrate precision over recall by the trapezoidal rule, from (0, 1) to (last recall, 0)."""
    x = np.concatenate([[0.0], recall, recall[-1:]])
    y = np.concatenate([[1.0], precision, [0.0]])
    return float((np.diff(x) * (y[1:] + y[:-1]) / 2).sum())


def _novel_gains(predictions: Sequence[Form], gold: Sequence[Form]) -> list[float]:
    """Return 1 for a prediction whose words contain a gold phrase's or are contained, halved for each earlier one.

    The gold phrase that was hit most often before decides.
    """
    golds = [set(phrase.split(" ")) for phrase in gold]
    before = [0] * len(gold)
    gains = []
    for form in predictions:
        words = set(form.split(" "))
        related = [place for place, others in enumerate(golds) if words <= others or others <= words]
        gains.append(DECAY ** max(before[place] for place in related) if related else 0.0)
        for place in related:
            before[place] += 1
    return gains


def _discounted(gains: Sequence[float]) -> float:
    """Sum gains by rank, each divided by log2(rank + 1)."""
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
