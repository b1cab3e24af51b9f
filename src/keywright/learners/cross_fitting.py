"""Trees that learn from examples, and log-odds of examples by trees that did not learn from their documents."""

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.learners.examples import Examples
from keywright.learners.growing import Boosting, boosted_trees
from keywright.learners.trees import Trees

FOLDS: Final = 5
"""Folds of cross-fitting; conventional."""


def held_out_scores(examples: Sequence[Examples], settings: Boosting, folds: int = FOLDS) -> list[Floats]:
    """Return the log-odds of each example's candidates by trees that learnt from the other folds' documents.

    Empty where the other folds have no keyphrases, or nothing else.
    """
    fold = np.array([int(hashlib.sha256(each.document.encode()).hexdigest(), 16) % max(folds, 1) for each in examples])
    scores: list[Floats] = [np.zeros(0) for _ in examples]
    for number in range(folds):
        rest = [examples[row] for row in np.flatnonzero(fold != number).tolist()]
        if not _both_answers(rest):
            continue
        trees = trees_of(rest, settings)
        for row in np.flatnonzero(fold == number).tolist():
            scores[row] = log_odds_by(trees, examples[row])
    return scores


def log_odds_by(trees: Trees, example: Examples) -> Floats:
    """Return the log-odds of an example's candidates by trees, (candidates,)."""
    return trees.scores(example.rows) + example.start


def _both_answers(examples: Sequence[Examples]) -> bool:
    """Return whether there are keyphrases and other candidates."""
    return any(example.answers.any() for example in examples) and not all(example.answers.all() for example in examples)


def trees_of(examples: Sequence[Examples], settings: Boosting) -> Trees:
    """Return trees that learnt from all candidates, or from all keyphrases and a share of the others."""
    rows = np.concatenate([example.rows for example in examples])
    answers = np.concatenate([example.answers for example in examples])
    sizes = [len(example.answers) for example in examples]
    weights = np.repeat([example.weight for example in examples], sizes)
    start = np.concatenate([example.start for example in examples]) if examples[0].expected else None
    if settings.others < 1:
        drawn = answers | (np.random.default_rng(settings.seed).random(len(answers)) < settings.others)
        weights = np.where(answers, weights, weights / settings.others)[drawn]
        rows, answers, start = rows[drawn], answers[drawn], None if start is None else start[drawn]
    return boosted_trees(rows, answers, settings, weights=weights, start=start)
