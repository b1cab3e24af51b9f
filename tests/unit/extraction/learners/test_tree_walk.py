"""Walking down trees: LightGBM's own decisions and sums, to the last bit."""

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.extraction.learners.grown import bagged_trees, boosted_trees, random_forest

from keywright.extraction.learners.tree_text import slim
from keywright.extraction.learners.trees import Trees

NEARLY_ZERO = 1.0000000180025095e-35  # LightGBM's own; what lies within counts as 0


def lightgbm_scores(text: str, rows: np.ndarray) -> np.ndarray:
    return lightgbm.Booster(model_str=text).predict(rows, num_threads=1)


def odd_rows(text: str, features: int, seed: int, rows: int = 700) -> np.ndarray:
    """Values at thresholds, right beside them, missing, infinite, next to nothing, and others."""
    random = np.random.default_rng(seed)
    lines = [line.partition("=")[2] for line in text.splitlines() if line.startswith("threshold=")]
    at = np.array(" ".join(lines).split() or [0.0], float)
    beside = np.concatenate((at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf)))
    odd = [0.0, -0.0, np.nan, np.inf, -np.inf, NEARLY_ZERO, -NEARLY_ZERO, 1e-40, -1e-40, 1e308, -1e308]
    return random.choice(np.concatenate((beside, beside, odd, random.normal(size=20))), (rows, features))


