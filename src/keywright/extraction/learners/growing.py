"""Training of decision trees with LightGBM: bagged, random forests, boosted.

A bag or forest is LightGBM's ``rf`` mode with squared error on labels 0 and 1: a leaf holds the share of keyphrases
among its training rows, and the score is the mean over the trees. Differences from bagged C4.5 trees (Breiman 1996;
Quinlan 1993), as in WEKA:

* a tree sees a share of the rows, each once, instead of as many as there are, drawn with replacement; the default share
  0.632 is that of the distinct rows in such a draw;
* splits lower the squared error, which for labels 0 and 1 is Gini impurity, not entropy; nothing is pruned;
* values of a feature are first put into at most 255 bins, and splits lie between bins;
* trees grow best leaf first up to ``leaves``, not until all leaves are pure.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.learners.examples import Examples, check_both_classes, cross_fit
from keywright.extraction.learners.tree_text import slim
from keywright.extraction.learners.trees import Trees

_REPRODUCIBLE: Final = {"num_threads": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1}
_BINS: Final = {"min_data_in_bin": 1, "use_missing": False, "feature_pre_filter": False}
"""A bin of one row keeps rare counts apart; missing values count as 0."""
_MEMORY: Final = {"histogram_pool_size": 512.0}
"""Megabytes for histograms of leaves; arbitrary, and without effect on the trees."""
_MOST_ROWS: Final = 0.999
"""Largest share of the rows for each tree of a forest: LightGBM averages only trees that leave rows out."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Settings of trees that each see other rows (Breiman 1996) and other features at each split (Breiman 2001)."""

    trees: int = 100
    share: float = 0.632  # share of the rows for each tree, above 0 and below 1
    features: float = 1.0  # share for each split, 1 makes a bag
    least: int = 3  # rows of a leaf
    leaves: int = 1023  # maximum number of leaves of a tree
    seed: int = 1
    bins: ClassVar[int] = 255  # LightGBM's default


@dataclass(frozen=True, slots=True)
class Boosting:
    """Settings of boosted trees; the defaults were chosen by cross-validation on the SemEval-2010 training papers."""

    trees: int = 200  # number of trees
    rate: float = 0.06  # share of each correction that is applied, above 0, at most 1
    leaves: int = 12  # maximum number of leaves of a tree
    least: int = 30  # minimum number of rows of a leaf
    share: float = 0.7  # share of the rows for each tree, above 0, at most 1
    features: float = 0.3  # share of the features for each tree, above 0, at most 1
    penalty: float = 5.0  # on the squares of the leaves' values, from 0
    seed: int = 1
    # Share of the candidates that are no keyphrases to grow trees on, above 0, at most 1; each of them counts as many
    # times more, so that probabilities stay.
    others: float = 1.0
    # Maximum number of bins of a feature's values, from 2; with few bins many nodes have the same test, which costs its
    # time once.
    bins: int = 255
    # Share of the sum of all trees that is applied, above 0, at most 1; the less, the nearer scores are to the start.
    applied: float = 1.0


UNTUNED: Final = Boosting(rate=0.05, least=20, share=0.8, features=0.5, penalty=0.0)
"""Settings that were fitted on nothing; arbitrary, near LightGBM's defaults."""


def forest_trees(rows: Floats, answers: Bools, settings: Forest) -> Trees:
    """Train trees that vote independently, from features (rows, features) and labels (rows,)."""
    _check_share("share of the rows", settings.share, _MOST_ROWS)
    options = {
        "boosting": "rf",
        "objective": "regression",
        "boost_from_average": False,
        "feature_fraction_bynode": settings.features,
        "extra_trees": False,
    }
    return _train_trees(rows, answers, settings, options)


