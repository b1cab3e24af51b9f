"""``keywright-1`` with credit for near matches, in two ways; R-precision (``RP``) is the measure that their papers use.

``KEYWRIGHT_1_APPROXIMATE`` gives full credit on four levels after Zesch and Gurevych (2009); with fewer levels it
is ``replace(..., matching=Approximate((Level.EXACT, Level.MORPH)))``. ``KEYWRIGHT_1_NGRAM_RP`` gives partial credit for
shared words after Kim, Baldwin and Kan (2010), with weights of our own choice. Neither has a public reference scorer.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation.matching.approximate import Approximate, WordOverlap, lowered
from keywright.evaluation.measures.counts import Means
from keywright.evaluation.measures.measure import RP
from keywright.evaluation.measures.ranked import RankedValues
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1

KEYWRIGHT_1_APPROXIMATE: Final = replace(
    KEYWRIGHT_1,
    name="keywright-1-approximate",
    normalise=lowered,
    matching=Approximate(),
    means=(Means((RP,), RankedValues()),),
)
"""A prediction is a hit if it matches a gold phrase approximately."""

KEYWRIGHT_1_NGRAM_RP: Final = replace(KEYWRIGHT_1_APPROXIMATE, name="keywright-1-ngram-rp", matching=WordOverlap())
"""The credit of a prediction is the share of words in common with a gold phrase."""