def sample(seed: int, rows: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    """Rows of six features: numbers, whole numbers, nearly always 0, and some missing."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(rows, 6))
    numbers[:, 2] = np.round(numbers[:, 2] * 2)
    numbers[:, 3] *= random.random(rows) < 0.1
    numbers[random.random((rows, 6)) < 0.05] = np.nan
    return numbers, np.nan_to_num(numbers[:, 0] * numbers[:, 2] + numbers[:, 3]) + random.normal(size=rows) / 3 > 1


LEARNERS = {
    "boosted": lambda seed: boosted_trees(*sample(seed), trees=60, seed=seed),
    "of two leaves": lambda seed: boosted_trees(*sample(seed), trees=9, leaves=2, seed=seed),
    "of 300 leaves": lambda seed: boosted_trees(*sample(seed), trees=5, leaves=300, least=1, seed=seed),
    "forest": lambda seed: random_forest(*sample(seed), trees=30, seed=seed),
    "bag": lambda seed: bagged_trees(*sample(seed), trees=12, leaves=40, seed=seed),
    "without splits": lambda seed: boosted_trees(*sample(seed, 30), trees=3, seed=seed),
}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scores_are_those_of_lightgbm(kind, seed, dtype):
    fitted = LEARNERS[kind](seed)
    with np.errstate(over="ignore"):
        rows = odd_rows(fitted.text, 6, seed).astype(dtype)
    np.testing.assert_array_equal(fitted.scores(rows), lightgbm_scores(fitted.text, rows))


def test_a_row_has_the_same_score_alone_and_among_others():
    fitted = LEARNERS["boosted"](1)
    rows = odd_rows(fitted.text, 6, 4, 1100)
    together = fitted.scores(rows)
    for some in (*range(1, 12), 63, 64, 65, 511, 512, 513, 1024):
        np.testing.assert_array_equal(fitted.scores(rows[:some]), together[:some])
    alone = [fitted.scores(rows[number : number + 1])[0] for number in range(200)]
    np.testing.assert_array_equal(alone, together[:200])
    np.testing.assert_array_equal(fitted.scores(np.asfortranarray(rows)), together)


def text_of(trees: list[dict[str, str]], features: int, *, averaged: bool = False) -> str:
    """A slim text by hand."""
    named = " ".join(f"f{column}" for column in range(features))
    head = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
    head += f"max_feature_idx={features - 1}\nobjective=regression\n" + "average_output\n" * averaged
    head += f"feature_names={named}\nfeature_infos={' '.join(['[-inf:inf]'] * features)}\n\n"
    bodies = []
    for number, tree in enumerate(trees):
        lines = {"num_leaves": str(len(tree["leaf_value"].split())), "num_cat": "0", **tree, "is_linear": "0"}
        bodies.append(f"Tree={number}\n" + "".join(f"{name}={line}\n" for name, line in lines.items()) + "\n\n")
    return head + "".join(bodies) + "end of trees\n"


HAND = text_of(
    [
        {
            "split_feature": "0 1",
            "threshold": "0.5 2",
            "decision_type": "2 2",
            "left_child": "-1 -2",
            "right_child": "1 -3",
            "leaf_value": "1 10 100",
        },
        {"leaf_value": "1000"},
    ],
    2,
)


def test_by_hand():
    """Up to .5: 1; above, and the other feature up to 2: 10; else 100; and 1,000 from the tree without splits."""
    rows = np.array([[0.5, 9], [0.6, 2], [0.6, 2.1], [np.nan, 9], [np.inf, np.nan]])
    assert Trees(HAND).scores(rows).tolist() == [1001, 1010, 1100, 1001, 1010]
    mean = Trees(HAND.replace("objective", "average_output\nobjective"))
    assert mean.scores(rows).tolist() == [500.5, 505, 550, 500.5, 505]


def test_whole_numbers_are_rows_too():
    assert Trees(HAND).scores(np.array([[0, 9], [1, 2], [1, 3]])).tolist() == [1001, 1010, 1100]


@pytest.mark.parametrize("threshold", [0.0, -0.0, 1e-36, -1e-36, NEARLY_ZERO, -NEARLY_ZERO, 1e-34, -1e-34, 1e300])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_thresholds_next_to_zero(threshold, dtype):
    values = [0.0, 1e-36, -1e-36, NEARLY_ZERO, -NEARLY_ZERO, 1.01e-35, -1.01e-35, 2e-34, -2e-34, np.nan, np.inf]
    tree = {"split_feature": "0", "threshold": repr(threshold), "decision_type": "2", "left_child": "-1"}
    text = text_of([{**tree, "right_child": "-2", "leaf_value": "1 2"}], 1)
    rows = np.array(values, dtype)[:, None]
    np.testing.assert_array_equal(Trees(text).scores(rows), lightgbm_scores(text, rows))


@st.composite
def forests(draw):
    """Trees that no training gives: crooked ones, with the same question more than once on a way."""
    features = draw(st.integers(1, 4))
    values = st.sampled_from([-2.0, -1.0, 0.0, 0.1, 1.0, 3.0])
    trees = []
    for _ in range(draw(st.integers(1, 5))):
        nodes = draw(st.integers(0, 12))
        children: list[int] = []
        free = [0]  # places for a child: 2 * node + side
        for node in range(nodes):
            if node:
                place = free.pop(draw(st.integers(0, len(free) - 1)))
                children[place] = node
            children += [0, 0]
            free = [*free, 2 * node, 2 * node + 1] if node else [0, 1]
        for leaf, place in enumerate(free if nodes else []):
            children[place] = -1 - leaf
        line = st.lists(values, min_size=nodes, max_size=nodes)
        tree = {
            "split_feature": draw(st.lists(st.integers(0, features - 1), min_size=nodes, max_size=nodes)),
            "threshold": draw(line),
            "decision_type": draw(st.lists(st.sampled_from([0, 2]), min_size=nodes, max_size=nodes)),
            "left_child": children[::2],
            "right_child": children[1::2],
            "leaf_value": draw(st.lists(values, min_size=nodes + 1, max_size=nodes + 1)),
        }
        trees.append({name: " ".join(map(str, numbers)) for name, numbers in tree.items()})
    rows = draw(st.lists(st.lists(values, min_size=features, max_size=features), min_size=1, max_size=9))
    return text_of(trees, features, averaged=draw(st.booleans())), np.array(rows)


@settings(max_examples=80)
@given(forests())
def test_any_forest_scores_as_lightgbm_does(drawn):
    text, rows = drawn
    np.testing.assert_array_equal(Trees(slim(text)).scores(rows), lightgbm_scores(slim(text), rows))


def test_a_text_without_trees_is_refused():
    with pytest.raises(ValueError, match="there is no tree"):
        slim(text_of([], 2))
