"""Word graphs by hand; PageRank against sums done by hand and values of networkx 3.6.1."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from tests.builders import analysed

from keywright.core.arrays import Floats
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import content_words, runs
from keywright.extraction.features.functions import centrality
from keywright.extraction.features.functions.centrality import (
    nearness,
    pagerank,
    stems_among,
    sum_over_words,
    word_graph,
)


def edges(document: AnalysedDocument, adjacency: csr_array) -> dict[str, float]:
    """Weights by the names of both ends, each edge once; the other direction must agree."""
    dense = adjacency.toarray()
    assert dense.shape == (len(document.stems),) * 2
    assert (dense == dense.T).all()
    ends = np.argwhere(np.triu(dense))
    return {"-".join(sorted(document.stems[end] for end in pair)): dense[tuple(pair)] for pair in ends}


DOCUMENT = analysed("Cats chase the mice, cats. Mice see dogs.")


def graph(window: int, document: AnalysedDocument = DOCUMENT, **options: bool) -> dict[str, float]:
    return edges(document, word_graph(document, content_words(document), window, **options))


def test_neighbours_are_those_in_the_window():
    """Tokens: cats chase the mice , cats . mice see dogs . (*see* and *the* are stop words or not as the list says)."""
    kept = content_words(DOCUMENT)
    tokens = [
        word if keep else "-"
        for word, keep in zip("cats chase the mice , cats . mice see dogs .".split(), kept, strict=True)
    ]
    assert tokens[:8] == ["cats", "chase", "-", "mice", "-", "cats", "-", "mice"]
    assert "chase-mice" not in graph(2)
    assert graph(2)["cat-chase"] == 1
    assert graph(3)["chase-mice"] == 1
    assert graph(3)["cat-mice"] == 2  # mice , cats and cats . mice
    assert graph(4)["cat-mice"] == 3
    assert graph(1) == {}


def test_a_word_is_no_neighbour_of_itself():
    assert graph(3, analysed("cats cats cats")) == {}


def test_windows_may_stop_at_sentences():
    assert graph(3, inside_sentences=True)["cat-mice"] == 1


def test_weights_may_be_left_out():
    assert set(graph(4, weighted=False).values()) == {1.0}
    assert set(graph(4, weighted=False)) == set(graph(4))


@pytest.mark.parametrize("text", ["", "cats", "the of and"])
def test_graphs_without_edges(text: str):
    document = analysed(text)
    adjacency = word_graph(document, content_words(document), 5)
    assert adjacency.shape == (len(document.stems),) * 2
    assert adjacency.nnz == 0


STAR = np.array([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], float)
DIRECTED = np.array([[0, 1, 3, 0], [0, 0, 1, 0], [2, 0, 0, 1], [0, 0, 0, 0]], float)  # Node 3 leads nowhere


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_pagerank_of_a_star(form: type):
    """Centre c = .15 / 4 + .85 · 3 l, leaf l = .15 / 4 + .85 · c / 3: c (1 - .85²) = .0375 (1 + 2.55)."""
    centre = 0.0375 * 3.55 / (1 - 0.85**2)
    leaf = 0.0375 + 0.85 * centre / 3
    assert pagerank(form(STAR)) == pytest.approx([centre, leaf, leaf, leaf], abs=1e-9)


@pytest.mark.parametrize(
    ("damping", "bias", "expected"),
    [
        (0.85, None, (0.2934369156891128, 0.13919749540012316, 0.3822260556581134, 0.18513953325265042)),
        (0.85, (1, 2, 3, 4), (0.24850039817440459, 0.1255786247826282, 0.3743192701572704, 0.2516017068856968)),
        (0.5, None, (0.2651933701657458, 0.18416206261510076, 0.34254143646408897, 0.20810313075506437)),
    ],
)
def test_pagerank_with_weights_directions_and_an_end_as_networkx_computes_it(
    damping: float, bias: tuple[int, ...] | None, expected: tuple[float, ...]
):
    start = None if bias is None else np.array(bias, float)
    assert pagerank(csr_array(DIRECTED), damping, start) == pytest.approx(expected, abs=1e-9)


def test_without_damping_only_the_bias_counts():
    assert pagerank(DIRECTED, 0.0, np.array([1.0, 1, 2, 0])).tolist() == [0.25, 0.25, 0.5, 0]


def test_nodes_outside_of_the_bias_and_without_edges_change_nothing():
    """That is how the words that stand in no graph stay out of the reckoning."""
    larger = np.zeros((6, 6))
    larger[:4, :4] = DIRECTED
    found = pagerank(larger, 0.85, np.array([1.0, 1, 1, 1, 0, 0]))
    assert found == pytest.approx([*pagerank(DIRECTED), 0, 0], abs=1e-9)


def test_a_graph_without_edges_keeps_its_bias():
    assert pagerank(csr_array((3, 3))) == pytest.approx([1 / 3] * 3)
    assert pagerank(csr_array((2, 2)), bias=np.array([3.0, 1.0])) == pytest.approx([0.75, 0.25])


def test_no_node_or_no_bias():
    assert pagerank(csr_array((0, 0))).shape == (0,)
    assert pagerank(STAR, bias=np.zeros(4)).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("damping", [-0.1, 1.0, 1.5, float("nan")])
def test_damping_is_a_share_below_one(damping: float):
    with pytest.raises(BadParameter, match="damping"):
        pagerank(STAR, damping)


@pytest.mark.parametrize("bias", [np.array([1.0, -1, 1, 1]), np.ones(3)])
def test_a_bias_is_one_weight_for_each_node(bias: Floats):
    with pytest.raises(BadParameter, match="bias"):
        pagerank(STAR, bias=bias)


def test_stems_among_tokens_and_their_sums_over_phrases():
    document = analysed("neural nets, neural; deep nets of nets nets")
    allowed = content_words(document)
    found = runs(document, allowed)
    names = [document.stems[stem] for stem in np.flatnonzero(stems_among(document, allowed))]
    assert sorted(names) == ["deep", "net", "neural"]
    value = {"neural": 1.0, "net": 10.0, "deep": 100.0}
    of_stem = np.array([value.get(stem, 7.0) for stem in document.stems])
    assert sum_over_words(found, document, of_stem).tolist() == [11, 1, 110, 20]


def test_sums_over_no_phrases():
    document = analysed("")
    nothing = runs(document, content_words(document))
    assert sum_over_words(nothing, document, np.zeros(0)).shape == (0,)
    assert nearness(nothing, np.zeros(0, int)).shape == (0, 0)


NEAR = analysed("neural nets, grids of neural nets")  # runs: neural nets at 0 and 5, grids at 3


@pytest.mark.parametrize(("from_ends", "expected"), [(False, 1 / 3 + 1 / 2), (True, 1 / 2 + 1 / 2)])
def test_nearness_adds_up_one_over_the_distance_of_mentions(from_ends, expected):
    found = runs(NEAR, content_words(NEAR))
    assert nearness(found, np.arange(2), from_ends=from_ends).tolist() == [[0, expected], [expected, 0]]
    assert nearness(found, np.array([0, 0])).tolist() == [[0]]


def test_nearness_of_groups_is_that_of_their_members_added_up():
    document = analysed("cats, dogs, mice, cats, dogs of mice, foxes")
    found = runs(document, content_words(document))
    alone = nearness(found, np.arange(4))
    group = np.array([0, 1, 0, 2])
    together = [[alone[np.ix_(group == a, group == b)].sum() * (a != b) for b in range(3)] for a in range(3)]
    assert nearness(found, group) == pytest.approx(np.array(together))


def test_nearness_does_not_depend_on_how_much_is_held_in_memory(monkeypatch):
    document = analysed("cats, dogs, mice, cats, dogs of mice, foxes")
    found = runs(document, content_words(document))
    whole = nearness(found, np.arange(4))
    monkeypatch.setattr(centrality, "_BLOCK", 9)
    assert (nearness(found, np.arange(4)) == whole).all()


def test_nodes_that_stand_alike_are_equal():
    """Twenty pairs of words, each joined to the other alone."""
    document = analysed(" of ".join(f"word{chr(97 + n)} other{chr(97 + n)}" for n in range(20)))
    ranks = pagerank(
        word_graph(document, content_words(document), 2), 0.85, stems_among(document, content_words(document))
    )
    assert len(set(ranks[ranks > 0].tolist())) == 1
