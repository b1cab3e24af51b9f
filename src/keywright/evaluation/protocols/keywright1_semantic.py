"""``keywright-1`` with semantic matching: SemP, SemR and SemF by an offline encoder (extra ``embed``).

``KEYWRIGHT_1_SEMANTIC`` is neutral; ``KEYWRIGHT_1_SEMANTIC_KPEVAL`` reproduces the bugs of KPEval's code. KPEval's own
numbers come from another encoder, an MPNet trained on keyphrases, so they are not comparable with either.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation.matching import lowered
from keywright.evaluation.measures.counts import Means, Measure
from keywright.evaluation.measures.semantic import SemanticMatching, SemanticScore
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.text.encoders import MiniLM

_MEASURES: Final = tuple(Measure(name, k) for k in (5, 10, 15, None) for name in SemanticScore._fields)

KEYWRIGHT_1_SEMANTIC: Final = replace(
    KEYWRIGHT_1,
    name="keywright-1-semantic",
    normalise=lowered,
    means=(Means(_MEASURES, SemanticMatching(MiniLM()), rewards=False),),
)
"""Phrases match by similarity of meaning."""

KEYWRIGHT_1_SEMANTIC_KPEVAL: Final = replace(
    KEYWRIGHT_1_SEMANTIC,
    name="keywright-1-semantic-kpeval",
    means=(Means(_MEASURES, SemanticMatching(MiniLM(), kpeval_compat=True), rewards=False),),
)
"""The same, as KPEval's code computes it."""
