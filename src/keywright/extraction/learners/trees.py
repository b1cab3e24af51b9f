"""Trained decision trees: scores, 64 rows at a time as the bits of a word, and exact Shapley values of features.

Both need only numpy, and training (``growing``) LightGBM. Trees repeat the same tests ("is feature 7 above 0.25?").
Each distinct test is evaluated once for all rows and its results are packed, 64 rows to a word. The rows that reach a
node are then one bitwise ``and`` of two words: the rows at its parent, and the rows whose result leads to the node. The
leaf number of each row is read from the words, one bit per step (docs/decisions/0014-trees-walk-on-words.md). Bits
instead of branches are the idea of QuickScorer (Lucchese and others, SIGIR 2015), whose bits are leaves, not rows.
Decisions and sums equal LightGBM's to the last bit: missing values and values within 1e-35 of 0 count as 0; values up
to the threshold go left; leaf values are added in the order of the trees.

Shapley values are those of "path-dependent TreeSHAP" (Lundberg and others 2018, arXiv:1802.03888): a row follows the
splits on known features and divides at all others in the proportions of the training rows. The path to a leaf of value
``v`` has ``m`` distinct features; the row passes all splits on feature ``f`` (``o = 1``) or not (``o = 0``), and the
share of training rows that pass them is ``z``. The leaf contributes to ``f``, by the integral form of the weights,

    v (o_f - z_f) times the integral over t from 0 to 1 of the product over the other features g of  o_g t + z_g (1 - t)

a polynomial of degree ``m - 1``, which Gauss-Legendre quadrature with ``m / 2`` points, rounded up, integrates exactly.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.extraction.learners.tree_text import Tree, TreeModel, parse_trees, reaching, slim

_ZERO: Final = float(np.float32(1e-35))  # LightGBM's ``kZeroThreshold``: smaller values count as 0
_WORD: Final = 64  # bits of a word, one for each row
_BLOCK: Final = 12
"""Words of a block that walks together, as fit into the nearest cache; measured, 8 and 16 are slower by a tenth."""
_AT_ONCE: Final = 1_000  # rows from which on tests of one feature after the other are faster than all at once; measured
_TESTED: Final = 16_384  # rows that are tested together, some two megabytes of bits; bounds the memory


@dataclass(frozen=True, slots=True, eq=False)
class SplitTests:
    """Distinct tests of nodes: a feature above a threshold, of 64 bits or the largest of 32 below it, (tests, 1)."""

    feature: Ints
    threshold: Floats
    short: Floats

    def find_passes(self, rows: Floats) -> Bools:
        """Return whether each row passes each test and goes right, (tests, rows); missing values count as 0."""
        columns, thresholds = self._make_comparable(rows)
        return np.asarray(np.take(columns, self.feature, axis=0) > thresholds)

    def pack_passes(self, rows: Floats) -> Any:
        """Return the rows that pass each test as bits of words, (tests, words)."""
        columns, thresholds = self._make_comparable(rows)
        packed = np.zeros((len(self.feature), -(-len(rows) // _WORD) * _WORD // 8), np.uint8)
        features, bounds = self.feature[None], [0, len(self.feature)]
        if len(rows) >= _AT_ONCE:  # column by column where it is, without copies, so that answers stay in the cache
            bounds = np.flatnonzero(np.diff(self.feature, prepend=-1, append=-1)).tolist()
            features = self.feature[bounds[:-1]]
        # Bit packing: 64 Booleans become one word, so that one machine instruction decides 64 rows at a node.
        for feature, (begin, end) in zip(features, pairwise(bounds), strict=True):
            passed = columns[feature] > thresholds[begin:end]
            packed[begin:end, : -(-len(rows) // 8)] = np.packbits(passed, axis=1, bitorder="little")
        return packed.view(np.uint64)

    def _make_comparable(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return columns, (features, rows), 0 where values are missing, and thresholds of the same precision."""
        columns = np.ascontiguousarray(rows.T)
        missing = np.isnan(columns)
        if missing.any():
            columns = np.where(missing, np.zeros((), columns.dtype), columns)
        return columns, self.short if rows.dtype == np.float32 else self.threshold


