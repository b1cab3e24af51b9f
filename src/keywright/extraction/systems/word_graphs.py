"""PageRank of words, and phrases by the sum of their words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, Self, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.candidates.ngrams import nouns_and_adjectives, runs
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.features.functions.centrality import pagerank, stems_among, sum_over_words, word_graph
from keywright.extraction.learners.topic_model import TopicModel
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import require_fitted


@dataclass(frozen=True)
class TextRank:
    """PageRank of adjacent words; the best words, where adjacent, form phrases.

    Mihalcea and Tarau, "TextRank: Bringing Order into Text", EMNLP 2004. Nouns and adjectives are the nodes of a graph,
    and those within a window of tokens its edges. The best third are keywords, and keywords that stand side by side in
    the text are one keyphrase.

    Deviations: nodes are stems. ``share`` is a third as in the paper; 1 ranks all runs of nouns and adjectives, as pke
    does by default. Left open by the paper: whether a window holds words that are not nodes and runs across sentences
    (here it does), which of equally central words are among the best (the earlier), and how a phrase is scored (by the
    sum of its words, as in most programs, or by their mean: ``mean``).
    """

    window: Annotated[int, "tokens within which two words are connected, both included"] = 2
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    share: Annotated[float, "share of the best words that form phrases"] = 1 / 3
    weighted: Annotated[bool, "whether the weight of an edge is the number of co-occurrences; else 1"] = False
    mean: Annotated[bool, "whether a phrase scores the mean of its words, else their sum"] = False

    name: ClassVar[str] = "textrank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank runs of central words, by the sum or mean of their PageRank."""
        allowed = nouns_and_adjectives(document)
        graph = word_graph(document, allowed, self.window, weighted=self.weighted)
        centrality = pagerank(graph, self.damping, stems_among(document, allowed))
        candidates = runs(document, allowed & self.best(document, allowed, centrality))
        scores = sum_over_words(candidates, document, centrality)
        return rank(document, candidates, scores / candidates.length if self.mean else scores)

    def best(self, document: AnalysedDocument, allowed: Bools, centrality: Floats) -> Bools:
        """Return tokens whose word is in the best share, at least one word, (tokens,); ties go to the earlier."""
        stems, first = np.unique(document.stem[allowed], return_index=True)
        order = np.lexsort((first, -centrality[stems]))
        return np.isin(document.stem, stems[order[: max(1, int(self.share * len(stems)))]])


@dataclass(frozen=True)
class SingleRank:
    """PageRank of words by how often they co-occur; noun phrases by the sum of their words.

    Wan and Xiao, "Single Document Keyphrase Extraction Using Neighborhood Knowledge", AAAI 2008, without neighbour
    documents. As TextRank, but edges weigh as much as two words have meetings within ten tokens, no word is left out,
    and phrases are the runs of nouns and adjectives that end in a noun.

    Deviations: nodes are stems. Left open by the paper: a run is cut behind the last noun before each adjective, so
    that every phrase is adjectives and then nouns; ``all_runs`` takes runs as they stand, as pke does.
    """

    window: Annotated[int, "tokens within which two words co-occur, both included"] = 10
    damping: Annotated[float, "share of steps that follow an edge"] = 0.85
    longest: Annotated[int, "maximum words of a phrase; longer ones are split"] = 10
    all_runs: Annotated[bool, "whether phrases are all runs of nouns and adjectives, of any length"] = False

    name: ClassVar[str] = "singlerank"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases by the sum of their words' PageRank."""
        allowed = nouns_and_adjectives(document)
        graph = word_graph(document, allowed, self.window)
        centrality = pagerank(graph, self.damping, stems_among(document, allowed))
        whole = tag_phrases(document, "J*N+", self.longest, maximal=True)
        candidates = runs(document, allowed) if self.all_runs else whole
        return rank(document, candidates, sum_over_words(candidates, document, centrality))


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
