"""keywright's own neutral protocol, version 1, without the known bugs of published scorers, and its variants.

Phrases are compared after Unicode NFKC, case folding, collapsing of white space and Porter's stemmer (Martin's variant)
on each run of letters. The first of repeats counts on both sides, a gold phrase gives one credit, any of its
alternatives is accepted, precision divides by the cutoff, and a quotient by 0 is 0. Documents without gold are left out
of R and F, their predictions count in P. Every gold document must be answered, once. Values are reported pooled (plain
names), as harmonic mean of macro means (``macro-``) and as means of document scores (``mean-``).

Semantic matching gives SemP, SemR and SemF by an offline encoder (extra ``embed``). KPEval's own numbers come from
another encoder, an MPNet trained on keyphrases, so they are not comparable with ours.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.matching import Approximate, WordOverlap, lowered
from keywright.evaluation.measures.counts import ALPHA_NDCG, MAP, MRR, NDCG, RP, Means, Measure, at
from keywright.evaluation.measures.list_measures import AlphaValues, RankedValues, diversity_values
from keywright.evaluation.measures.semantic import SemanticMatching, SemanticScore
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Repeats
from keywright.text.encoders import MiniLM

KEYWRIGHT_1: Final = Protocol(
    name="keywright-1", no_gold=rules.NoGold.LEFT_OUT,
    average=(rules.Average.MICRO, rules.Average.MACRO, rules.Average.MEAN), measures=at(5, 10, 15, "M", "O"),
)  # fmt: skip
"""Recommended where no published number has to be matched."""

_CUTOFFS: Final = (5, 10, 15)  # the numbers among the cutoffs of ``keywright-1``
_RANKED: Final = (RP, *(kind @ k for kind in (MAP, NDCG) for k in _CUTOFFS), MAP, MRR, NDCG)

KEYWRIGHT_1_RANKED: Final = replace(
    KEYWRIGHT_1,
    name="keywright-1-ranked",
    means=(Means(_RANKED, RankedValues()), Means(tuple(ALPHA_NDCG @ k for k in _CUTOFFS), AlphaValues())),
)
"""Measures that reward an early hit."""

KEYWRIGHT_1_APPROXIMATE: Final = replace(
    KEYWRIGHT_1, name="keywright-1-approximate", normalise=lowered, matching=Approximate(),
    means=(Means((RP,), RankedValues()),),
)  # fmt: skip
"""A prediction is a hit if it matches a gold phrase approximately."""

KEYWRIGHT_1_NGRAM_RP: Final = replace(KEYWRIGHT_1_APPROXIMATE, name="keywright-1-ngram-rp", matching=WordOverlap())
"""The credit of a prediction is the share of words in common with a gold phrase."""

_KINDS: Final = ("Duplicates", "DuplicateWords", "Redundancy", "StemCoverage")

KEYWRIGHT_1_DIVERSITY: Final = replace(
    KEYWRIGHT_1, name="keywright-1-diversity", repeats=Repeats.KEPT, means=(
    Means(tuple(Measure(name, k) for k in (5, 10, 15, None) for name in _KINDS), diversity_values, rewards=False), ),
)  # fmt: skip
"""Repetition counts."""
_MEASURES: Final = tuple(Measure(name, k) for k in (5, 10, 15, None) for name in SemanticScore._fields)

KEYWRIGHT_1_SEMANTIC: Final = replace(
    KEYWRIGHT_1, name="keywright-1-semantic", normalise=lowered,
    means=(Means(_MEASURES, SemanticMatching(MiniLM()), rewards=False),),
)  # fmt: skip
"""Phrases match by similarity of meaning."""

KEYWRIGHT_1_SEMANTIC_KPEVAL: Final = replace(
    KEYWRIGHT_1_SEMANTIC,
    name="keywright-1-semantic-kpeval",
    means=(Means(_MEASURES, SemanticMatching(MiniLM(), kpeval_compat=True), rewards=False),),
)
"""The same, as KPEval's code computes it."""