@dataclass(frozen=True, slots=True, eq=False)
class TreeWalker:
    """A model in breadth-first order over all trees: a place is the number of a node or leaf, depth by depth."""

    tests: SplitTests
    # For each depth below the roots, place and test of each parent; all left children come before the right ones.
    levels: tuple[tuple[Ints, Ints], ...]
    leaves: Ints  # place of each leaf, the one after the last for none, (slots, trees)
    values: Floats  # values of the leaves, (trees, slots)
    features: int
    averaged: bool

    def scores(self, rows: Floats) -> Floats:
        """Return the sum of the trees' values, or their mean, (rows,)."""
        sums: list[Floats] = [np.zeros(0)]
        for first in range(0, len(rows), _TESTED):
            packed = self.tests.pack_passes(rows[first : first + _TESTED])
            sums += [self._scores(packed[:, at : at + _BLOCK]) for at in range(0, packed.shape[1], _BLOCK)]
        return np.concatenate(sums)[: len(rows)]

    def _scores(self, packed: Any) -> Floats:
        trees, slots = self.values.shape
        starts = slots * np.arange(trees).astype(np.min_scalar_type(trees * slots))[:, None]
        sums = np.take(self.values, self._leaf_numbers(packed) + starts).sum(axis=0)  # in the order of the trees
        return np.asarray(sums / len(starts) if self.averaged else sums)

    def _leaf_numbers(self, packed: Any) -> Any:
        """Return the number of the leaf at which each row arrives, (trees, rows in full words)."""
        begin = self.leaves.shape[1]
        places = begin + 2 * sum(len(parent) for parent, _ in self.levels)
        reached = np.empty((places + 1, packed.shape[1]), np.uint64)
        reached[:begin], reached[places:] = ~np.uint64(0), 0  # all rows arrive at the roots, none behind the last place
        # Level order: one ``and`` serves all nodes of a depth in all trees, so numpy is called once for each depth;
        # what does not go right goes left. The words of a node are adjacent: a block's eight words are a cache line.
        for parent, test in self.levels:
            middle, end = begin + len(parent), begin + 2 * len(parent)
            above = reached.take(parent, axis=0)
            right = np.bitwise_and(above, packed.take(test, axis=0), out=reached[middle:end])
            np.bitwise_xor(above, right, out=reached[begin:middle])
            begin = end
        # The rows that arrive at each leaf, as bits, (slots, trees, words). Binary search over leaves: each step tells
        # whether a row is in the upper half of the slots left, which is the next bit of its number, and folds both
        # halves into one. It takes log2(slots) steps instead of slots.
        arrived = reached.take(self.leaves, axis=0)
        slots, trees, words = arrived.shape
        numbers = np.zeros((trees, words * _WORD), np.min_scalar_type(slots - 1))
        while slots > 1:
            slots //= 2
            upper = np.bitwise_or.reduce(arrived[slots:], axis=0)
            numbers += numbers  # a shift by one bit, in fewer instructions
            numbers |= np.unpackbits(upper.view(np.uint8), axis=1, bitorder="little")
            arrived = arrived[:slots] | arrived[slots:]
        return numbers


@lru_cache(maxsize=8)
def tree_walker(text: str) -> TreeWalker:
    """Return the walker of a model text, made once in a process."""
    model = parse_trees(text)
    tests, test_of_node = split_tests(model)
    sizes = [len(tree.leaf) for tree in model.trees]
    values = np.zeros((len(sizes), 1 << (max(sizes) - 1).bit_length()))
    for row, tree in zip(values, model.trees, strict=True):
        row[: len(tree.leaf)] = tree.leaf
    levels, leaves = _find_levels(model, test_of_node, values.shape[1])
    return TreeWalker(tests, levels, leaves, values, model.features, model.averaged)


