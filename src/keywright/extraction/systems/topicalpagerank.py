"""Topical PageRank: PageRank of words for each topic."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import nouns_and_adjectives
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.learners.topic_model import TopicModel
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import require_fitted

Walks: TypeAlias = Literal["one", "each"]


@dataclass(frozen=True)
class TopicalPageRank:
    """PageRank of words biased to the document's topics; must be trained, without gold.

    Liu, Huang, Zheng and Sun, "Automatic Keyphrase Extraction via Topic Decomposition", EMNLP 2010, and its faster form
    of Sterckx, Demeester, Deleu and Develder, "Topical Word Importance for Fast Keyphrase Extraction", WWW 2015. Topics
    come from latent Dirichlet allocation on any collection. A walk of each topic jumps to words by P(topic | word), and
    what the walks find is added up by the topics' shares in the document (2010); or one walk jumps by the cosine of a
    word's P(word | topic) and the document's P(topic | document) (2015). Phrases are adjectives and then nouns, by the
    sum of their words.

    Deviations: nodes are stems; the collection is what it is trained on, instead of Wikipedia, so fewer topics are
    found, of nouns and adjectives. Left open by the papers: ``walks``, ``topics`` (50 to 1500), and a word that the
    topics do not know, which counts as the least of the document's known words.
    """

    window: Annotated[int, "tokens within which two words co-occur, both included"] = 10
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    longest: Annotated[int, "maximum words of a phrase; longer ones are split"] = 10
    walks: Annotated[Walks, "one walk for all topics (2015), or one for each topic (2010)"] = "one"
    topics: Annotated[int, "number of topics"] = 50
    seed: Annotated[int, "of the initial topics"] = 1
    model: Annotated[TopicModel | None, "the topics of the training documents"] = None

    name: ClassVar[str] = "topicalpagerank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with the topics of these documents; their gold is ignored."""
        bags = [_bag(example.document, nouns_and_adjectives(example.document)) for example in labelled]
        return replace(self, model=TopicModel.fit(bags, self.topics, self.seed))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases by the sum of their words' topical PageRank."""
        model = require_fitted(self.model, self.name)
        allowed = nouns_and_adjectives(document)
        graph = word_graph(document, allowed, self.window)
        keys = np.zeros(len(document.stems), np.uint64)
        keys[document.word_stem] = document.word_key
        given_topic = model.of(keys)
        nodes, modelled = stems_among(document, allowed), np.asarray(given_topic.any(axis=0), bool)
        shares = model.shares(*_bag(document, allowed))
        centrality = np.zeros(len(nodes))
        for bias, weight in self.walks_of(given_topic, model.overall, shares):
            # Unknown nodes have the least value of the known ones; the bias is uniform where none is known.
            least = bias[nodes & modelled].min(initial=1.0)
            centrality += weight * pagerank(graph, self.damping, np.where(modelled, bias, least) * nodes)
        candidates = tag_phrases(document, "J*N+", self.longest, maximal=True)
        return rank(document, candidates, sum_over_words(candidates, document, centrality))

    def walks_of(self, given_topic: Floats, overall: Floats, shares: Floats) -> list[tuple[Floats, float]]:
        """Return each walk's jumps, (stems,), and weight, from P(word | topic), P(topic), and P(topic | document)."""
        if self.walks == "each":
            joint = given_topic * overall[:, None]
            total = joint.sum(axis=0)
            of_topic = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
            return list(zip(of_topic, shares.tolist(), strict=True))
        length = np.linalg.norm(given_topic, axis=0) * np.linalg.norm(shares)
        return [(np.divide(shares @ given_topic, length, out=np.zeros_like(length), where=length > 0), 1.0)]


def _bag(document: AnalysedDocument, allowed: Bools) -> tuple[Keys, Ints]:
    """Return the keys of the distinct words among allowed tokens, and their counts."""
    return np.unique(document.word_key[document.word[allowed]], return_counts=True)
