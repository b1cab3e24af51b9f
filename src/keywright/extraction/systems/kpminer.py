"""KP-Miner: frequent phrases, long ones boosted."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Self

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import PhraseCounts, count_documents
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.mentions import words_only_rarity
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import containing

_LONGEST_OF_KPMINER = 5  # most words of a phrase, as in the paper


@dataclass(frozen=True)
class KPMiner:
    """Frequent, early phrases, boosted because long phrases are rare.

    El-Beltagy and Rafea, "KP-Miner: Participation in SemEval-2", SemEval 2010; third of the shared task without
    training. Phrases are the runs of words between stop words and punctuation, and all their parts up to five words. A
    phrase of several words is taken to occur in no other document, and its weight is boosted by how rare such phrases
    are in this one. Among the best, the mentions of a phrase inside better-known longer ones are then taken away, and
    the order made anew.

    Deviations: Porter stems instead of the authors' weak stemming. The cutoff is that of the article of 2009; 850 is
    said of the shared task. The task paper names the term's position as a factor of the weight (``near_start``); the
    article does not.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of words"] = field(default_factory=background)
    least_seen: Annotated[int, "minimum mentions of a phrase (the paper's lasf); short documents need 1"] = 3
    cutoff: Annotated[int, "last position of a first mention, in tokens"] = 400
    alpha: Annotated[float, "divisor of the boost"] = 2.3
    sigma: Annotated[float, "ceiling of the boost"] = 3.0
    refined: Annotated[int, "number of best phrases in the refinement, as the task asked for; 0 for none"] = 15
    near_start: Annotated[bool, "whether sentences weigh 1 + 1 / (1 + sentence), sentences from 0"] = False

    name: ClassVar[str] = "kpminer"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with document frequencies of these documents; their gold is ignored."""
        return replace(self, frequencies=count_documents(ngrams(example.document, 1).key for example in labelled))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank frequent, early phrases by boosted TF×IDF, refined."""
        candidates = ngrams(document, _LONGEST_OF_KPMINER)
        frequent = candidates.where((candidates.frequency >= self.least_seen) & (candidates.first < self.cutoff))
        rarity, boost = words_only_rarity(frequent, self.frequencies), self.boost(frequent)
        weight = frequent.frequency * rarity * boost
        if self.near_start:
            weight *= 1 + 1 / (1 + document.sentence[frequent.first])
        best = order_of(frequent, weight)[: self.refined]
        own_share = np.ones(len(frequent))  # share of mentions that are not inside a longer one of the best candidates
        for index, longer in zip(best, containing(document, frequent, best), strict=True):
            own_share[index] = max(0.0, 1 - frequent.frequency[best[longer]].sum() / frequent.frequency[index])
        evidence = {"mentions": frequent.frequency, "rarity": rarity, "boost": boost}
        return rank(document, frequent, weight * own_share, evidence)

    def boost(self, candidates: Candidates) -> Floats:
        """Return 1 for words; for phrases, all mentions over alpha times those of phrases, (candidates,)."""
        # Phrases are rarer than words, so they weigh more, but at most ``sigma``.
        phrases = candidates.length > 1
        of_phrases = candidates.frequency[phrases].sum()
        boost = min(self.sigma, candidates.frequency.sum() / (of_phrases * self.alpha)) if of_phrases else 1.0
        return np.where(phrases, boost, 1.0)
