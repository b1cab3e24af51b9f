"""LightGBM's text format of trees, checked and reduced to what prediction needs.

A text comes from a file, so nothing in it is trusted: children that do not form a tree, or a feature that rows do not
have, are rejected. So are categorical splits, linear leaves and separate branches for missing values, which this
project does not use.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BrokenFile

_OBJECTIVES: Final = ("regression", "binary sigmoid:1")
"""Objectives of the models that ``growing`` trains, and of reduced texts."""
_MOST_FEATURES: Final = 100_000  # maximum features; arbitrary, a thousand times those in use, against crafted texts
_MOST_ROWS: Final = 100_000_000  # maximum training rows of a leaf; arbitrary, far above those in use
_DEFAULT_LEFT: Final = 2
"""LightGBM's bit of ``decision_type`` for missing values to the left, without effect where none are distinguished."""
_MOST_QUOTED: Final = 200  # maximum characters of a parse error in a message; arbitrary
_HINT: Final = "copy the trained system again, or train it again"


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One tree; inner nodes are numbered from the root, 0; as a child, leaf ``i`` is ``-1 - i``."""

    feature: Ints  # (nodes,), as the next four
    threshold: Floats  # values up to it go left
    kind: Ints  # LightGBM's ``decision_type``
    left: Ints
    right: Ints
    leaf: Floats  # values, (nodes + 1,)
    rows: Ints | None = None  # training rows, None without counts, (nodes + 1,)


@dataclass(frozen=True, slots=True, eq=False)
class TreeModel:
    """All trees of a model, whose values are ``averaged``, or else summed."""

    trees: tuple[Tree, ...]
    features: int
    averaged: bool


def slim(text: str, *, counted: bool = False, factor: float = 1.0) -> str:
    """Return a model text of what prediction needs, leaves times a factor; ``counted`` keeps counts of rows."""
    model = parse_trees(text)
    trees = [replace(tree, leaf=tree.leaf * factor, rows=tree.rows if counted else None) for tree in model.trees]
    return "".join(_format_trees(replace(model, trees=tuple(trees))))


def parse_trees(text: str) -> TreeModel:
    """Return the trees of a model text, as LightGBM writes it or reduced."""
    try:
        head, *bodies = re.split(r"^Tree=\d+$", text.partition("\nend of trees")[0], flags=re.MULTILINE)
        header = _parse_pairs(head)
        features = _count_features(header)
        trees = tuple(_parse_tree(body, features) for body in bodies)
    except (KeyError, ValueError, OverflowError) as error:
        message = f"a text that should hold decision trees is damaged: {error!s:.{_MOST_QUOTED}}"
        raise BrokenFile(message, _HINT) from error
    if not trees:
        raise BrokenFile("a text that should hold decision trees is damaged: there is no tree", _HINT)
    return TreeModel(trees, features, "average_output" in header)


def _parse_pairs(body: str) -> dict[str, str]:
    """Return lines ``name=value`` as a dictionary; a line without an equals sign has the value ''."""
    return {name: value for name, _, value in (line.partition("=") for line in body.splitlines() if line)}


def _count_features(head: dict[str, str]) -> int:
    if head.get("tree") != "" or head["version"] != "v4" or head["num_class"] != "1":
        raise ValueError("the header is not that of trees with one score")
    if head["objective"] not in _OBJECTIVES:
        raise ValueError(f"objective {head['objective']!r:.40}")
    features = int(head["max_feature_idx"]) + 1
    if not 0 < features <= _MOST_FEATURES:
        raise ValueError(f"{features} features")
    return features


def _parse_tree(body: str, features: int) -> Tree:
    named = _parse_pairs(body)
    leaves = int(named["num_leaves"])
    if leaves < 1 or named.get("num_cat", "0") != "0" or named.get("is_linear", "0") != "0":
        raise ValueError("a tree has no leaves, or splits of another kind")
    tree = Tree(
        feature=_numbers(named.get("split_feature", ""), leaves - 1, np.int64),
        threshold=_numbers(named.get("threshold", ""), leaves - 1, np.float64),
        kind=_numbers(named.get("decision_type", ""), leaves - 1, np.int64),
        left=_numbers(named.get("left_child", ""), leaves - 1, np.int64),
        right=_numbers(named.get("right_child", ""), leaves - 1, np.int64),
        leaf=_numbers(named["leaf_value"], leaves, np.float64) + 0.0,  # -0.0 becomes 0.0
        rows=_numbers(named["leaf_count"], leaves, np.int64) if leaves > 1 and "leaf_count" in named else None,
    )
    _check(tree, features)
    return tree


def _numbers(text: str, expected: int, kind: Any) -> Any:
    """Return numbers separated by blanks, (expected,)."""
    numbers = np.array(text.split(), dtype=kind)
    if len(numbers) != expected or not np.isfinite(numbers).all():
        raise ValueError(f"{len(numbers)} numbers or some not finite, expected {expected} finite ones")
    return numbers


def _check(tree: Tree, features: int) -> None:
    """Check that every leaf and every node but the root is the child of exactly one earlier node."""
    nodes = len(tree.feature)
    children = np.concatenate((tree.left, tree.right))
    parents = np.tile(np.arange(nodes), 2)
    expected = np.concatenate((np.arange(-nodes - 1, 0), np.arange(1, nodes))) if nodes else np.zeros(0, np.int64)
    if not np.array_equal(np.sort(children), expected) or np.any((children >= 0) & (children <= parents)):
        raise ValueError("children do not form a tree")
    if np.any((tree.feature < 0) | (tree.feature >= features)):
        raise ValueError(f"a split is on none of the {features} features")
    if np.any(tree.kind & ~_DEFAULT_LEFT):
        raise ValueError("a split of another kind")
    if tree.rows is not None and (tree.rows.min() < 1 or tree.rows.max() > _MOST_ROWS):
        raise ValueError(f"a leaf of {tree.rows.min()} or {tree.rows.max()} rows")


def _format_trees(model: TreeModel) -> Iterator[str]:
    """Return the text in LightGBM's format, piece by piece; the objective makes LightGBM return scores as they are."""
    columns = range(model.features)
    yield "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
    yield f"max_feature_idx={len(columns) - 1}\nobjective=regression\n" + "average_output\n" * model.averaged
    yield f"feature_names={' '.join(f'f{column}' for column in columns)}\n"
    yield f"feature_infos={' '.join('[-inf:inf]' for _ in columns)}\n\n"
    for number, tree in enumerate(model.trees):
        lines = {
            "num_leaves": [len(tree.leaf)],
            "num_cat": [0],
            "split_feature": tree.feature,
            "threshold": tree.threshold,
            "decision_type": tree.kind,
            "left_child": tree.left,
            "right_child": tree.right,
            "leaf_value": tree.leaf,
        }
        yield f"Tree={number}\n"
        yield from (f"{name}={' '.join(map(repr, np.asarray(line).tolist()))}\n" for name, line in lines.items())
        if tree.rows is not None:
            counts = {"leaf_count": tree.rows, "internal_count": reaching(tree, tree.rows)[: len(tree.feature)]}
            yield from (f"{name}={' '.join(map(str, line.tolist()))}\n" for name, line in counts.items())
        yield "is_linear=0\nshrinkage=1\n\n\n"
    yield "end of trees\n"


def reaching(tree: Tree, rows: Ints) -> Ints:
    """Return the training rows at each inner node, then leaf from the last to the first, (2 nodes + 1,)."""
    reach = np.concatenate((np.zeros(len(tree.feature), np.int64), rows[::-1]))  # leaf i, child -1 - i, from the end
    for node in reversed(range(len(tree.feature))):
        reach[node] = reach[tree.left[node]] + reach[tree.right[node]]
    return reach
