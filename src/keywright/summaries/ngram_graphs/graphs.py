"""Graphs of n-grams as one sorted table of edges, without an object for any edge, and similarities with models."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, count, zip_longest
from typing import Final, Literal, NamedTuple, TypeAlias, cast

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.evaluation.measures.counts import quotient
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


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Similarities of graphs G with models H, 0 to 1 (Giannakopoulos et al. 2008); 0 where a graph has no edge."""

    cs: Floats  # containment, common edges / edges of the smaller graph
    vs: Floats  # value, sum over common edges of min(w, w') / max(w, w'), / edges of the larger graph
    ss: Floats  # size, edges of the smaller graph / edges of the larger
    nvs: Floats  # normalised value, VS / SS
    sizes: Floats  # edges of G
    model_sizes: Floats  # edges of H


def compute_similarities(table: EdgeTable, model: Floats) -> Similarities:
    """Return the similarity of each text, (texts,), with the model graph of its group, weights by column or 0."""
    count = len(table.sizes)
    opposite = model.take(table.columns)
    common = np.flatnonzero(opposite)
    texts, opposite, weights = table.texts.take(common), opposite.take(common), table.weights.take(common)
    edges = table.column_sizes.take(table.columns.take(common))
    values = np.minimum(weights, opposite) / np.maximum(weights, opposite) * edges
    groups = int(table.group_of_text.max(initial=-1)) + 1
    in_model = table.column_sizes * (model > 0)
    model_sizes: Floats = np.bincount(table.groups, in_model, groups).astype(np.float64)[table.group_of_text]
    smaller, larger = np.minimum(table.sizes, model_sizes), np.maximum(table.sizes, model_sizes)
    value = quotient(np.bincount(texts, values, count), larger)
    size = quotient(smaller, larger)
    containment = quotient(np.bincount(texts, edges, count), smaller)
    return Similarities(containment, value, size, quotient(value, size), table.sizes, model_sizes)


def merge_models(table: EdgeTable, models: Sequence[Sequence[int]], *, as_coded: bool = False) -> Floats:
    """Return the weights of one model graph in each group, (columns,); 0 where the model lacks the edge.

    Text i = 2, 3 .. updates the model with learning factor 1 / i: a weight w of both becomes w + (w' - w) / i, a new
    edge comes with its own weight (Giannakopoulos and Karkaletsis 2011: AutoSummENG and MeMoG in evaluating guided
    summaries). ``as_coded``: the factors of JInsect, where 1 - i / N is an integer division: 1 for all texts but the
    last, 0 for the last. ``models``: numbers of the texts of each group's model, (groups, texts of the model); none for
    no model.
    """
    most = max(map(len, models), default=0)
    model = np.zeros(len(table.groups))
    for place in range(most):
        chosen = np.zeros(len(table.group_of_text), np.bool_)
        chosen[[texts[place] for texts in models if place < len(texts)]] = True
        # A text has an edge once, so that its entries are spread over columns by plain assignment.
        entries = np.flatnonzero(chosen.take(table.texts))
        weights = np.zeros_like(model)
        weights[table.columns.take(entries)] = table.weights.take(entries)
        if place == 0:
            model = weights
            continue
        factors = np.full(len(models), 1 / (place + 1))
        if as_coded:
            factors = np.array([float(place < len(texts) - 1) for texts in models])
        both = (weights > 0) & (model > 0)
        model = np.where(both, model + (weights - model) * factors[table.groups], np.maximum(model, weights))
    return model


LevelWeights: TypeAlias = Literal["rank", "cumulative"]


class Comparison(NamedTuple):
    """A text and the models that it is compared with, each of them one text or several to be merged."""

    text: Units
    models: tuple[tuple[Units, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparing:
    """Rules of comparisons over lengths n up to ``max_n``, weighted by n or by the sum of all lengths to n."""

    rules: GraphRules
    max_n: int
    levels: LevelWeights = "rank"
    as_coded: bool = False


def average_similarities(topics: Sequence[Sequence[Comparison]], comparing: Comparing) -> Similarities:
    """Return the similarities of each comparison, in order: the mean over its models, then over lengths of n-grams."""
    plans = [_plan_topic(topic) for topic in topics]
    first = np.cumsum([0, *(len(plan.texts) for plan in plans)])
    counts = np.array([len(row) for plan in plans for row in plan.models_of], np.int64)
    texts = np.repeat([at + text for plan, at in zip(plans, first, strict=False) for text in plan.text_of], counts)
    rounds = np.array([model for plan in plans for row in plan.models_of for model in row], np.int64)
    total = np.zeros((len(fields(Similarities)), len(counts)))
    lengths = np.arange(comparing.rules.n, comparing.max_n + 1)
    weights = lengths if comparing.levels == "rank" else np.cumsum(lengths)
    for n, share in zip(lengths.tolist(), (weights / weights.sum()).tolist(), strict=True):
        rules = replace(comparing.rules, n=n)
        table = make_edge_table([plan.texts for plan in plans], [plan.in_models for plan in plans], rules)
        compared = []  # each text with each model of its topic, all topics at once: (models, measures, texts)
        for models in zip_longest(*(plan.models for plan in plans), fillvalue=()):
            numbers = [[int(at) + text for text in model] for model, at in zip(models, first, strict=False)]
            result = compute_similarities(table, merge_models(table, numbers, as_coded=comparing.as_coded))
            compared.append([getattr(result, field.name) for field in fields(result)])
        values = np.array(compared).swapaxes(0, 1)[:, rounds, texts]
        total += share * np.add.reduceat(values, np.cumsum(counts) - counts, axis=1) / counts
    return Similarities(*total)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The distinct texts of a topic, those of models first, its models, and each comparison's text and models."""

    texts: Sequence[Units]
    in_models: int
    models: Sequence[tuple[int, ...]]
    text_of: Sequence[int]
    models_of: Sequence[Sequence[int]]


def _plan_topic(topic: Sequence[Comparison]) -> _Plan:
    texts: dict[Units, int] = {}
    models: dict[tuple[int, ...], int] = {}
    models_of = []
    for _, compared in topic:
        numbers = [tuple([texts.setdefault(part, len(texts)) for part in model]) for model in compared]
        models_of.append([models.setdefault(model, len(models)) for model in numbers])
    compared_texts = len(texts)
    text_of = [texts.setdefault(text, len(texts)) for text, _ in topic]
    return _Plan(tuple(texts), compared_texts, tuple(models), text_of, models_of)
