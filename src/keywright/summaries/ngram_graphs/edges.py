"""Graphs of several texts as one table of edges, sorted, without an object for any edge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.summaries.ngram_graphs.rules import GraphRules
from keywright.summaries.ngram_graphs.units import KEY_BITS, Grams, Units, ngrams, width_of

_NO_EDGE: Final = np.iinfo(np.int64).max
"""Sorts behind all edges."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTable:
    """Graphs of texts, in groups: the edges that models have, and the number of all edges.

    An edge that several texts of a group have is one column; groups share no column. A loop of a symmetric graph has
    half of its weight here, which changes no similarity.

    Attributes:
        texts: text of each entry, (entries,). An entry is an edge of one text.
        columns: column of each entry, ascending, (entries,).
        weights: weight of each entry, (entries,).
        groups: group of each column, (columns,).
        edges: both n-grams of each column, as codes, (2, columns).
        column_sizes: number of edges that each column counts for, (columns,): 2 for both directions, else 1.
        sizes: number of edges of each text, dropped ones included, (texts,).
        group_of_text: group of each text, (texts,).
        grams: n-grams of the texts.
    """

    texts: Ints
    columns: Ints
    weights: Floats
    groups: Ints
    edges: Ints
    column_sizes: Floats
    sizes: Floats
    group_of_text: Ints
    grams: Grams


def edge_table(groups: Sequence[Sequence[Units]], compared: Sequence[int], rules: GraphRules) -> EdgeTable:
    """Return the graphs of groups of texts; texts are numbered through all groups.

    Args:
        groups: texts of each group.
        compared: how many texts of each group, the first ones, are parts of models. Edges of other texts only are
            counted and dropped, which are most.
        rules: of the graphs.
    """
    texts = [text for group in groups for text in group]
    group_of_text = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    in_models = np.concatenate([np.arange(len(group)) < most for group, most in zip(groups, compared, strict=True)])
    text_bits, group_bits = width_of(len(texts)), width_of(len(groups))
    grams = ngrams(texts, rules.level, rules.n, (KEY_BITS - text_bits - group_bits) // 2)
    place = (group_of_text << (2 * grams.bits + text_bits)) | np.arange(len(texts))
    keys = _sorted_keys(grams, rules, text_bits, np.repeat(place, grams.lengths)[: len(grams.codes)])
    starts = np.flatnonzero(_changes(keys))
    entries = keys.take(starts)
    numbers = entries & ((1 << text_bits) - 1)
    entries >>= text_bits
    heads = _changes(entries)
    columns = np.cumsum(heads, dtype=np.int64) - 1
    firsts = np.flatnonzero(heads)
    # Texts of models have the lowest numbers of their group, so that the first entry of a column tells for all.
    needed = in_models.take(numbers.take(firsts))
    edges = entries.take(firsts)
    loops = (edges >> grams.bits) & (mask := (1 << grams.bits) - 1) == edges & mask
    sizes = np.bincount(numbers, minlength=len(texts)).astype(np.float64)
    if rules.kind == "symmetric":
        sizes = 2 * sizes - np.bincount(numbers, loops.take(columns), len(texts))
    places = np.flatnonzero(needed.take(columns))
    weights = np.append(starts, len(keys)).take(places + 1) - starts.take(places)
    edges = edges.take(np.flatnonzero(needed))
    return EdgeTable(
        texts=numbers.take(places),
        columns=(np.cumsum(needed, dtype=np.int64) - 1).take(columns.take(places)),
        weights=weights.astype(np.float64),
        groups=edges >> (2 * grams.bits),
        edges=np.stack([(edges >> grams.bits) & mask, edges & mask]),
        column_sizes=np.where(loops[needed] | (rules.kind != "symmetric"), 1.0, 2.0),
        sizes=sizes,
        group_of_text=group_of_text,
        grams=grams,
    )


def _sorted_keys(grams: Grams, rules: GraphRules, text_bits: int, place: Ints) -> Ints:
    """Return a key for each pair of neighbours, sorted: group, both n-grams and text, packed in this order.

    Sorted keys bring equal edges of a text together, and next to those of the other texts of its group, so that
    weights are lengths of runs.

    Args:
        grams: n-grams.
        rules: of the graphs.
        text_bits: width of the number of a text.
        place: group and text of each n-gram, where a key has them.
    """
    reach = [distance for distance in range(1, rules.distance + 1) if distance < len(grams.codes)]
    keys = np.empty(sum(len(grams.codes) - distance for distance in reach), np.int64)
    ends = np.cumsum(grams.lengths)
    high, low = (grams.codes << (grams.bits + text_bits)) | place, grams.codes << text_bits
    begin = absent = 0
    for distance in reach:
        part = keys[begin : begin + len(high) - distance]
        begin += len(part)
        np.bitwise_or(high[distance:], low[:-distance], out=part)
        if rules.kind != "directed":
            # The larger of both keys has the larger n-gram first, which makes the two directions one edge.
            np.maximum(part, high[:-distance] | low[distance:], out=part)
        outside = _last_units(grams.lengths, ends, rules.n + distance - 1)
        outside = outside[outside < len(part)]
        part[outside] = _NO_EDGE
        absent += len(outside)
    keys.sort()
    return keys[: len(keys) - absent]


def _last_units(lengths: Ints, ends: Ints, most: int) -> Ints:
    """Return the positions of the last units of each text, where a pair would reach into the next text."""
    tail = np.minimum(lengths, most)
    positions: Ints = np.arange(tail.sum()) + np.repeat(ends - np.cumsum(tail), tail)
    return positions


def _changes(values: Ints) -> Bools:
    """Return True for each value that differs from the one before it, and for the first."""
    changes = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def listed_edges(text: Units, rules: GraphRules) -> list[tuple[str, str, float]]:
    """Return the edges of a text's graph with their weights, in alphabetical order; words of an n-gram have blanks.

    >>> listed_edges("abab", GraphRules(n=1, distance=2))
    [('a', 'a', 1.0), ('a', 'b', 3.0), ('b', 'b', 1.0)]
    """
    table = edge_table([[text]], [1], rules)
    codes, starts = np.unique(table.grams.codes, return_index=True)
    blank = "" if rules.level == "char" else " "
    units = text.split() if rules.level == "word" and isinstance(text, str) else text
    grams = [blank.join(units[start : start + rules.n]) for start in starts.tolist()]
    firsts, seconds = ([grams[at] for at in np.searchsorted(codes, side).tolist()] for side in table.edges)
    edges = []
    for first, second, weight in zip(firsts, seconds, table.weights.tolist(), strict=True):
        if rules.kind == "directed":
            edges.append((first, second, weight))
        elif rules.kind == "undirected":
            edges.append((*sorted((first, second)), weight))
        elif first == second:
            edges.append((first, second, 2 * weight))
        else:
            edges += [(first, second, weight), (second, first, weight)]
    return sorted(edges)
