"""``keywright-1`` with ranked measures: R-precision, MAP, MRR, nDCG and alpha-nDCG beside P, R and F.

Their mean is over documents with gold. MAP divides by all gold entries, nDCG and alpha-nDCG compare a list with a
perfect one of gold phrases. ``dataclasses.replace`` the ``means`` for other conventions (``Reach``, ``Ideal``,
relevance).
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation.measures.counts import Means
from keywright.evaluation.measures.diversity import AlphaValues
from keywright.evaluation.measures.measure import ALPHA_NDCG, MAP, MRR, NDCG, RP
from keywright.evaluation.measures.ranked import RankedValues
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1

_CUTOFFS: Final = (5, 10, 15)
"""The numbers among the cutoffs of ``keywright-1``."""
_RANKED: Final = (RP, *(kind @ k for kind in (MAP, NDCG) for k in _CUTOFFS), MAP, MRR, NDCG)

KEYWRIGHT_1_RANKED: Final = replace(
    KEYWRIGHT_1,
    name="keywright-1-ranked",
    means=(Means(_RANKED, RankedValues()), Means(tuple(ALPHA_NDCG @ k for k in _CUTOFFS), AlphaValues())),
)
"""Measures that reward an early hit."""
