"""Growing decision trees: bagged, random forests, extremely randomised, boosted. LightGBM does it.

A bag or forest is LightGBM's ``rf`` mode with squared error on labels 0 and 1: a leaf holds the share of keyphrases
among the training rows that fell into it, and the trees' mean is the score. What differs from bagging C4.5 trees
(Breiman 1996; Quinlan 1993), as in WEKA:

* a tree sees a share of the rows, each once, instead of as many as there are, drawn with replacement; the usual share
  0.632 is that of the distinct rows in such a draw;
* splits lower the squared error, which for labels 0 and 1 is Gini impurity, not entropy; nothing is pruned;
* values of a feature are first put into at most 255 steps, and splits lie between steps;
* trees grow best leaf first up to ``leaves``, not until all leaves are pure.
"""

from typing import Any

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter, MissingExtra
from keywright.learners.tree_text import slim
from keywright.learners.trees import Trees

_SAME_EVERY_TIME = {"num_threads": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1}
_STEPS = {"max_bin": 255, "min_data_in_bin": 1, "use_missing": False, "feature_pre_filter": False}
_SPACE = {"histogram_pool_size": 512.0}


def bagged_trees(  # noqa: PLR0913  (the four numbers of a bag, by name)
    rows: Floats,
    answers: Bools,
    *,
    trees: int = 100,
    share: float = 0.632,
    least: int = 3,
    leaves: int = 1023,
    seed: int = 1,
) -> Trees:
    """Trees that each see other rows, and all features at each split (Breiman 1996).

    Args:
        rows: features, (rows, features).
        answers: labels, (rows,).
        trees: how many.
        share: of the rows for each tree, above 0 and below 1.
        least: fewest rows of a leaf.
        leaves: most leaves of a tree.
        seed: of the draws.

    Raises:
        BadParameter: one of the classes has no row, or a number is out of its range.
        MissingExtra: LightGBM is not installed.
    """
    return random_forest(rows, answers, trees=trees, share=share, features=1.0, least=least, leaves=leaves, seed=seed)


def random_forest(  # noqa: PLR0913  (the five numbers of a forest, by name)
    rows: Floats,
    answers: Bools,
    *,
    trees: int = 100,
    share: float = 0.632,
    features: float = 0.3,
    least: int = 3,
    leaves: int = 1023,
    seed: int = 1,
    extremely: bool = False,
) -> Trees:
    """Trees that each see other rows, and other features at each split (Breiman 2001).

    Args:
        rows: features, (rows, features).
        answers: labels, (rows,).
        trees: how many.
        share: of the rows for each tree, above 0 and below 1.
        features: share of the features that each split may choose from, above 0, at most 1.
        least: fewest rows of a leaf.
        leaves: most leaves of a tree.
        seed: of the draws.
        extremely: whether one random place in each feature is tried instead of the best (Geurts et al. 2006).

    Raises:
        BadParameter: one of the classes has no row, or a number is out of its range.
        MissingExtra: LightGBM is not installed.
    """
    _within("share of the rows", share, 0.999)
    how = {
        "boosting": "rf",
        "objective": "regression",
        "boost_from_average": False,
        "bagging_freq": 1,
        "bagging_fraction": share,
        "feature_fraction_bynode": features,
        "extra_trees": extremely,
    }
    return _grown(rows, answers, trees, {**how, "min_data_in_leaf": least, "num_leaves": leaves, "seed": seed})


def extra_trees(  # noqa: PLR0913  (the numbers of a forest, by name)
    rows: Floats,
    answers: Bools,
    *,
    trees: int = 100,
    share: float = 0.8,
    features: float = 0.3,
    least: int = 3,
    leaves: int = 1023,
    seed: int = 1,
) -> Trees:
    """Extremely randomised trees (Geurts et al. 2006): a forest with random splits; arguments as there.

    The paper gives every tree all rows, which LightGBM cannot average; so ``share`` is below 1 here as well.
    """
    numbers = {"trees": trees, "least": least, "leaves": leaves, "seed": seed}
    return random_forest(rows, answers, share=share, features=features, extremely=True, **numbers)


def boosted_trees(  # noqa: PLR0913  (the numbers of boosting, by name)
    rows: Floats,
    answers: Bools,
    *,
    weights: Floats | None = None,
    start: Floats | None = None,
    trees: int = 200,
    rate: float = 0.05,
    share: float = 0.8,
    features: float = 0.5,
    least: int = 20,
    leaves: int = 12,
    penalty: float = 0.0,
    seed: int = 1,
) -> Trees:
    """Trees that each correct those before them, for the logistic loss (Friedman 2001).

    Args:
        rows: features, (rows, features).
        answers: labels, (rows,).
        weights: of the rows, above 0, (rows,); all alike when None.
        start: log odds that the trees correct, and are to be added to, (rows,); the mean of the answers when None.
        trees: how many.
        rate: how much of each correction is taken, above 0, at most 1.
        share: of the rows for each tree, above 0, at most 1.
        features: share of the features for each tree, above 0, at most 1.
        least: fewest rows of a leaf.
        leaves: most leaves of a tree.
        penalty: on the squares of the leaves' values, from 0.
        seed: of the draws.

    Raises:
        BadParameter: one of the classes has no row, or a number is out of its range.
        MissingExtra: LightGBM is not installed.
    """
    _within("share of the rows", share)
    _within("rate", rate)
    how = {
        "boosting": "gbdt",
        "objective": "binary",
        "learning_rate": rate,
        "bagging_freq": 1,
        "bagging_fraction": share,
        "feature_fraction": features,
        "lambda_l2": penalty,
    }
    sizes = {"min_data_in_leaf": least, "num_leaves": leaves, "seed": seed}
    return _grown(rows, answers, trees, {**how, **sizes}, weights, start, counted=True)


def _grown(  # noqa: PLR0913  (what training takes, in one place)
    rows: Floats,
    answers: Bools,
    trees: int,
    how: dict[str, Any],
    weights: Floats | None = None,
    start: Floats | None = None,
    *,
    counted: bool = False,
) -> Trees:
    """Train with these settings and keep the text."""
    if answers.all() or not answers.any():
        raise BadParameter("trees need rows of both classes", "do gold keyphrases occur in the documents?")
    _within("share of the features", how.get("feature_fraction_bynode", how.get("feature_fraction")))
    for name, number, fewest in (
        ("trees", trees, 1),
        ("rows in a leaf", how["min_data_in_leaf"], 1),
        ("leaves", how["num_leaves"], 2),
    ):
        if number < fewest:
            raise BadParameter(f"{number} {name}", f"give at least {fewest}")
    lightgbm = _lightgbm()
    settings = {**_SAME_EVERY_TIME, **_STEPS, **_SPACE, **how}
    data = lightgbm.Dataset(rows, answers.astype(float), weight=weights, init_score=start, params=settings)
    text = lightgbm.train(settings, data, trees).model_to_string(importance_type="split")
    return Trees(slim(text, counted=counted))


def _lightgbm() -> Any:
    """The library that grows trees.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import lightgbm  # noqa: PLC0415  (a second to import, and only training needs it)
    except ImportError as error:
        message = "training trees needs LightGBM, which is not installed"
        raise MissingExtra(message, "pip install 'keywright[train]'") from error
    return lightgbm


def _within(what: str, share: Any, most: float = 1.0) -> None:
    if not 0 < share <= most:
        raise BadParameter(f"{what} {share}", f"give a number above 0, at most {most:g}")
