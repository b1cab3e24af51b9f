"""MultipartiteRank: PageRank of phrases of different topics."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.grouping import Linkage, word_clusters
from keywright.extraction.candidates.ngrams import nouns_and_adjectives, runs
from keywright.extraction.features.functions.centrality import nearness, pagerank
from keywright.extraction.ranking.rank import rank


@dataclass(frozen=True)
class MultipartiteRank:
    """PageRank of phrases joined to those of other topics, with more weight on edges to the first of each topic.

    Boudin, "Unsupervised Keyphrase Extraction with Multipartite Graphs", NAACL 2018. Topics are TopicRank's. Phrases
    are joined by the nearness of their mentions; the first phrase of each topic is given a share of what leads to the
    others of its topic, all the more the nearer it is to the start of the text.

    Deviations: none. Left open by the paper: where positions begin (the first token has 1, as in pke), and whether
    distances begin where a phrase ends (pke) or where it begins (the formula): ``from_ends``.
    """

    farthest: Annotated[float, "maximum distance of clusters that are merged: 1 minus the share of common words"] = 0.74
    linkage: Annotated[Linkage, "distance of two clusters from that of their phrases"] = "average"
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    alpha: Annotated[float, "bonus of the first phrase of a topic; 0 for none"] = 1.1
    from_ends: Annotated[bool, "whether distances begin at the end of the earlier mention"] = False

    name: ClassVar[str] = "multipartiterank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by their PageRank."""
        candidates = runs(document, nouns_and_adjectives(document))
        topic = word_clusters(document, candidates, self.farthest, self.linkage)
        weights = nearness(candidates, np.arange(len(candidates)), from_ends=self.from_ends)
        weights[topic[:, None] == topic] = 0.0
        # Edges to the first phrase of each topic gain by what leads to the others of the topic.
        _, first = np.unique(topic, return_index=True)
        to_topic = np.zeros((len(candidates), len(first)))
        np.add.at(to_topic.T, topic, weights)  # weights are symmetric still: row k is what leads to k
        early = np.exp(1 / (1 + candidates.first[first]))
        weights[:, first] += self.alpha * early * (to_topic - weights[:, first])
        return rank(document, candidates, pagerank(weights, self.damping))
