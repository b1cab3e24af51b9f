"""Continued training: further trees from a few labelled documents, on top of trees trained on many.

Boosting starts from the log-odds of a trained ranker, and the number of small, slow trees minimises the logistic loss
on held-out documents. The sum is again one model (docs/decisions/0016-adapting.md). All reported results come from
cross-fitting: trees and probabilities of a document are fitted without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Style
from keywright.core.errors import BadParameter
from keywright.extraction.learners.examples import Examples, assign_folds, cross_fit, expected_by_style
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.learners.trees import Trees, add_trees, first_trees

FOLDS: Final = 5  # folds of cross-fitting; conventional
FURTHER: Final = Boosting(rate=0.07, leaves=8, penalty=10.0)
"""Settings of the further trees; chosen on training collections that the first trees were not trained on."""
ROUNDS: Final = (10, 25, 50, 100, 200)  # candidate numbers of further trees; cross-fitting selects one
_ALL_FOLDS: Final = -1  # number of no fold: a map fitted on all examples
_KEYPHRASES_PER_KNOT: Final = 10
"""Keyphrases for each knot of a probability map; arbitrary: few documents cannot support many knots."""
_MOST_KNOTS: Final = 64  # maximum knots of a probability map, as where a ranker is trained anew
_FEWEST_KNOTS: Final = 2  # ends of a line


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The candidates of one document in one style, scored by models that were not trained on the document.

    ``gold``: keyphrases, among the candidates or not; ``before``, ``after``: log-odds of both rankers, (candidates,);
    ``probable_before``, ``probable_after``: probabilities, None where there are none.
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
    """Return the ranker with further trees and new probabilities, and results cross-fitted in five folds."""
    usable = [example for example in examples if len(example.answers)]
    fold = assign_folds([example.document for example in usable], FOLDS)
    _check(ranker, usable)
    before = [ranker.scores(example.rows, example.start) for example in usable]

    def grow(indices: Sequence[int], rounds: int) -> Trees:
        rows = np.concatenate([usable[index].rows for index in indices])
        answers = np.concatenate([usable[index].answers for index in indices])
        start = np.concatenate([before[index] for index in indices])
        return boosted_trees(rows, answers, replace(settings, trees=rounds), start=start)

    def grow_stages(others: list[int]) -> list[Trees]:
        # Boosting is incremental: the first trees of the longest run are the shorter runs, so one run serves all.
        trees = grow(others, ROUNDS[-1])
        return [first_trees(trees, rounds) for rounds in ROUNDS]

    def score_stages(stages: list[Trees], index: int) -> Floats:
        return np.stack([before[index] + trees.scores(usable[index].rows) for trees in stages])

    scores = cross_fit(fold, grow_stages, score_stages)
    losses = np.array([logistic_losses(each.answers, rounds) for each, rounds in zip(usable, scores, strict=True)])
    after = [rounds[losses[fold != number].sum(axis=0).argmin()] for rounds, number in zip(scores, fold, strict=True)]
    maps: dict[tuple[Style, int], ProbabilityMap | None] = {}
    for style in {example.style: None for example in usable}:
        of_style = np.array([example.style is style for example in usable])
        for number in range(_ALL_FOLDS, FOLDS):
            maps[style, number] = _probability_map(usable, after, of_style & (fold != number))
    held_out = []
    for index, example in enumerate(usable):
        fitted = maps[example.style, int(fold[index])]
        held_out.append(
            HeldOut(
                document=example.document,
                style=example.style,
                gold=max(example.gold, int(example.answers.sum())),
                answers=example.answers,
                before=before[index],
                after=after[index],
                probable_before=ranker.probabilities(before[index], example.style),
                probable_after=None if fitted is None else fitted.of(after[index]),
            )
        )
    whole = {style: fitted for (style, number), fitted in maps.items() if number == _ALL_FOLDS}
    probability = {style.value: fitted for style, fitted in whole.items() if fitted is not None}
    rounds = ROUNDS[losses.sum(axis=0).argmin()]
    trees = add_trees(ranker.trees, grow(range(len(usable)), rounds))
    expected = expected_by_style(usable)
    return TrainedRanker(trees, ranker.columns, probability, card or {}, expected, ranker.by_weight), tuple(held_out)


def logistic_losses(answers: Bools, scores: Floats) -> Floats:
    """Return the sum of the logistic loss over candidates, (...), from log-odds (..., candidates)."""
    return np.asarray(np.logaddexp(0, np.where(answers, -scores, scores)).sum(axis=-1))


def _check(ranker: TrainedRanker, examples: Sequence[Examples]) -> None:
    """Raise ``BadParameter`` for examples that nothing can be learnt from."""
    documents = len({example.document for example in examples})
    if documents < FOLDS:
        message = f"{documents} documents with keyphrases and candidates"
        raise BadParameter(message, f"give at least {FOLDS} different ones")
    if any(example.columns != ranker.columns for example in examples):
        message = "the ranker was trained on other columns than this version has"
        raise BadParameter(message, "train it again with this version")
    if sum(bool(example.answers.any()) for example in examples) < FOLDS:
        message = f"gold keyphrases occur in fewer than {FOLDS} of {documents} documents"
        raise BadParameter(message, "do the keyphrases belong to these documents?")


def _probability_map(examples: Sequence[Examples], scores: Sequence[Floats], mask: Bools) -> ProbabilityMap | None:
    """Fit a map on the scores of marked examples, (examples,); None where keyphrases are too few."""
    marked = np.flatnonzero(mask).tolist()
    answers = np.concatenate([np.zeros(0, bool), *(examples[index].answers for index in marked)])
    knots = min(_MOST_KNOTS, int(answers.sum()) // _KEYPHRASES_PER_KNOT)
    if knots < _FEWEST_KNOTS or answers.all():
        return None
    return ProbabilityMap.fit(np.concatenate([scores[index] for index in marked]), answers, knots)
