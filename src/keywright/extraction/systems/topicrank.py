"""TopicRank: PageRank of clusters of phrases."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.grouping import Linkage, word_clusters
from keywright.extraction.candidates.ngrams import nouns_and_adjectives, runs
from keywright.extraction.features.functions.centrality import nearness, pagerank
from keywright.extraction.ranking.rank import rank

Naming: TypeAlias = Literal["first", "frequent"]


@dataclass(frozen=True)
class TopicRank:
    """PageRank of clusters of phrases that share words; one phrase for each.

    Bougouin, Boudin and Daille, "TopicRank: Graph-Based Topic Ranking for Keyphrase Extraction", IJCNLP 2013. Runs of
    nouns and adjectives are clustered until no two topics have a quarter of their words in common; topics are joined by
    the nearness of their mentions; each of the best is named by one of its phrases.

    Deviations: none. ``from_ends`` says whether distances begin where a phrase ends (pke, of the same authors) or
    begins (the paper's formula); the paper also tries the most frequent phrase as a topic's name (``naming``).
    """

    farthest: Annotated[float, "maximum distance of clusters that are merged: 1 minus the share of common words"] = 0.74
    linkage: Annotated[Linkage, "distance of two clusters from that of their phrases"] = "average"
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    naming: Annotated[Naming, "phrase that represents its topic: the first, or the most frequent"] = "first"
    from_ends: Annotated[bool, "whether distances begin at the end of the earlier mention"] = False

    name: ClassVar[str] = "topicrank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank one phrase of each topic, by the topic's PageRank."""
        candidates = runs(document, nouns_and_adjectives(document))
        topic = word_clusters(document, candidates, self.farthest, self.linkage)
        importance = pagerank(nearness(candidates, topic, from_ends=self.from_ends), self.damping)
        order = np.lexsort((candidates.first, -candidates.frequency)) if self.naming == "frequent" else slice(None)
        indices = np.arange(len(candidates))[order]
        _, where = np.unique(topic[indices], return_index=True)
        names = np.isin(np.arange(len(candidates)), indices[where])  # candidates that represent their topics
        return rank(document, candidates.where(names), importance[topic[names]])
