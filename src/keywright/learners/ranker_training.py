"""From described documents to a judge: trees on all of them, probabilities from trees that had not seen a document."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.errors import BadParameter
from keywright.core.styles import Style
from keywright.learners.growing import boosted_trees
from keywright.learners.probability import ProbabilityMap
from keywright.learners.ranker import TrainedRanker
from keywright.learners.trees import Trees

FOLDS: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """The candidates of one training document, in one style.

    Attributes:
        document: its id; all examples of one document are held out together.
        style: whose keyphrases are the answers.
        rows: what is known of each candidate, (candidates, columns).
        answers: whether it is a keyphrase, (candidates,).
        columns: names of the columns.
        weight: of the document, above 0.
        gold: how many keyphrases people gave, candidates or not.
    """

    document: str
    style: Style
    rows: Floats
    answers: Bools
    columns: tuple[str, ...]
    weight: float = 1.0
    gold: int = 0


@dataclass(frozen=True, slots=True)
class Boosting:
    """Numbers of the trees; chosen by cross-validation on the SemEval-2010 training papers."""

    trees: int = 200
    rate: float = 0.06
    leaves: int = 12
    least: int = 30
    share: float = 0.7
    features: float = 0.3
    penalty: float = 5.0
    seed: int = 1


def train_ranker(
    examples: Iterable[Examples], boosting: Boosting | None = None, card: Mapping[str, Any] | None = None
) -> TrainedRanker:
    """Trees on all examples, and a probability map for each style from five folds.

    Args:
        examples: of all training documents.
        boosting: numbers of the trees.
        card: how they were made.

    Raises:
        BadParameter: there are no examples, or all answers are alike.
    """
    known = [one for one in examples if len(one.answers)]
    if not known:
        raise BadParameter("there is nothing to learn from", "give documents with gold keyphrases")
    how = boosting or Boosting()
    trees = _grown(known, how)
    fold = np.array([int(hashlib.sha256(one.document.encode()).hexdigest(), 16) % FOLDS for one in known])
    held_out: dict[Style, list[tuple[Floats, Bools]]] = {}
    for number in range(FOLDS):
        rest = [one for one, its in zip(known, fold, strict=True) if its != number]
        if not _both_answers(rest):
            continue
        unseen = _grown(rest, how)
        for one in (one for one, its in zip(known, fold, strict=True) if its == number):
            held_out.setdefault(one.style, []).append((unseen.scores(one.rows), one.answers))
    return TrainedRanker(trees, known[0].columns, _maps(held_out), card or {})


def _both_answers(examples: list[Examples]) -> bool:
    return any(one.answers.any() for one in examples) and not all(one.answers.all() for one in examples)


def _grown(examples: list[Examples], how: Boosting) -> Trees:
    rows = np.concatenate([one.rows for one in examples])
    answers = np.concatenate([one.answers for one in examples])
    weights = np.repeat([one.weight for one in examples], [len(one.answers) for one in examples])
    return boosted_trees(rows, answers, weights=weights, **asdict(how))


def _maps(held_out: Mapping[Style, list[tuple[Floats, Bools]]]) -> dict[str, ProbabilityMap]:
    """A map for each style that has keyphrases and others among what was held out."""
    found = {}
    for style, parts in held_out.items():
        scores, answers = (np.concatenate(column) for column in zip(*parts, strict=True))
        if answers.any() and not answers.all():
            found[style.value] = ProbabilityMap.fit(scores, answers)
    return found
