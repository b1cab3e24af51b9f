"""What each feature adds to a score of trees: exact Shapley values over their paths.

The value of a set of known features is what the tree gives when a row follows the splits on known features and is
shared out at the others in the proportions of the training rows: "path-dependent TreeSHAP" (Lundberg and others 2018,
arXiv:1802.03888). Here leaf by leaf: on the way to a leaf stand ``m`` distinct features; the row agrees with feature
``f`` on all its splits there (``o = 1``) or not (``o = 0``), and the share of training rows that pass them is ``z``.
The leaf of value ``v`` then gives feature ``f``, by the integral form of Shapley's weights,

    v (o_f - z_f) times the integral from 0 to 1 of the product over the other features g of  o_g t + z_g (1 - t)

in ``t``. That is a polynomial of degree ``m - 1``, which Gauss and Legendre's rule with half of ``m`` points, rounded
up, integrates exactly.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.learners.tree_text import Forest, Tree, parsed, reaching
from keywright.learners.tree_walk import Questions, questions_of

_AT_ONCE: Final = 1_000_000
"""Numbers in an array of a block of rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The ways to all leaves of a forest, leaf after leaf; a pair is a leaf and a distinct feature on the way to it.

    Attributes:
        questions: that the nodes ask.
        asked: question of each step on a way, those of one pair together, (steps,).
        yes: the answer that leads on, (steps,).
        steps: first step of each pair, (pairs,).
        feature: of each pair, (pairs,).
        share: of the training rows that pass the steps of the pair, above 0, at most 1, (pairs,).
        pairs: first pair of each leaf, (leaves,).
        value: of each leaf, (leaves,).
        start: mean value over the training rows, of all trees together.
        divisor: how many trees are averaged, else 1.
        features: how many a row has.
    """

    questions: Questions
    asked: Ints
    yes: Bools
    steps: Ints
    feature: Ints
    share: Floats
    pairs: Ints
    value: Floats
    start: float
    divisor: int
    features: int

    def contributions(self, rows: Floats) -> Floats:
        """What each feature adds, and last what all rows start from, (rows, features + 1); rows sum to the scores.

        Args:
            rows: features, (rows, features).
        """
        found = np.zeros((len(rows), self.features + 1))
        found[:, -1] = self.start
        block = max(1, _AT_ONCE // max(1, len(self.asked)))
        for start in range(0, len(rows) if len(self.asked) else 0, block):
            found[start : start + block, : self.features] = self._added(rows[start : start + block]).T
        return found / self.divisor

    def _added(self, rows: Floats) -> Floats:
        """What each feature adds, (features, rows)."""
        passed = self.questions.answers(rows)[self.asked] == self.yes[:, None]
        agrees = np.logical_and.reduceat(passed, self.steps, axis=0)
        sizes = np.diff(self.pairs, append=len(self.feature))
        share = self.share[:, None]
        integral = np.zeros(agrees.shape)
        for point, weight in zip(*_quadrature(int(sizes.max())), strict=True):
            factor = np.where(agrees, point + share * (1 - point), share * (1 - point))
            product = np.multiply.reduceat(factor, self.pairs, axis=0)
            integral += np.repeat(product * (weight * self.value[:, None]), sizes, axis=0) / factor
        integral *= agrees - share
        found = np.zeros((self.features, len(rows)))
        order = np.argsort(self.feature, kind="stable")
        features, starts = np.unique(self.feature[order], return_index=True)
        found[features] = np.add.reduceat(integral[order], starts, axis=0)
        return found


def _quadrature(most: int) -> tuple[Floats, Floats]:
    """Points from 0 to 1 and weights that integrate polynomials of degree ``most - 1`` exactly."""
    points, weights = np.polynomial.legendre.leggauss(-(-most // 2))
    return (points + 1) / 2, weights / 2


@lru_cache(maxsize=8)
def ways(text: str) -> Ways:
    """The ways to the leaves of a model text, found once in a process.

    Where the text does not tell how many training rows fell into each leaf, all leaves count alike.

    Raises:
        BrokenFile: the text is damaged.
    """
    return ways_of(parsed(text))


def ways_of(forest: Forest) -> Ways:
    """The ways to the leaves of a forest."""
    questions, asked = questions_of(forest)
    first = np.cumsum([0, *(len(tree.feature) for tree in forest.trees)])
    steps: list[tuple[int, bool]] = []
    pairs: list[tuple[int, int, float]] = []
    leaves: list[tuple[int, float]] = []
    for number, tree in enumerate(forest.trees):
        for leaf, way in _ways(tree):
            leaves.append((len(pairs), float(tree.leaf[leaf])))
            for feature, (share, taken) in way.items():
                pairs.append((len(steps), feature, share))
                steps += [(int(asked[first[number] + node]), yes) for node, yes in taken]
    return Ways(
        questions,
        np.array([question for question, _ in steps], np.intp),
        np.array([yes for _, yes in steps], bool),
        np.array([step for step, _, _ in pairs], np.intp),
        np.array([feature for _, feature, _ in pairs], np.intp),
        np.array([share for _, _, share in pairs]),
        np.array([pair for pair, _ in leaves], np.intp),
        np.array([value for _, value in leaves]),
        float(sum(np.average(tree.leaf, weights=tree.rows) for tree in forest.trees)),
        len(forest.trees) if forest.averaged else 1,
        forest.features,
    )


_Way = dict[int, tuple[float, tuple[tuple[int, bool], ...]]]
"""By feature, the share of rows that pass its splits, and these: node, and whether the way goes right."""


def _ways(tree: Tree) -> list[tuple[int, _Way]]:
    """Each leaf with the way to it, in no particular order; none for a tree without splits."""
    reach = reaching(tree, np.ones(len(tree.leaf), np.int64) if tree.rows is None else tree.rows)
    found: list[tuple[int, _Way]] = []
    open_ways: list[tuple[int, _Way]] = [(0, {})] if len(tree.feature) else []
    while open_ways:
        node, way = open_ways.pop()
        feature = int(tree.feature[node])
        share, taken = way.get(feature, (1.0, ()))
        for child, right in ((int(tree.left[node]), False), (int(tree.right[node]), True)):
            part = float(reach[child] / reach[node])
            longer = {**way, feature: (share * part, (*taken, (node, right)))}
            if child < 0:
                found.append((-1 - child, longer))
            else:
                open_ways.append((child, longer))
    return found
