"""Continued training: further trees from a few labelled documents, on top of trees trained on many.

Boosting starts from the log-odds of a trained ranker and adds small, slow trees, so that they learn only how the new
documents differ. The number of trees minimises the logistic loss on held-out documents: uninformative documents leave
the ranking nearly unchanged, and many documents can override it. The sum is again one model, whose scores can be
explained like any other's. docs/decisions/0016-adapting.md lists the alternatives that were tried.

All reported results come from cross-fitting: each document is scored by trees that were continued without it, and its
probabilities come from a map that was fitted without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import Style
from keywright.core.errors import BadParameter
from keywright.extraction.learners.examples import Examples, assign_folds, expected_by_style
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.learners.trees import Trees, add_trees, first_trees

FOLDS: Final = 5
"""Folds of cross-fitting; conventional."""
FURTHER: Final = Boosting(rate=0.07, leaves=8, penalty=10.0)
"""Settings of the further trees; chosen on training collections that the first trees were not trained on."""
ROUNDS: Final = (10, 25, 50, 100, 200)
"""Candidate numbers of further trees; cross-fitting selects one."""
_ALL_FOLDS: Final = -1
"""Number of no fold: a map fitted on all examples."""
_KEYPHRASES_PER_KNOT: Final = 10
"""Keyphrases for each knot of a probability map; arbitrary: few documents cannot support many knots."""
_MOST_KNOTS: Final = 64
"""Maximum knots of a probability map, as where a ranker is trained anew."""
_FEWEST_KNOTS: Final = 2
"""Ends of a line."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The candidates of one document in one style, scored by models that were not trained on the document.

    Attributes:
        document: name by which its examples were held out.
        gold: number of gold keyphrases, among the candidates or not.
        answers: whether a candidate is a keyphrase, (candidates,).
        before: log-odds of the original ranker, (candidates,).
        after: log-odds of the continued ranker, (candidates,).
        probable_before: probabilities of the original ranker, (candidates,); None where it has none for the style.
        probable_after: probabilities of the continued ranker, (candidates,); None where keyphrases are too few.
    """

    document: str
    style: Style
    gold: int
    answers: Bools
    before: Floats
    after: Floats
    probable_before: Floats | None
    probable_after: Floats | None


def continue_training(
    ranker: TrainedRanker,
    examples: Iterable[Examples],
    settings: Boosting = FURTHER,
    card: Mapping[str, Any] | None = None,
) -> tuple[TrainedRanker, tuple[HeldOut, ...]]:
    """Return the ranker with further trees and new probabilities, and its cross-fitted results.

    Styles without examples have no probabilities any more: the scores that theirs were fitted on have changed. Results
    are of each example, in five-fold cross-fitting; examples of one document are held out together.
    """
    usable = [example for example in examples if len(example.answers)]
    fold = assign_folds([example.document for example in usable], FOLDS)
    _check(ranker, usable)
    before = [ranker.scores(example.rows, example.start) for example in usable]
    stages = _scores_by_rounds(usable, before, fold, settings)
    losses = np.array(
        [logistic_losses(example.answers, scores) for example, scores in zip(usable, stages, strict=True)]
    )
    after = [scores[losses[fold != number].sum(axis=0).argmin()] for scores, number in zip(stages, fold, strict=True)]
    of_style = {example.style: np.array([other.style is example.style for other in usable]) for example in usable}
    maps = {
        (style, number): _probability_map(usable, after, mask & (fold != number))
        for style, mask in of_style.items()
        for number in range(_ALL_FOLDS, FOLDS)
    }
    held_out = tuple(
        HeldOut(
            document=example.document,
            style=example.style,
            gold=max(example.gold, int(example.answers.sum())),
            answers=example.answers,
            before=scores_before,
            after=scores_after,
            probable_before=ranker.probabilities(scores_before, example.style),
            probable_after=None if (fitted := maps[example.style, int(number)]) is None else fitted.of(scores_after),
        )
        for example, scores_before, scores_after, number in zip(usable, before, after, fold, strict=True)
    )
    probability = {style.value: whole for style in of_style if (whole := maps[style, _ALL_FOLDS]) is not None}
    rounds = ROUNDS[losses.sum(axis=0).argmin()]
    trees = add_trees(ranker.trees, _further_trees(usable, before, replace(settings, trees=rounds)))
    expected = expected_by_style(usable)
    return TrainedRanker(trees, ranker.columns, probability, card or {}, expected, ranker.by_weight), held_out


def logistic_losses(answers: Bools, scores: Floats) -> Floats:
    """Return the sum of the logistic loss over candidates, (...), from log-odds (..., candidates)."""
    return np.asarray(np.logaddexp(0, np.where(answers, -scores, scores)).sum(axis=-1))


def _check(ranker: TrainedRanker, examples: Sequence[Examples]) -> None:
    """Raise ``BadParameter`` for examples that nothing can be learnt from."""
    documents = len({example.document for example in examples})
    if documents < FOLDS:
        raise BadParameter(
            f"{documents} documents with keyphrases and candidates", f"give at least {FOLDS} different ones"
        )
    if any(example.columns != ranker.columns for example in examples):
        raise BadParameter(
            "the ranker was trained on other columns than this version has", "train it again with this version"
        )
    if sum(bool(example.answers.any()) for example in examples) < FOLDS:
        raise BadParameter(
            f"gold keyphrases occur in fewer than {FOLDS} of {documents} documents",
            "do the keyphrases belong to these documents?",
        )


def _scores_by_rounds(
    examples: Sequence[Examples], before: Sequence[Floats], fold: Ints, settings: Boosting
) -> list[Floats]:
    """Return cross-fitted log-odds of each example after each number of further trees, (rounds, candidates) each."""
    scores: list[Floats] = [np.zeros((len(ROUNDS), 0))] * len(examples)
    for number in range(FOLDS):
        rest = np.flatnonzero(fold != number).tolist()
        most = replace(settings, trees=ROUNDS[-1])
        trees = _further_trees([examples[index] for index in rest], [before[index] for index in rest], most)
        # Boosting is incremental: the first trees of the longest run are the shorter runs, so one run serves all.
        parts = [first_trees(trees, rounds) for rounds in ROUNDS]
        for index in np.flatnonzero(fold == number).tolist():
            scores[index] = np.stack([before[index] + part.scores(examples[index].rows) for part in parts])
    return scores


def _further_trees(examples: Sequence[Examples], before: Sequence[Floats], settings: Boosting) -> Trees:
    rows = np.concatenate([example.rows for example in examples])
    answers = np.concatenate([example.answers for example in examples])
    return boosted_trees(rows, answers, settings, start=np.concatenate(before))


def _probability_map(examples: Sequence[Examples], scores: Sequence[Floats], mask: Bools) -> ProbabilityMap | None:
    """Fit a map on the scores of marked examples, (examples,); None where keyphrases are too few."""
    marked = np.flatnonzero(mask).tolist()
    answers = np.concatenate([np.zeros(0, bool), *(examples[index].answers for index in marked)])
    knots = min(_MOST_KNOTS, int(answers.sum()) // _KEYPHRASES_PER_KNOT)
    if knots < _FEWEST_KNOTS or answers.all():
        return None
    return ProbabilityMap.fit(np.concatenate([scores[index] for index in marked]), answers, knots)
