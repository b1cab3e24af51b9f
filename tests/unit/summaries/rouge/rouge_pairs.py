"""Pairs for tests of ROUGE."""

from typing import Any

from keywright.summaries.evaluator import Evaluation
from keywright.summaries.pairs import Pair, parse_pair
from keywright.summaries.rouge.evaluators import Rouge155, RougeScore


def pair(summary: Any, *references: Any, **more: Any) -> Pair:
    return parse_pair({"id": "t", "system": "s", "summary": summary, "references": list(references)} | more)


def evaluated(evaluator: Rouge155 | RougeScore, summary: Any, *references: Any) -> Evaluation:
    (evaluation,) = evaluator.evaluate((pair(summary, *references),))
    return evaluation


def values(evaluator: Rouge155 | RougeScore, summary: Any, *references: Any) -> tuple[float | None, ...]:
    """Return P, R and F."""
    evaluation = evaluated(evaluator, summary, *references)
    return tuple(evaluation.values[name] for name in "PRF")
