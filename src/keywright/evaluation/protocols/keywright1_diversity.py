"""``keywright-1`` with measures of diversity: repetition within a list, coverage of the gold's words.

Repeated predictions stay in the list, as dropping them first would hide what is measured; they earn nothing. Lower is
better for ``Duplicates``, ``DuplicateWords`` and ``Redundancy``.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation.measures.counts import Means
from keywright.evaluation.measures.diversity import diversity_values
from keywright.evaluation.measures.measure import Measure
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Repeats

_KINDS: Final = ("Duplicates", "DuplicateWords", "Redundancy", "StemCoverage")

KEYWRIGHT_1_DIVERSITY: Final = replace(
    KEYWRIGHT_1,
    name="keywright-1-diversity",
    repeats=Repeats.KEPT,
    means=(
        Means(tuple(Measure(name, k) for k in (5, 10, 15, None) for name in _KINDS), diversity_values, rewards=False),
    ),
)
"""Repetition counts."""
