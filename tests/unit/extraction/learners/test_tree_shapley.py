"""What features add to scores: LightGBM's own figures, and Shapley's formula summed over all sets."""

from itertools import combinations
from math import factorial

import lightgbm
import numpy as np
import pytest
from tests.unit.extraction.learners.grown import bagged_trees, boosted_trees, random_forest

from keywright.extraction.learners.tree_text import parse_trees, slim
from keywright.extraction.learners.trees import Trees

RANDOM = np.random.default_rng(5)
ROWS = RANDOM.normal(size=(1200, 7))
ROWS[RANDOM.random(ROWS.shape) < 0.05] = np.nan
ANSWERS = np.nan_to_num(ROWS[:, 0] * ROWS[:, 1] + ROWS[:, 2]) + RANDOM.normal(size=1200) / 3 > 1


HOWS = [
    {},
    {"leaves": 2},
    {"leaves": 3, "features": 1.0},
    {"leaves": 60, "least": 2},
    {"trees": 1, "leaves": 400, "least": 1},
]


@pytest.mark.parametrize("how", HOWS, ids=str)
def test_they_are_those_of_lightgbm(how):
    fitted = boosted_trees(ROWS, ANSWERS, **{"trees": 40, **how})
    for rows in (ROWS[:60], ROWS[:60].astype(np.float32)):
        expected = lightgbm.Booster(model_str=fitted.text).predict(rows, num_threads=1, pred_contrib=True)
        np.testing.assert_allclose(fitted.contributions(rows), expected, rtol=0, atol=1e-9)


def value_of(text: str, row: np.ndarray, known: set[int]) -> float:
    """What a forest gives when only some features are known, straight from the definition."""

    def below(tree, node: int) -> tuple[float, int]:
        if node < 0:
            rows = 1 if tree.rows is None else int(tree.rows[-1 - node])
            return float(tree.leaf[-1 - node]), rows
        left, right = below(tree, int(tree.left[node])), below(tree, int(tree.right[node]))
        if tree.feature[node] in known:
            chosen = left if row[tree.feature[node]] <= tree.threshold[node] else right
            return chosen[0], left[1] + right[1]
        reach = left[1] + right[1]
        return (left[0] * left[1] + right[0] * right[1]) / reach, reach

    forest = parse_trees(text)
    values = [below(tree, 0 if len(tree.feature) else -1)[0] for tree in forest.trees]
    return sum(values) / (len(values) if forest.averaged else 1)


def by_definition(text: str, row: np.ndarray) -> list[float]:
    """Each feature's mean gain over all orders in which features become known; then the value of knowing nothing."""
    features = len(row)
    found = []
    for feature in range(features):
        others = [one for one in range(features) if one != feature]
        gain = 0.0
        for size in range(features):
            weight = factorial(size) * factorial(features - size - 1) / factorial(features)
            for known in combinations(others, size):
                gain += weight * (value_of(text, row, {*known, feature}) - value_of(text, row, set(known)))
        found.append(gain)
    return [*found, value_of(text, row, set())]


@pytest.mark.parametrize(
    "fitted",
    [
        boosted_trees(ROWS, ANSWERS, trees=4, leaves=20),
        Trees(slim(boosted_trees(ROWS, ANSWERS, trees=4, leaves=20).text)),
        bagged_trees(ROWS, ANSWERS, trees=3, leaves=15),
        random_forest(ROWS, ANSWERS, trees=3, leaves=15),
    ],
    ids=["boosted", "without numbers of rows", "bag", "forest"],
)
def test_they_are_shapley_values(fitted):
    rows = np.nan_to_num(ROWS[:2])
    expected = [by_definition(fitted.text, row) for row in rows]
    np.testing.assert_allclose(fitted.contributions(rows), expected, atol=1e-12)
    np.testing.assert_allclose(fitted.contributions(rows).sum(axis=1), fitted.scores(rows), atol=1e-12)


def test_many_rows_are_done_in_blocks():
    fitted = random_forest(ROWS, ANSWERS, trees=60, leaves=200)
    whole = fitted.contributions(ROWS[:100])
    np.testing.assert_allclose(whole.sum(axis=1), fitted.scores(ROWS[:100]), atol=1e-12)
    np.testing.assert_allclose(fitted.contributions(ROWS[70:75]), whole[70:75], atol=1e-15)