def boosted_trees(
    rows: Floats,
    answers: Bools,
    settings: Boosting = UNTUNED,
    *,
    weights: Floats | None = None,
    start: Floats | None = None,
) -> Trees:
    """Train trees that each correct those before them, for the logistic loss (Friedman 2001)."""
    # Rows are (rows, features); weights above 0 and ``start``, log-odds that are corrected, or the mean when None:
    # (rows,).
    _check_share("share of the rows", settings.share)
    _check_share("rate", settings.rate)
    _check_share("applied share", settings.applied)
    options = {
        "boosting": "gbdt",
        "objective": "binary",
        "learning_rate": settings.rate,
        "feature_fraction": settings.features,
        "lambda_l2": settings.penalty,
    }
    return _train_trees(rows, answers, settings, options, weights, start, counted=True, factor=settings.applied)


def _train_trees(  # noqa: PLR0913  (what training takes, in one place)
    rows: Floats,
    answers: Bools,
    settings: Forest | Boosting,
    options: dict[str, Any],
    weights: Floats | None = None,
    start: Floats | None = None,
    *,
    counted: bool = False,
    factor: float = 1.0,
) -> Trees:
    """Train with the settings and LightGBM's options, and keep the model's text, with leaves times a factor."""
    check_both_classes(answers, "a tree")
    _check_share("share of the features", settings.features)
    for name, number, least in (
        ("trees", settings.trees, 1),
        ("rows in a leaf", settings.least, 1),
        ("leaves", settings.leaves, 2),
    ):
        if number < least:
            raise BadParameter(f"{number} {name}", f"give at least {least}")
    with needs_extra("train", "training trees needs LightGBM"):
        import lightgbm  # noqa: PLC0415  (a second to import, and only training needs it)

    sizes = {"min_data_in_leaf": settings.least, "num_leaves": settings.leaves, "seed": settings.seed}
    sizes["max_bin"] = settings.bins
    bags = {"bagging_freq": 1, "bagging_fraction": settings.share}
    every = {**_REPRODUCIBLE, **_BINS, **_MEMORY, **options, **bags, **sizes}
    data = lightgbm.Dataset(rows, answers.astype(float), weight=weights, init_score=start, params=every)
    text = lightgbm.train(every, data, settings.trees).model_to_string(importance_type="split")
    return Trees(slim(text, counted=counted, factor=factor))


def _check_share(name: str, share: float, most: float = 1.0) -> None:
    """Raise ``BadParameter`` for a share that is not above 0 and at most ``most``."""
    if not 0 < share <= most:
        raise BadParameter(f"{name} {share}", f"give a number above 0, at most {most:g}")


FOLDS: Final = 5  # folds of cross-fitting; conventional


def held_out_scores(examples: Sequence[Examples], settings: Boosting, folds: int = FOLDS) -> list[Floats]:
    """Return log-odds of each example by trees of the other folds' documents; empty where these lack a class."""
    digests = (hashlib.sha256(each.document.encode()).hexdigest() for each in examples)
    fold = np.array([int(digest, 16) % max(folds, 1) for digest in digests], int)

    def fit(others: list[int]) -> Trees | None:
        rest = [examples[index] for index in others]
        some, every = any(each.answers.any() for each in rest), all(each.answers.all() for each in rest)
        return trees_of(rest, settings) if some and not every else None

    def score(trees: Trees | None, index: int) -> Floats:
        return np.zeros(0) if trees is None else trees.scores(examples[index].rows) + examples[index].start

    return cross_fit(fold, fit, score)


def trees_of(examples: Sequence[Examples], settings: Boosting) -> Trees:
    """Return trees that learnt from all candidates, or from all keyphrases and a share of the others."""
    rows = np.concatenate([example.rows for example in examples])
    answers = np.concatenate([example.answers for example in examples])
    weights = np.repeat([example.weight for example in examples], [len(example.answers) for example in examples])
    start = np.concatenate([example.start for example in examples]) if examples[0].expected else None
    if settings.others < 1:
        drawn = answers | (np.random.default_rng(settings.seed).random(len(answers)) < settings.others)
        weights = np.where(answers, weights, weights / settings.others)[drawn]
        rows, answers, start = rows[drawn], answers[drawn], None if start is None else start[drawn]
    return boosted_trees(rows, answers, settings, weights=weights, start=start)
