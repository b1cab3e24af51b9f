"""N-gram graphs: values computed by hand, and by plain dictionaries."""

from typing import Any

import pytest
from benchmarks.speed import plain_ngram_graphs as plain
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.errors import BadParameter
from keywright.summaries.ngram_graphs.graphs import Comparing, Comparison, GraphRules, average_similarities, list_edges

KINDS = ("undirected", "directed", "symmetric")
SMALL = GraphRules(n=1, distance=2)


def values(peer, models, rules, *, max_n=None, **options: Any):
    comparing = Comparing(rules, max_n or rules.n, **options)
    result = average_similarities([[Comparison(peer, tuple(map(tuple, models)))]], comparing)
    return [getattr(result, name)[0] for name in ("cs", "vs", "ss", "nvs")]


def test_edges_of_the_specification_by_hand():
    assert list_edges("abab", SMALL) == [("a", "a", 1), ("a", "b", 3), ("b", "b", 1)]
    assert list_edges("abcab", SMALL) == [("a", "b", 3), ("a", "c", 2), ("b", "c", 2)]
    assert list_edges("aab", GraphRules(n=1, distance=1, kind="symmetric")) == [
        ("a", "a", 2),
        ("a", "b", 1),
        ("b", "a", 1),
    ]
    assert list_edges("abc", GraphRules(n=1, distance=5, kind="directed")) == [
        ("b", "a", 1),
        ("c", "a", 1),
        ("c", "b", 1),
    ]


def test_words_are_split_at_blanks_and_tokens_are_used_as_they_are():
    rules = GraphRules("word", 2, 1)
    assert list_edges("to be  or\nnot", rules) == [("be or", "or not", 1), ("be or", "to be", 1)]
    assert list_edges(("New York", "is", "big"), rules) == [("New York is", "is big", 1)]


def test_similarities_of_the_specification_by_hand():
    assert values("abab", [["abcab"]], SMALL) == pytest.approx([1 / 3, 1 / 3, 1, 1 / 3])


def test_merging_of_the_specification_by_hand():
    cs, vs, ss, nvs = values("abc", [["abab", "abcab", "bca"]], SMALL)
    assert (cs, vs, ss, nvs) == pytest.approx((1, (1 / (7 / 3) + 2 / (5 / 3)) / 5, 3 / 5, 0.542857), abs=1e-6)
    assert vs == pytest.approx(0.325714, abs=1e-6)


def test_merging_as_coded_keeps_the_weights_of_the_last_but_one():
    # ab is 3, then 3 by factor 1, then 3 by factor 0; ac and bc are 2, then 2: the third text changes nothing.
    _, vs, _, _ = values("abc", [["abab", "abcab", "bca"]], SMALL, as_coded=True)
    assert vs == pytest.approx((1 / 3 + 1 / 2 + 1 / 2) / 5)
    # With two texts the factor is 0 at once: ab stays 3, where the mean would be 2.
    _, vs, _, _ = values("ab", [["abab", "ab"]], SMALL, as_coded=True)
    assert vs == pytest.approx(1 / 3 / 3)


def test_order_of_references_matters():
    first = values("abc", [["abab", "abcab", "bca"]], SMALL)
    assert values("abc", [["bca", "abcab", "abab"]], SMALL) != pytest.approx(first)


@pytest.mark.parametrize(("levels", "weights"), [("rank", (1, 2, 3)), ("cumulative", (1, 3, 6))])
def test_lengths_are_averaged_with_their_weights(levels, weights):
    texts = ("abcabd", "abcd")
    each = [values(texts[0], [[texts[1]]], GraphRules(n=n, distance=2)) for n in (1, 2, 3)]
    mean = [
        sum(w * v for w, v in zip(weights, column, strict=True)) / sum(weights) for column in zip(*each, strict=True)
    ]
    assert values(texts[0], [[texts[1]]], SMALL, max_n=3, levels=levels) == pytest.approx(mean)


@pytest.mark.parametrize("pair", [("", ""), ("abc", ""), ("", "abc"), ("a", "abc"), ("ab", "ab")])
def test_texts_without_edges_have_nothing_in_common(pair):
    assert values(pair[0], [[pair[1]]], GraphRules(n=2, distance=3)) == [0, 0, 0, 0]


@pytest.mark.parametrize("options", [{"n": 0}, {"distance": 0}])
def test_numbers_from_1_are_expected(options):
    with pytest.raises(BadParameter, match="=0"):
        GraphRules(**options)


texts = st.one_of(st.text("abc \n", max_size=30), st.text(max_size=12))


@given(
    groups=st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4),
    n=st.integers(1, 6),
    distance=st.integers(1, 4),
    kind=st.sampled_from(KINDS),
    words=st.booleans(),
    as_coded=st.booleans(),
)
def test_values_are_those_of_plain_dictionaries(groups, n, distance, kind, words, as_coded):
    """Long n-grams of rare characters need more bits than a number has, which renumbers them."""
    rules = GraphRules("word" if words else "char", n, distance, kind)
    topics = [
        [Comparison(peer, tuple((text,) for text in models)), Comparison(peer, (tuple(models),))]
        for peer, models in groups
    ]
    result = average_similarities(topics, Comparing(rules, n, as_coded=as_coded))

    def graph(text):
        return plain.graph(text.split() if words else text, n, distance, kind)

    expected = []
    for peer, models in groups:
        graphs = [graph(text) for text in models]
        rows = [plain.similarities(graph(peer), each) for each in graphs]
        expected.append([sum(column) / len(rows) for column in zip(*rows, strict=True)])
        expected.append(plain.similarities(graph(peer), plain.merged(graphs, as_coded=as_coded)))
    for at, name in enumerate(("cs", "vs", "ss", "nvs")):
        assert getattr(result, name) == pytest.approx([row[at] for row in expected], abs=1e-12)


@given(text=texts, n=st.integers(1, 4), distance=st.integers(1, 4), kind=st.sampled_from(KINDS))
def test_edges_are_those_of_plain_dictionaries(text, n, distance, kind):
    expected = sorted((*edge, weight) for edge, weight in plain.graph(text, n, distance, kind).items())
    assert list_edges(text, GraphRules("char", n, distance, kind)) == expected


@given(first=texts, second=texts, kind=st.sampled_from(KINDS))
def test_similarity_is_symmetric_and_1_for_equal_texts(first, second, kind):
    rules = GraphRules(n=2, kind=kind)
    assert values(first, [[second]], rules) == pytest.approx(values(second, [[first]], rules))
    if len(first) > 2:
        assert values(first, [[first]], rules) == pytest.approx([1, 1, 1, 1])
