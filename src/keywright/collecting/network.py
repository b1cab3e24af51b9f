"""Structure of a collection: which phrases occur together, their clusters, and documents with the same phrases."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, islice
from operator import itemgetter
from typing import Any, Final

from keywright.collecting.store import Store
from keywright.core.errors import needs_extra

_LEAST_TOGETHER: Final = 2  # least documents of a link; one document makes links of all its phrases
_MOST_LINKS: Final = 5_000  # links that are kept, those of most documents; arbitrary
_SEED: Final = 20  # seed of clusters and places, so that they are the same again; arbitrary
_NAMES: Final = 3  # phrases that name a cluster; arbitrary
_FREQUENT: Final = 200  # documents of a phrase from which it does not make documents alike; arbitrary


@dataclass(frozen=True, slots=True)
class Link:
    """Two phrases by index, the documents with both, and how much more often than by chance they are together.

    ``strength`` is the association strength of van Eck and Waltman 2009: documents with both, divided by the number
    expected if the phrases were independent.
    """

    source: int
    target: int
    documents: int
    strength: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """Phrases that occur together, by index, most central first.

    ``centrality``, ``density``: of Callon, Courtial and Laville 1991: ten times the sum of the equivalence indices of
    links to other clusters, and a hundred times that of the links inside by phrase.
    """

    name: str
    phrases: tuple[int, ...]
    centrality: float
    density: float


def count_links(documents: Iterable[Sequence[int]], counts: Sequence[int], size: int) -> list[Link]:
    """Return the links between phrases that are in two documents or more together, more often than by chance.

    ``documents``: the phrases of each document by index; ``counts``: documents of each phrase; ``size``: of all.
    """
    together = Counter(pair for phrases in documents for pair in combinations(sorted(set(phrases)), 2))
    links = (
        Link(first, second, number, number * size / (counts[first] * counts[second]))
        for (first, second), number in together.items()
        if number >= _LEAST_TOGETHER
    )
    strong = [link for link in links if link.strength > 1]
    return sorted(strong, key=lambda link: (-link.documents, -link.strength, link.source, link.target))[:_MOST_LINKS]


def make_graph(
    texts: Sequence[str], counts: Sequence[int], links: Iterable[Link], clusters: Sequence[Cluster] = ()
) -> Any:
    """Return the linked phrases as a graph of networkx (``MissingExtra``), with their documents and clusters."""
    with needs_extra("collection", "the network of phrases needs networkx"):
        import networkx as nx  # noqa: PLC0415 - optional
    graph = nx.Graph()
    cluster_of = {index: number for number, cluster in enumerate(clusters) for index in cluster.phrases}
    for link in links:
        for index in (link.source, link.target):
            if index not in graph:
                graph.add_node(index, label=texts[index], documents=counts[index], cluster=cluster_of.get(index, -1))
        graph.add_edge(link.source, link.target, documents=link.documents, strength=round(link.strength, 4))
    return graph


def find_clusters(texts: Sequence[str], counts: Sequence[int], links: Sequence[Link]) -> list[Cluster]:
    """Return clusters by modularity (Louvain), largest first; phrases without links are in none."""
    graph = make_graph(texts, counts, links)
    import networkx as nx  # noqa: PLC0415 - there, as the graph is

    if not graph.number_of_edges():
        return []
    communities = nx.community.louvain_communities(graph, weight="documents", seed=_SEED)
    equivalence = {
        (link.source, link.target): link.documents**2 / (counts[link.source] * counts[link.target]) for link in links
    }
    clusters = []
    for members in communities:
        inside: dict[int, float] = defaultdict(float)
        within = outside = 0.0
        for (first, second), index in equivalence.items():
            ends = (first in members) + (second in members)
            if ends == len((first, second)):
                within += index
                inside[first] += index * counts[second]
                inside[second] += index * counts[first]
            elif ends:
                outside += index
        ordered = sorted(members, key=lambda index: (-counts[index], -inside[index], index))
        name = ", ".join(texts[index] for index in ordered[:_NAMES])
        clusters.append(Cluster(name, tuple(ordered), 10 * outside, 100 * within / len(members)))
    return sorted(clusters, key=lambda cluster: (-sum(counts[index] for index in cluster.phrases), cluster.phrases))


def place_phrases(graph: Any) -> Any:
    """Return a graph whose nodes have places *x* and *y* from -1 to 1, linked ones near each other."""
    import networkx as nx  # noqa: PLC0415 - there, as the graph is

    # Parts without links between them drift apart; a weak pull to the most frequent phrase holds them.
    held, centre = graph.copy(), min(graph, default=None)
    held.add_edges_from(
        (index, centre, {"documents": 0.02}) for index in graph if index != centre and not held.has_edge(index, centre)
    )
    spread = 2.5 / math.sqrt(max(1, len(held)))
    places = nx.spring_layout(held, k=spread, weight="documents", iterations=120, seed=_SEED, method="force")
    for index, (x, y) in places.items():
        graph.nodes[index].update(x=round(float(x), 4), y=round(float(y), 4))
    return graph


def find_similar(store: Store) -> Iterator[tuple[str, str, float]]:
    """Yield the three most similar documents of each, with the cosine of their phrases, rare ones more."""
    total = len(store)
    frequencies = dict(store.rows.execute("SELECT entry, COUNT(DISTINCT document) FROM temp.entries GROUP BY entry"))
    weights = {entry: math.log((total + 1) / frequency) ** 2 for entry, frequency in frequencies.items()}
    store.rows.create_function("weight", 1, weights.get, deterministic=True)
    store.rows.executescript(
        "DROP TABLE IF EXISTS temp.weights; CREATE TEMP TABLE weights AS"
        " SELECT DISTINCT entry, document, weight(entry) AS weight FROM temp.entries;"
        "CREATE INDEX temp.weights_by_entry ON weights(entry);"
        "DROP TABLE IF EXISTS temp.norms; CREATE TEMP TABLE norms(document INTEGER PRIMARY KEY, norm REAL);"
        "INSERT INTO norms SELECT document, SUM(weight) FROM weights GROUP BY document;"
    )
    store.rows.create_function("is_rare", 1, lambda entry: frequencies[entry] <= _FREQUENT, deterministic=True)
    rows = store.rows.execute(
        "SELECT x.id, y.id, SUM(a.weight) / SQRT(m.norm * n.norm) AS similarity FROM weights a"
        " JOIN weights b ON b.entry = a.entry AND b.document != a.document JOIN documents x ON x.number = a.document"
        " JOIN documents y ON y.number = b.document JOIN norms m ON m.document = a.document"
        " JOIN norms n ON n.document = b.document WHERE is_rare(a.entry)"
        " GROUP BY a.document, b.document ORDER BY x.id, similarity DESC, y.id"
    )
    for _, others in groupby(rows, key=itemgetter(0)):
        for first, second, similarity in islice(others, 3):
            yield first, second, round(similarity, 4)
