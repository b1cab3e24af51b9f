"""Scores of decision trees: 64 rows walk down all trees at once, as the bits of a word.

Trees ask the same questions again and again: "is feature 7 above 0.25?". Each distinct question is asked of all rows
once, and the answers are packed, 64 rows to a word. Which rows arrive at a node is then one ``and`` of two words: the
rows at its parent, and the rows whose answer leads to it. All nodes of one depth, in all trees, are done together; the
number of the leaf of each row is read off the words in as many steps as the number has bits. The idea of bits instead
of branches is QuickScorer's (Lucchese and others, SIGIR 2015), where the bits are leaves instead of rows.

Decisions and sums are LightGBM's, to the last bit: a missing value counts as 0, as does what lies within 1e-35 of it;
up to the threshold a value goes left; leaves are added in the order of the trees.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.learners.tree_text import Forest, parsed

_NEARLY_ZERO: Final = float(np.float32(1e-35))
_WORD: Final = 64
_AT_ONCE: Final = 8 * _WORD
"""Rows of a block: for hundreds of candidates one is enough; more would need more memory and not be faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """Distinct questions that the nodes of a forest ask: is this feature of a row above this threshold?

    Attributes:
        feature: that is looked at, (questions,).
        threshold: for rows of 64 bits, (questions, 1).
        short: for rows of 32 bits: the greatest number of 32 bits that is not above the threshold, (questions, 1).
    """

    feature: Ints
    threshold: Floats
    short: Floats

    def answers(self, rows: Floats) -> Bools:
        """Whether the answer is yes, and the row goes right, (questions, rows).

        Args:
            rows: features, (rows, features).
        """
        return np.greater(np.take(_columns(rows), self.feature, axis=0), self._thresholds(rows))

    def packed(self, rows: Floats) -> Any:
        """First the yeses, then the noes, as bits of words of 64 rows, (words, 2 * questions)."""
        yes = np.zeros((len(self.feature), -(-len(rows) // _WORD) * _WORD), bool)
        np.greater(np.take(_columns(rows), self.feature, axis=0), self._thresholds(rows), out=yes[:, : len(rows)])
        words = np.packbits(yes, axis=1, bitorder="little").view(np.uint64).T
        return np.concatenate((words, ~words), axis=1)

    def _thresholds(self, rows: Floats) -> Floats:
        return self.short if rows.dtype == np.float32 else self.threshold


@dataclass(frozen=True, slots=True, eq=False)
class Walker:
    """A forest in the form in which rows walk.

    A place is a number of a node or leaf, counted from the roots downward, depth by depth.

    Attributes:
        questions: that the nodes ask.
        levels: for each depth below the roots: of each of its places, the number of its parent among the places of the
            depth above, and which row of ``Questions.packed`` leads to it; (places of the depth,) each.
        leaves: place of each leaf, the place behind the last where a tree has fewer, (slots, trees).
        values: of the leaves, (trees, slots).
        features: how many a row has.
        averaged: whether a score is the mean of the trees' values, else their sum.
    """

    questions: Questions
    levels: tuple[tuple[Ints, Ints], ...]
    leaves: Ints
    values: Floats
    features: int
    averaged: bool

    def scores(self, rows: Floats) -> Floats:
        """Sum of the trees' values, or their mean, (rows,).

        Args:
            rows: features, (rows, features).
        """
        blocks = [self._scores(rows[start : start + _AT_ONCE]) for start in range(0, len(rows), _AT_ONCE)]
        return np.concatenate([np.zeros(0), *blocks])

    def _scores(self, rows: Floats) -> Floats:
        slots = self.values.shape[1]
        starts = np.arange(0, self.values.size, slots)[:, None]
        numbers = self._numbers(self._arrived(rows))[:, : max(2, len(rows))]  # one column alone is summed in pairs
        found = np.take(self.values, numbers + starts).sum(axis=0)[: len(rows)]
        return np.asarray(found / len(starts) if self.averaged else found)

    def _arrived(self, rows: Floats) -> Any:
        """Which rows arrive at each leaf, as bits, (slots, trees, words)."""
        answers = self.questions.packed(rows)
        words = len(answers)
        reach = [np.full((words, self.leaves.shape[1]), ~np.uint64(0))]
        for parent, answer in self.levels:
            arrived = np.take(reach[-1], parent, axis=1)
            arrived &= np.take(answers, answer, axis=1)
            reach.append(arrived)
        nowhere = np.zeros((words, 1), np.uint64)
        return np.take(np.concatenate((*reach, nowhere), axis=1).T, self.leaves, axis=0)

    def _numbers(self, arrived: Any) -> Any:
        """The leaf at which each row arrives, (trees, rows in full words): one bit of its number after the other."""
        slots, trees, words = arrived.shape
        numbers = np.zeros((trees, words * _WORD), np.min_scalar_type(slots - 1))
        while slots > 1:
            slots //= 2
            upper = np.bitwise_or.reduce(arrived[slots:], axis=0)
            numbers <<= 1
            numbers |= np.unpackbits(upper.view(np.uint8), axis=1, bitorder="little")
            arrived = arrived[:slots] | arrived[slots:]
        return numbers


@lru_cache(maxsize=8)
def walker(text: str) -> Walker:
    """The walker of a model text, made once in a process.

    Raises:
        BrokenFile: the text is damaged.
    """
    return walker_of(parsed(text))


def walker_of(forest: Forest) -> Walker:
    """The walker of a forest."""
    questions, asked = questions_of(forest)
    sizes = [len(tree.leaf) for tree in forest.trees]
    values = np.zeros((len(sizes), 1 << (max(sizes) - 1).bit_length()))
    for row, tree in zip(values, forest.trees, strict=True):
        row[: len(tree.leaf)] = tree.leaf
    levels, leaves = _levels(forest, asked, values.shape[1], len(questions.feature))
    return Walker(questions, levels, leaves, values, forest.features, forest.averaged)


def questions_of(forest: Forest) -> tuple[Questions, Ints]:
    """The distinct questions, and which of them each node asks, tree after tree, (nodes of all trees,)."""
    feature = np.concatenate([tree.feature for tree in forest.trees])
    threshold = np.concatenate([tree.threshold for tree in forest.trees])
    threshold = np.where(np.abs(threshold) <= _NEARLY_ZERO, _beside_zero(threshold), threshold)
    order = np.lexsort((threshold, feature))
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(feature[order]) != 0) | (np.diff(threshold[order]) != 0)
    asked = np.empty(len(order), np.intp)
    asked[order] = np.cumsum(first) - 1
    distinct = order[first]
    return Questions(feature[distinct], threshold[distinct, None], _rounded_down(threshold[distinct, None])), asked


def _beside_zero(threshold: Floats) -> Floats:
    """Thresholds within 1e-35 of 0, so moved that all values there go the way of 0 itself."""
    return np.where(threshold >= 0, _NEARLY_ZERO, np.nextafter(-_NEARLY_ZERO, -np.inf))


def _rounded_down(threshold: Floats) -> Floats:
    with np.errstate(over="ignore"):
        short = threshold.astype(np.float32)
    return np.where(short > threshold, np.nextafter(short, np.float32(-np.inf)), short)


def _columns(rows: Floats) -> Floats:
    """Features as rows, (features, rows), missing values as 0."""
    columns = np.ascontiguousarray(rows.T)
    missing = np.isnan(columns)
    return np.where(missing, np.zeros((), columns.dtype), columns) if missing.any() else columns


def _levels(forest: Forest, asked: Ints, slots: int, questions: int) -> tuple[tuple[tuple[Ints, Ints], ...], Ints]:
    """Parents and answers of each depth below the roots, and the places of the leaves, (slots, trees)."""
    starts = np.cumsum([0, *(len(tree.feature) for tree in forest.trees)])
    left = np.concatenate([tree.left for tree in forest.trees])
    right = np.concatenate([tree.right for tree in forest.trees])
    tree = np.arange(len(forest.trees))
    node = np.array([0 if len(one.feature) else -1 for one in forest.trees])
    leaves = np.full((slots, len(forest.trees)), -1)
    levels, places = [], 0
    while len(node):
        ends = np.flatnonzero(node < 0)
        leaves[-1 - node[ends], tree[ends]] = places + ends
        inner = np.flatnonzero(node >= 0)
        asking = starts[tree[inner]] + node[inner]
        places += len(node)
        levels.append((np.tile(inner, 2), np.concatenate((asked[asking] + questions, asked[asking]))))
        tree, node = np.tile(tree[inner], 2), np.concatenate((left[asking], right[asking]))
    leaves[leaves < 0] = places
    return tuple(levels[:-1]), leaves
