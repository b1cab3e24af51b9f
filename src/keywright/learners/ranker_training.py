"""Training of the default's ranker: trees on all described documents, probabilities from trees of other folds."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter
from keywright.core.styles import Style
from keywright.learners.growing import Boosting, boosted_trees
from keywright.learners.probability import ProbabilityMap
from keywright.learners.ranker import TrainedRanker
from keywright.learners.trees import Trees

FOLDS: Final = 5
"""Folds of cross-fitting; conventional."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """The candidates of one training document, in one style.

    Attributes:
        document: its id; all examples of one document are held out together.
        style: whose keyphrases are the answers.
        rows: description of each candidate, (candidates, columns).
        answers: whether each is a keyphrase, (candidates,).
        columns: names of the columns.
        weight: of the document, above 0.
        gold: number of gold keyphrases, among the candidates or not.
    """

    document: str
    style: Style
    rows: Floats
    answers: Bools
    columns: tuple[str, ...]
    weight: float = 1.0
    gold: int = 0


def train_ranker(
    examples: Iterable[Examples], boosting: Boosting | None = None, card: Mapping[str, Any] | None = None
) -> TrainedRanker:
    """Train trees on all examples, and fit a probability map for each style by five-fold cross-fitting.

    Args:
        examples: of all training documents.
        boosting: settings of the trees.
        card: how the ranker was made.

    Raises:
        BadParameter: there are no examples, or all answers are alike.
    """
    usable = [example for example in examples if len(example.answers)]
    if not usable:
        raise BadParameter("there is nothing to learn from", "give documents with gold keyphrases")
    settings = boosting or Boosting()
    trees = _trees(usable, settings)
    fold = [int(hashlib.sha256(example.document.encode()).hexdigest(), 16) % FOLDS for example in usable]
    held_out: dict[Style, list[tuple[Floats, Bools]]] = {}
    for number in range(FOLDS):
        rest = [example for example, its_fold in zip(usable, fold, strict=True) if its_fold != number]
        if not _both_answers(rest):
            continue
        trees_of_fold = _trees(rest, settings)
        for example, its_fold in zip(usable, fold, strict=True):
            if its_fold == number:
                scores = trees_of_fold.scores(example.rows)
                held_out.setdefault(example.style, []).append((scores, example.answers))
    return TrainedRanker(trees, usable[0].columns, _probability_maps(held_out), card or {})


def _both_answers(examples: Sequence[Examples]) -> bool:
    """Return whether there are keyphrases and other candidates."""
    return any(example.answers.any() for example in examples) and not all(example.answers.all() for example in examples)


def _trees(examples: Sequence[Examples], settings: Boosting) -> Trees:
    """Train trees on weighted examples."""
    rows = np.concatenate([example.rows for example in examples])
    answers = np.concatenate([example.answers for example in examples])
    weights = np.repeat([example.weight for example in examples], [len(example.answers) for example in examples])
    return boosted_trees(rows, answers, settings, weights=weights)


def _probability_maps(held_out: Mapping[Style, list[tuple[Floats, Bools]]]) -> dict[str, ProbabilityMap]:
    """Fit a map for each style that has keyphrases and other candidates among the held-out examples."""
    maps = {}
    for style, parts in held_out.items():
        scores, answers = (np.concatenate(column) for column in zip(*parts, strict=True))
        if answers.any() and not answers.all():
            maps[style.value] = ProbabilityMap.fit(scores, answers)
    return maps
