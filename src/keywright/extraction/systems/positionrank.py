"""PositionRank: PageRank of words that prefers early ones."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import nouns_and_adjectives
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.features.functions.centrality import pagerank, sum_over_words, word_graph
from keywright.extraction.ranking.rank import rank

_WHOLE: Final = 10
"""Words of a phrase that are looked at, so that the beginning of a long one is not taken for a short one."""


@dataclass(frozen=True)
class PositionRank:
    """PageRank of words biased to early and frequent ones; short noun phrases by the sum of their words.

    Florescu and Caragea, "PositionRank: An Unsupervised Approach to Keyphrase Extraction from Scholarly Documents", ACL
    2017. As SingleRank, but a jump leads to a word with the sum of 1 / position over all its places, in tokens from 1.
    Phrases are adjectives and then nouns, up to three words.

    Deviations: nodes are stems. Left open by the paper: longer phrases are left out, as pke does; ``window`` is 10, the
    widest that the paper tries, which finds little difference.
    """

    window: Annotated[int, "tokens within which two words co-occur, both included"] = 10
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    longest: Annotated[int, "maximum words of a phrase; longer ones are left out"] = 3

    name: ClassVar[str] = "positionrank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank short noun phrases by the sum of their words' biased PageRank."""
        allowed = nouns_and_adjectives(document)
        graph = word_graph(document, allowed, self.window)
        place = np.flatnonzero(allowed)
        early = np.bincount(document.stem[place], 1 / (place + 1), len(document.stems)).astype(float)
        centrality = pagerank(graph, self.damping, early)
        candidates = tag_phrases(document, "J*N+", max(_WHOLE, self.longest), maximal=True)
        candidates = candidates.where(candidates.length <= self.longest)
        return rank(document, candidates, sum_over_words(candidates, document, centrality))