def split_tests(model: TreeModel) -> tuple[SplitTests, Ints]:
    """Return the distinct tests, and the test of each node, tree after tree, (nodes of all trees,)."""
    feature = np.concatenate([tree.feature for tree in model.trees])
    threshold = np.concatenate([tree.threshold for tree in model.trees])
    # Thresholds within 1e-35 of 0 are moved, so that all values there go the way of 0 itself.
    beside_zero = np.where(threshold >= 0, _ZERO, np.nextafter(-_ZERO, -np.inf))
    threshold = np.where(np.abs(threshold) <= _ZERO, beside_zero, threshold)
    # Distinct pairs by sorting: the first of each run of equal (feature, threshold) is the test of the whole run.
    order = np.lexsort((threshold, feature))
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(feature[order]) != 0) | (np.diff(threshold[order]) != 0)
    test_of_node = np.empty(len(order), np.intp)
    test_of_node[order] = np.cumsum(first) - 1
    distinct = order[first]
    thresholds = threshold[distinct, None]
    with np.errstate(over="ignore"):
        short = thresholds.astype(np.float32)
    # The largest 32-bit number not above each threshold: 32-bit values then compare as in 64 bits.
    short = np.where(short > thresholds, np.nextafter(short, np.float32(-np.inf)), short)
    return SplitTests(feature[distinct], thresholds, short), test_of_node


def _find_levels(model: TreeModel, test_of_node: Ints, slots: int) -> tuple[tuple[tuple[Ints, Ints], ...], Ints]:
    """Return parents and tests of each depth below the roots, and the places of the leaves, (slots, trees)."""
    starts = np.cumsum([0, *(len(tree.feature) for tree in model.trees)])
    left = np.concatenate([tree.left for tree in model.trees])
    right = np.concatenate([tree.right for tree in model.trees])
    tree = np.arange(len(model.trees))
    node = np.array([0 if len(tree.feature) else -1 for tree in model.trees])
    leaves = np.full((slots, len(model.trees)), -1)
    levels, places = [], 0
    while len(node):
        ends = np.flatnonzero(node < 0)
        leaves[-1 - node[ends], tree[ends]] = places + ends
        inner = np.flatnonzero(node >= 0)
        parents = starts[tree[inner]] + node[inner]
        levels.append((places + inner, test_of_node[parents]))
        places += len(node)
        tree, node = np.tile(tree[inner], 2), np.concatenate((left[parents], right[parents]))
    leaves[leaves < 0] = places
    return tuple(levels[:-1]), leaves


