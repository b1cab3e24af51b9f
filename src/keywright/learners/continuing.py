"""Trees that go on where others stopped: a few labelled documents on top of what was learnt from many.

Boosting starts from the log odds of a judge that was trained elsewhere and adds small, slow trees, so that they learn
only in what the new documents differ. How many is told by the logistic loss on documents that were held out: documents
that teach little leave the ranking nearly as it was, and where there are many the new trees can say all. The sum is one
model again, whose scores can be explained like any other's. docs/decisions/0016-adapting.md has what else was tried.

Whatever is said of the outcome comes from cross-fitting: each document is judged by trees that were continued without
it, and its probabilities come from a map that was fitted without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.core.styles import Style
from keywright.learners.folds import dealt
from keywright.learners.growing import boosted_trees
from keywright.learners.probability import ProbabilityMap
from keywright.learners.ranker import TrainedRanker
from keywright.learners.ranker_training import Boosting, Examples
from keywright.learners.trees import Trees, first, joined

FOLDS: Final = 5
FURTHER: Final = Boosting(rate=0.07, leaves=8, penalty=10.0)
"""Numbers of the further trees; chosen on training collections that the first trees had not seen."""
ROUNDS: Final = (10, 25, 50, 100, 200)
"""How many further trees there may be; cross-fitting says which number judges unseen documents best."""
_ROWS_A_KNOT: Final = 10
"""Keyphrases for each knot of a probability map: few documents cannot tell many shares apart."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The candidates of one document in one style, judged without having been learnt from.

    Attributes:
        document: what its examples were held out by.
        style: whose keyphrases are the answers.
        gold: how many keyphrases people gave, whether or not they are among the candidates.
        answers: whether a candidate is a keyphrase, (candidates,).
        before: log odds by the judge as it was, (candidates,).
        after: log odds by the continued judge, (candidates,).
        probable_before: probabilities as they were, (candidates,); None where the judge has none for the style.
        probable_after: probabilities of the continued judge, (candidates,); None where too little could be learnt.
    """

    document: str
    style: Style
    gold: int
    answers: Bools
    before: Floats
    after: Floats
    probable_before: Floats | None
    probable_after: Floats | None


def continued(
    judge: TrainedRanker, examples: Iterable[Examples], how: Boosting = FURTHER, card: Mapping[str, Any] | None = None
) -> tuple[TrainedRanker, tuple[HeldOut, ...]]:
    """The judge with further trees and with probabilities of the styles that the examples have, and how it fares.

    Styles without examples have no probabilities any more: what they were fitted on has changed.

    Args:
        judge: what is known already.
        examples: of the new documents; those of one document name are held out together.
        how: numbers of the further trees.
        card: how the outcome was made.

    Returns:
        The continued judge, and each example as five-fold cross-fitting judges it, in the order given.

    Raises:
        BadParameter: the examples are of fewer documents than folds, lack keyphrases or other candidates, or have other
            columns than the judge.
    """
    known = [one for one in examples if len(one.answers)]
    fold = dealt([one.document for one in known], FOLDS)
    _check(judge, known)
    before = [judge.scores(one.rows) for one in known]
    stages = _stages(known, before, fold, how)
    losses = np.array([logistic_losses(one.answers, scores) for one, scores in zip(known, stages, strict=True)])
    after = [scores[losses[fold != number].sum(axis=0).argmin()] for scores, number in zip(stages, fold, strict=True)]
    maps = {
        (style, number): _map(known, after, _of(style, known) & (fold != number))
        for style in dict.fromkeys(one.style for one in known)
        for number in range(-1, FOLDS)  # -1 is no fold: the map of all
    }
    held_out = tuple(
        HeldOut(
            document=one.document,
            style=one.style,
            gold=max(one.gold, int(one.answers.sum())),
            answers=one.answers,
            before=start,
            after=end,
            probable_before=judge.probabilities(start, one.style),
            probable_after=None if (of_others := maps[one.style, int(number)]) is None else of_others.of(end),
        )
        for one, start, end, number in zip(known, before, after, fold, strict=True)
    )
    usable = {style.value: found for (style, number), found in maps.items() if number < 0 and found is not None}
    rounds = ROUNDS[losses.sum(axis=0).argmin()]
    trees = joined(judge.trees, _further(known, before, replace(how, trees=rounds)))
    return TrainedRanker(trees, judge.columns, usable, card or {}), held_out


def logistic_losses(answers: Bools, scores: Floats) -> Floats:
    """Sum of the logistic loss over candidates, (...), from log odds (..., candidates)."""
    return np.asarray(np.logaddexp(0, np.where(answers, -scores, scores)).sum(axis=-1))


def _check(judge: TrainedRanker, known: Sequence[Examples]) -> None:
    """Refuse what nothing can be learnt from."""
    documents = len({one.document for one in known})
    if documents < FOLDS:
        raise BadParameter(
            f"{documents} documents with keyphrases and candidates", f"give at least {FOLDS} different ones"
        )
    if any(one.columns != judge.columns for one in known):
        raise BadParameter("the judge knows candidates by other columns", "train it again with this version")
    if sum(bool(one.answers.any()) for one in known) < FOLDS:
        raise BadParameter(
            f"gold keyphrases stand in fewer than {FOLDS} of {documents} documents",
            "do the keyphrases belong to these documents?",
        )


def _stages(known: Sequence[Examples], before: Sequence[Floats], fold: Ints, how: Boosting) -> list[Floats]:
    """Log odds of each example after each number of further trees that had not seen it, (rounds, candidates) each."""
    found: list[Floats] = [np.zeros((len(ROUNDS), 0))] * len(known)
    for number in range(FOLDS):
        rest = np.flatnonzero(fold != number).tolist()
        whole = _further([known[at] for at in rest], [before[at] for at in rest], replace(how, trees=ROUNDS[-1]))
        parts = [first(whole, rounds) for rounds in ROUNDS]
        for at in np.flatnonzero(fold == number).tolist():
            found[at] = np.stack([before[at] + part.scores(known[at].rows) for part in parts])
    return found


def _further(known: Sequence[Examples], before: Sequence[Floats], how: Boosting) -> Trees:
    """Trees that correct the log odds of examples."""
    rows = np.concatenate([one.rows for one in known])
    answers = np.concatenate([one.answers for one in known])
    return boosted_trees(rows, answers, start=np.concatenate(before), **asdict(how))


def _of(style: Style, known: Sequence[Examples]) -> Bools:
    """Which examples are of a style, (examples,)."""
    return np.array([one.style is style for one in known])


def _map(known: Sequence[Examples], scores: Sequence[Floats], some: Bools) -> ProbabilityMap | None:
    """From the scores of some examples, (examples,), to probabilities; None where keyphrases are too few."""
    places = np.flatnonzero(some).tolist()
    answers = np.concatenate([np.zeros(0, bool), *(known[at].answers for at in places)])
    knots = min(64, int(answers.sum()) // _ROWS_A_KNOT)
    if knots < 2 or answers.all():  # noqa: PLR2004  (the ends of a line)
        return None
    return ProbabilityMap.fit(np.concatenate([scores[at] for at in places]), answers, knots)
