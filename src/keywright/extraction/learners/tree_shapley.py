"""Contributions of features to a score of trees: exact Shapley values over the paths of the trees.

The value of a set of known features is the tree's value when a row follows the splits on known features and divides at
all other splits in the proportions of the training rows: "path-dependent TreeSHAP" (Lundberg and others 2018,
arXiv:1802.03888). Here it is computed leaf by leaf: the path to a leaf has ``m`` distinct features; the row passes all
splits on feature ``f`` (``o = 1``) or not (``o = 0``), and the share of training rows that pass them is ``z``. A leaf
of value ``v`` then contributes to feature ``f``, by the integral form of the Shapley weights,

    v (o_f - z_f) times the integral over t from 0 to 1 of the product over the other features g of  o_g t + z_g (1 - t)

The integrand is a polynomial of degree ``m - 1``, which Gauss-Legendre quadrature with ``m / 2`` points, rounded up,
integrates exactly.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.extraction.learners.tree_text import Tree, parse_trees, reaching
from keywright.extraction.learners.tree_walk import SplitTests, split_tests

_BLOCK: Final = 1_000_000
"""Values in an array of a block of rows; arbitrary: bounds the memory at some tens of megabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class LeafPaths:
    """The paths to all leaves of a model, leaf after leaf; a pair is a leaf and a distinct feature on its path.

    ``test``, ``right`` (the test passes): of each step, steps of one pair together, (steps,); ``steps``: first of each
    pair, ``feature``, ``share`` of the training rows that pass: (pairs,); ``pairs``: first of each leaf, ``value``:
    (leaves,); ``base``: mean value over the training rows; ``divisor``: number of trees that are averaged, else 1.
    """

    tests: SplitTests
    test: Ints
    right: Bools
    steps: Ints
    feature: Ints
    share: Floats
    pairs: Ints
    value: Floats
    base: float
    divisor: int
    features: int

    def contributions(self, rows: Floats) -> Floats:
        """Return each feature's contribution, (rows, features + 1), the base value last; rows sum to the scores."""
        sums = np.zeros((len(rows), self.features + 1))
        sums[:, -1] = self.base
        block = max(1, _BLOCK // max(1, len(self.test)))
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
