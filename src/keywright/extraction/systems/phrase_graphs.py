"""PageRank of phrases, or of clusters of phrases, by their nearness in the text."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import TooLarge, needs_extra
from keywright.extraction.candidates.ngrams import content_words, ngrams, nouns_and_adjectives, runs
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background
from keywright.extraction.features.functions.centrality import nearness, pagerank
from keywright.extraction.features.functions.mentions import words_only_rarity
from keywright.extraction.features.functions.nestedness import sum_of_longer
from keywright.extraction.ranking.rank import order_of, rank
from keywright.text.tag_lexicon import tag_classes

MOST: Final = 10_000  # maximum candidates; comparing each two of them takes about 1 GB
Linkage: TypeAlias = Literal["average", "single", "complete"]
"""Distance of two clusters: the mean, the smallest or the largest distance of their members."""


def word_clusters(
    document: AnalysedDocument, candidates: Candidates, farthest: float, linkage: Linkage = "average"
) -> Ints:
    """Return the cluster of each candidate, numbered from 0 in reading order, (candidates,).

    Hierarchical agglomerative clustering by common stems, up to the distance ``farthest`` (1 minus Jaccard). Equally
    distant pairs are merged in the alphabetical order of stems. Raises TooLarge: there are more than ``MOST``
    candidates.
    """
    if len(candidates) > MOST:
        message = f"{document.source.id} has {len(candidates):,} phrases; at most {MOST:,} can be clustered"
        raise TooLarge(message, "split the document, or take a system without clusters, such as positionrank")
    if len(candidates) < 2:  # noqa: PLR2004 - one is no pair
        return np.zeros(len(candidates), int)
    with needs_extra("graphs", "clusters of candidates need scipy"):
        from scipy.cluster import hierarchy  # noqa: PLC0415 - heavy, only topics need it

    stem, places = document.stem.tolist(), zip(candidates.first.tolist(), candidates.length.tolist(), strict=True)
    stems = [stem[first : first + length] for first, length in places]
    order = sorted(range(len(stems)), key=lambda index: [document.stems[stem] for stem in stems[index]])
    tree = hierarchy.linkage(_distances([stems[index] for index in order]), method=linkage)
    cluster = np.empty(len(order), int)
    cluster[order] = hierarchy.fcluster(tree, farthest, criterion="distance")
    # Renumber clusters by their first candidate in reading order.
    _, first, which = np.unique(cluster, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), int)
    in_order[np.argsort(first)] = np.arange(len(first))
    return np.asarray(in_order[which])


def _distances(stems: list[list[int]]) -> Floats:
    """Return the Jaccard distance of each two lists, (lists · (lists - 1) / 2,), row by row."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - heavy, only topics need it

    # Sparse product: counts common stems of the few pairs that have any; all others keep the distance 1.
    pairs = np.array([(row, stem) for row, row_stems in enumerate(stems) for stem in set(row_stems)])
    holds = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])))
    common = (holds @ holds.T).tocoo()
    above = common.col > common.row
    row, column, shared = common.row[above].astype(np.int64), common.col[above], common.data[above]
    size, words = len(stems), np.array([len(set(row_stems)) for row_stems in stems])
    distances = np.ones(size * (size - 1) // 2)  # scipy's condensed form: the upper triangle, row by row
    distances[row * (2 * size - row - 3) // 2 + column - 1] = 1 - shared / (words[row] + words[column] - shared)
    return distances


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