_BLOCK_OF_PATHS: Final = 1_000_000
"""Values in an array of a block of rows; arbitrary: bounds the memory at some tens of megabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class LeafPaths:
    """The paths to all leaves of a model, leaf after leaf; a pair is a leaf and a distinct feature on its path."""

    tests: SplitTests
    test: Ints  # test of each step, steps of one pair together, (steps,)
    right: Bools  # whether the path goes right at each step, which means that the test passes, (steps,)
    steps: Ints  # first step of each pair, (pairs,)
    feature: Ints  # (pairs,)
    share: Floats  # share of the training rows that pass, (pairs,)
    pairs: Ints  # first pair of each leaf, (leaves,)
    value: Floats  # (leaves,)
    base: float  # mean value over the training rows
    divisor: int  # number of trees that are averaged, else 1
    features: int

    def contributions(self, rows: Floats) -> Floats:
        """Return each feature's contribution, (rows, features + 1), the base value last; rows sum to the scores."""
        sums = np.zeros((len(rows), self.features + 1))
        sums[:, -1] = self.base
        block = max(1, _BLOCK_OF_PATHS // max(1, len(self.test)))
        for start in range(0, len(rows) if len(self.test) else 0, block):
            sums[start : start + block, : self.features] = self._contributions(rows[start : start + block]).T
        return sums / self.divisor

    def _contributions(self, rows: Floats) -> Floats:
        # Segmented reductions: steps of a pair and pairs of a leaf are adjacent, so ``reduceat`` replaces all loops.
        followed = self.tests.find_passes(rows)[self.test] == self.right[:, None]
        agrees = np.logical_and.reduceat(followed, self.steps, axis=0)
        sizes = np.diff(self.pairs, append=len(self.feature))
        share = self.share[:, None]
        integral = np.zeros(agrees.shape)
        # Gauss-Legendre points and weights, moved from -1 ... 1 to 0 ... 1.
        points, weights = np.polynomial.legendre.leggauss(-(-int(sizes.max()) // 2))
        for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
            factor = np.where(agrees, point + share * (1 - point), share * (1 - point))
            # The product over the other features is the product over all of them divided by the own factor.
            product = np.multiply.reduceat(factor, self.pairs, axis=0)
            integral += np.repeat(product * (weight * self.value[:, None]), sizes, axis=0) / factor
        integral *= agrees - share
        sums = np.zeros((self.features, len(rows)))
        order = np.argsort(self.feature, kind="stable")
        features, starts = np.unique(self.feature[order], return_index=True)
        sums[features] = np.add.reduceat(integral[order], starts, axis=0)
        return sums


@lru_cache(maxsize=8)
def leaf_paths(text: str) -> LeafPaths:
    """Return the paths of a model text, computed once; without counts of training rows all leaves count alike."""
    model = parse_trees(text)
    tests, test_of_node = split_tests(model)
    first = np.cumsum([0, *(len(tree.feature) for tree in model.trees)])
    steps: list[tuple[int, bool]] = []
    pairs: list[tuple[int, int, float]] = []
    leaves: list[tuple[int, float]] = []
    for number, tree in enumerate(model.trees):
        for leaf, path in _paths(tree):
            leaves.append((len(pairs), float(tree.leaf[leaf])))
            for feature, (share, splits) in path.items():
                pairs.append((len(steps), feature, share))
                steps += [(int(test_of_node[first[number] + node]), right) for node, right in splits]
    return LeafPaths(
        tests,
        np.array([test for test, _ in steps], np.intp),
        np.array([right for _, right in steps], bool),
        np.array([step for step, _, _ in pairs], np.intp),
        np.array([feature for _, feature, _ in pairs], np.intp),
        np.array([share for _, _, share in pairs]),
        np.array([pair for pair, _ in leaves], np.intp),
        np.array([value for _, value in leaves]),
        float(sum(np.average(tree.leaf, weights=tree.rows) for tree in model.trees)),
        len(model.trees) if model.averaged else 1,
        model.features,
    )


_Path: TypeAlias = dict[int, tuple[float, tuple[tuple[int, bool], ...]]]
"""By feature, the share of rows that pass its splits, and these: node, and whether the path goes right."""


def _paths(tree: Tree) -> list[tuple[int, _Path]]:
    """Return each leaf with the path to it, in no particular order; none for a tree without splits."""
    reach = reaching(tree, np.ones(len(tree.leaf), np.int64) if tree.rows is None else tree.rows)
    complete: list[tuple[int, _Path]] = []
    stack: list[tuple[int, _Path]] = [(0, {})] if len(tree.feature) else []
    while stack:
        node, path = stack.pop()
        feature = int(tree.feature[node])
        share, splits = path.get(feature, (1.0, ()))
        for child, right in ((int(tree.left[node]), False), (int(tree.right[node]), True)):
            part = float(reach[child] / reach[node])
            longer = {**path, feature: (share * part, (*splits, (node, right)))}
            if child < 0:
                complete.append((-1 - child, longer))
            else:
                stack.append((child, longer))
    return complete


@dataclass(frozen=True, eq=False)
class Trees:
    """Trained trees, kept as text in LightGBM's format, reduced to what is needed (``tree_text``)."""

    text: str

    def scores(self, rows: Floats) -> Floats:
        """Return the mean vote, 0 to 1, of bags and forests, or the log-odds of boosted trees, (rows,)."""
        walker = tree_walker(self.text)
        _check_width(rows, walker.features)
        return walker.scores(rows)

    def contributions(self, rows: Floats) -> Floats:
        """Return Shapley values of features and the base value, whose rows sum to scores, (rows, features + 1)."""
        paths = leaf_paths(self.text)
        _check_width(rows, paths.features)
        return paths.contributions(rows)

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of the text: the trees' part in a signature."""
        return sha256(self.text.encode()).hexdigest()[:8]


def add_trees(first: Trees, second: Trees) -> Trees:
    """Return boosted trees whose scores are the sums of both."""
    text = first.text.partition("end of trees")[0] + second.text[second.text.index("Tree=0") :]
    return Trees(slim(text, counted=True))


def first_trees(trees: Trees, number: int) -> Trees:
    """Return at most the first ``number`` of boosted trees: the model after that many rounds."""
    return Trees(slim(trees.text.partition(f"\nTree={number}\n")[0], counted=True))


def _check_width(rows: Floats, features: int) -> None:
    """Raise ``BadParameter`` for rows with another number of features than the training rows."""
    if rows.shape[1] != features:
        raise BadParameter(f"rows of {rows.shape[1]} features", f"the trees know {features}")
