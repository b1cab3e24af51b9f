"""SGRank: statistics, then PageRank of phrases."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.centrality import pagerank
from keywright.extraction.features.functions.mentions import words_only_rarity
from keywright.extraction.features.functions.nestedness import sum_of_longer
from keywright.extraction.ranking.rank import order_of, rank
from keywright.text.tag_lexicon import tag_classes

_MOST_NEEDED: Final = 4  # mentions that are always enough; arbitrary, the paper leaves the bound open


@dataclass(frozen=True)
class SGRank:
    """The hundred best n-grams by counting, ranked again by PageRank on a graph of which occurs near which.

    Danesh, Sumner and Martin, "SGRank: Combining statistical and graphical methods to improve the state of the art in
    unsupervised keyphrase extraction", *SEM 2015. The n-grams with the highest TF×IDF are kept; a phrase of several
    words is taken to occur in no other document. Their weight is mentions, less those of longer phrases around them
    among the hundred, times rarity, times ln(cutoff / place of the first mention), times words. Two nodes are joined by
    the mean of ln(window / distance) over their meetings within a window, times both weights.

    Deviations: idf comes from the bundled background. The paper keeps nouns, adjectives and verbs; here tags restrict
    the n-grams only where the analysis has them (``classes``), and stop words and signs always end them. Distances are
    between first tokens; phrases that begin together do not meet. Left open by the paper: how many mentions a phrase
    needs, here one for each ``per`` tokens, at least one and at most four.
    """

    frequencies: Annotated[PhraseCounts, "document frequencies of words"] = field(default_factory=background)
    longest: Annotated[int, "maximum words of a phrase"] = 6
    per: Annotated[int, "tokens of the document per mention that a phrase needs, one to four mentions"] = 1000
    pool: Annotated[int, "number of phrases in the graph, and so the maximum of the result"] = 100
    cutoff: Annotated[int, "position after which a first mention counts against a phrase, in tokens"] = 3000
    window: Annotated[int, "distance, in tokens, from which two phrases do not co-occur"] = 1500
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    classes: Annotated[str, "classes of words, where there are tags: N noun, J adjective, G participle, V verb"] = (
        "NJGV"
    )

    name: ClassVar[str] = "sgrank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the pool of phrases by PageRank."""
        candidates = self.candidates(document)
        rarity = words_only_rarity(candidates, self.frequencies)
        best = order_of(candidates, candidates.frequency * rarity)[: self.pool]
        pooled = np.isin(np.arange(len(candidates)), best)
        candidates, rarity = candidates.where(pooled), rarity[pooled]
        own_mentions = np.maximum(candidates.frequency - sum_of_longer(candidates), 0)
        weight = own_mentions * rarity * np.log(self.cutoff / (candidates.first + 1)) * candidates.length
        positive = weight > 0
        candidates, weight, rarity = candidates.where(positive), weight[positive], rarity[positive]
        graph = _nearness(candidates, self.window) * weight[:, None] * weight
        evidence = {"weight": weight, "mentions": candidates.frequency, "rarity": rarity}
        return rank(document, candidates, pagerank(graph, self.damping), evidence)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams with enough mentions for a document of this length."""
        candidates = ngrams(document, self.longest, content_words)
        if document.tag is not None:
            letters = np.array(list(tag_classes(document)), dtype="U1")
            candidates = mentions_among(candidates, np.isin(letters, list(self.classes)))
        return candidates.where(candidates.frequency >= min(len(document) // self.per, _MOST_NEEDED))


def _nearness(candidates: Candidates, window: int) -> Floats:
    """Mean of ln(window / distance) over all meetings of two candidates, 0 where none, (candidates, candidates)."""
    order = np.argsort(candidates.positions, kind="stable")
    place, owner, size = candidates.positions[order], candidates.owner[order], len(candidates)
    nearness, meetings = np.zeros(size * size), np.zeros(size * size)
    for later in range(1, len(place)):
        distance = place[later:] - place[:-later]
        if distance.min() >= window:
            break
        met = (distance > 0) & (distance < window) & (owner[later:] != owner[:-later])
        pair = owner[:-later][met] * size + owner[later:][met]
        nearness += np.bincount(pair, np.log(window / distance[met]), size * size)
        meetings += np.bincount(pair, minlength=size * size)
    both = [one.reshape(size, size) + one.reshape(size, size).T for one in (nearness, meetings)]
    return np.asarray(both[0] / np.maximum(both[1], 1))
