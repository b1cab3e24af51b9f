"""Graphs of n-grams of texts as one sorted table of edges, without an object for any edge, and their similarity."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Final, Literal, TypeAlias, cast

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.summaries.pairs import SummaryText

Level: TypeAlias = Literal["char", "word"]
Kind: TypeAlias = Literal["undirected", "directed", "symmetric"]


@dataclass(frozen=True, slots=True)
class GraphRules:
    """Rules by which a text becomes a graph.

    Each pair of n-grams g_i, g_j of a text with 1 <= j - i <= ``distance`` adds 1 to the weight of an edge; a pair of
    equal n-grams is a loop. Raises BadParameter: ``n`` or ``distance`` is below 1.
    """

    level: Level = "char"  # n-grams of characters, line breaks included, or of words
    n: int = 3  # number of characters or words of an n-gram
    distance: int = 3  # greatest distance of neighbours, in n-grams
    # ``undirected``, edges without direction; ``directed``, edges from the later to the earlier n-gram; ``symmetric``,
    # both directions, so that a loop gains 2
    kind: Kind = "undirected"

    def __post_init__(self) -> None:
        for name, value in (("n", self.n), ("distance", self.distance)):
            if value < 1:
                raise BadParameter(f"n-gram graphs with {name}={value}", f"{name} is a whole number from 1")


Units: TypeAlias = str | tuple[str, ...]
"""A text whose characters or blank-separated words are the units, or its words, already cut."""

KEY_BITS: Final = 63  # bits of a signed 64-bit integer that are free for codes


def find_units(text: SummaryText, level: Level) -> Units:
    """Return a text as it is, or its words if it came in tokens and n-grams are of words."""
    if level == "word" and text.tokens is not None:
        return tuple(token for sentence in text.tokens for token in sentence)
    return text.whole


def has_more_units(text: Units, number: int, level: Level) -> bool:
    """Return whether a text has more than a number of units."""
    # A split that stops early spares most of the text.
    return len(text.split(None, number) if level == "word" and isinstance(text, str) else text) > number


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """Codes of the n-grams of several texts, which lie one behind the other."""

    # Code of the n-gram that begins at each unit, (units - n + 1,). Equal codes mean equal n-grams; n-grams that begin
    # in one text and end in another have codes, but no meaning.
    codes: Ints
    bits: int  # width of the codes
    lengths: Ints  # units of each text, (texts,)


def number_ngrams(texts: Sequence[Units], level: Level, n: int, bits: int) -> Grams:
    """Return the n-grams of texts, in codes of at most ``bits`` bits unless there are more different n-grams."""
    cut = [text.split() if level == "word" and isinstance(text, str) else text for text in texts]
    symbols: Ints
    if level == "char":
        written = "".join(cast("Iterable[str]", cut)).encode("utf-32-le", "surrogatepass")
        symbols = np.frombuffer(written, np.uint32).astype(np.int64)
    else:  # a dictionary that numbers new words by itself needs no step of Python for a word
        numbers = defaultdict[str, int](count().__next__)
        symbols = np.fromiter(map(numbers.__getitem__, chain.from_iterable(cut)), np.int64)
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    if len(symbols) < n:
        return Grams(symbols[:0], 1, lengths)
    symbol_bits = count_bits(int(symbols.max()) + 1)
    if symbol_bits * n > bits:  # symbols become numbers from 0 without gaps, in the same order
        # A look-up table over symbols costs one pass; sorting them would cost as much as the whole graph.
        used = np.zeros(int(symbols.max()) + 1, np.bool_)
        used[symbols] = True
        closed = np.cumsum(used, dtype=np.int64) - 1
        symbols, symbol_bits = closed.take(symbols), count_bits(int(closed[-1]) + 1)
    codes, width = symbols, symbol_bits
    for place in range(1, n):
        # Packed symbols are exact and need no sorting; only codes that grow too wide are numbered anew.
        if width + symbol_bits > KEY_BITS:
            codes, width = _renumber(codes)
        codes = (codes[:-1] << symbol_bits) | symbols[place:]
        width += symbol_bits
    if width > bits:
        codes, width = _renumber(codes)
    return Grams(codes, width, lengths)


def count_bits(size: int) -> int:
    """Return the number of bits that hold the numbers below ``size``; at least 1."""
    return max(1, (size - 1).bit_length())


def _renumber(codes: Ints) -> tuple[Ints, int]:
    distinct, numbers = np.unique(codes, return_inverse=True)
    return numbers, count_bits(len(distinct))


_NO_EDGE: Final = np.iinfo(np.int64).max  # sorts behind all edges


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTable:
    """Graphs of texts, in groups that share no column: the edges that models have, and the number of all edges."""

    texts: Ints  # text of each entry, (entries,). An entry is an edge of one text
    columns: Ints  # column of each entry, ascending, (entries,)
    weights: Floats  # weight of each entry, (entries,)
    groups: Ints  # group of each column, (columns,)
    edges: Ints  # both n-grams of each column, as codes, (2, columns)
    column_sizes: Floats  # number of edges that each column counts for, (columns,): 2 for both directions, else 1
    sizes: Floats  # number of edges of each text, dropped ones included, (texts,)
    group_of_text: Ints  # group of each text, (texts,)
    grams: Grams  # n-grams of the texts


def make_edge_table(groups: Sequence[Sequence[Units]], compared: Sequence[int], rules: GraphRules) -> EdgeTable:
    """Return the graphs of groups of texts, ``compared`` first ones parts of models; other edges are counted."""
    texts = [text for group in groups for text in group]
    group_of_text = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    in_models = np.concatenate([np.arange(len(group)) < most for group, most in zip(groups, compared, strict=True)])
    text_bits, group_bits = count_bits(len(texts)), count_bits(len(groups))
    grams = number_ngrams(texts, rules.level, rules.n, (KEY_BITS - text_bits - group_bits) // 2)
    place = (group_of_text << (2 * grams.bits + text_bits)) | np.arange(len(texts))
    keys = _sort_keys(grams, rules, text_bits, np.repeat(place, grams.lengths)[: len(grams.codes)])
    starts = np.flatnonzero(_find_changes(keys))
    entries = keys.take(starts)
    numbers = entries & ((1 << text_bits) - 1)
    entries >>= text_bits
    heads = _find_changes(entries)
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


def _sort_keys(grams: Grams, rules: GraphRules, text_bits: int, place: Ints) -> Ints:
    """Return sorted keys of pairs of neighbours, group, n-grams and text: weights are lengths of runs."""
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
        # The last units of each text, where a pair would reach into the next text.
        tail = np.minimum(grams.lengths, rules.n + distance - 1)
        outside = np.arange(tail.sum()) + np.repeat(ends - np.cumsum(tail), tail)
        outside = outside[outside < len(part)]
        part[outside] = _NO_EDGE
        absent += len(outside)
    keys.sort()
    return keys[: len(keys) - absent]


def _find_changes(values: Ints) -> Bools:
    """Return True for each value that differs from the one before it, and for the first."""
    changes = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def list_edges(text: Units, rules: GraphRules) -> list[tuple[str, str, float]]:
    """Return the edges of a text's graph with their weights, in alphabetical order; words of an n-gram have blanks.

    >>> list_edges("abab", GraphRules(n=1, distance=2))
    [('a', 'a', 1.0), ('a', 'b', 3.0), ('b', 'b', 1.0)]
    """
    table = make_edge_table([[text]], [1], rules)
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
