"""A meta-ranker: what several runs say of a phrase, and a little of the phrase itself, to the chance that it is right.

Boosted trees (the values of ``learners.trees.boosted_trees`` as they come: nothing was chosen here) learn from
documents with gold which runs to believe, and when. Where the same documents are to be ranked and to be learned from,
``cross_fitted`` does so by document: no document is ranked by trees that saw its gold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from keywright.calibration.ballots import Ballots
from keywright.calibration.calibrators.crossfitting import FOLDS, folds_of
from keywright.calibration.combining import Together, check_texts, combined, right, together
from keywright.calibration.text_stems import TextStems
from keywright.calibration.voting import Method, kinds_of, listed
from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase
from keywright.core.runs import Run
from keywright.core.signatures import signature
from keywright.learners.trees import Trees, boosted_trees

_OF_PHRASES = (
    "votes",
    "present",
    "words",
    "mentions",
    "first",
    "mean confidence",
    "highest confidence",
    "mean reciprocal rank",
    "best rank",
    "phrases",
)
_OF_RUNS = ("confidence", "reciprocal rank", "list")


@dataclass(frozen=True, eq=False)
class MetaRanker:
    """Trees over what runs say, fitted for these runs in this order.

    Attributes:
        trees: over ``columns``.
        runs: how many runs there are.
    """

    trees: Trees
    runs: int

    @classmethod
    def fit(cls, runs: Sequence[Run], labelled: Iterable[LabelledDocument[Document]]) -> Self:
        """Learn from runs over labelled documents, all of whose gold counts.

        Raises:
            BadRecord: the runs are of different documents, or have none with gold.
            BadParameter: fewer than two runs; or all phrases are right, or none.
            MissingExtra: LightGBM is not installed.
        """
        seen = _seen(runs, labelled)
        return cls(_trees(seen, range(len(seen.ids))), len(runs))

    def rank(self, runs: Sequence[Run], documents: Iterable[Document]) -> Run:
        """One run from as many as it was fitted on, in their order; score and probability are the chance.

        Args:
            runs: over the same documents.
            documents: their texts; a document without one has phrases without mentions.

        Raises:
            BadParameter: another number of runs.
            BadRecord: the runs are of different documents.
        """
        if len(runs) != self.runs:
            raise BadParameter(f"{len(runs)} runs", f"the meta-ranker was fitted on {self.runs}")
        given = together(runs, documents)
        check_texts(given)
        counted, rows = _described(given)
        chances = {name: _chances(self.trees, rows[name]) for name in given.ids}
        return combined(given, signature(_Named((self.trees.fingerprint,), _signatures(runs))), _by(counted, chances))


def cross_fitted(runs: Sequence[Run], labelled: Iterable[LabelledDocument[Document]], folds: int = FOLDS) -> Run:
    """One run over labelled documents, each ranked by trees that learned from the documents of the other folds.

    Documents of the runs without gold are left out.

    Raises:
        BadRecord: the runs are of different documents, or have none with gold.
        BadParameter: fewer than two runs, fewer documents than folds; or all phrases are right, or none.
        MissingExtra: LightGBM is not installed.
    """
    seen = _seen(runs, labelled)
    fold = folds_of(seen.ids, folds)
    chances: dict[str, Floats] = {}
    prints = []
    for one in range(folds):
        trees = _trees(seen, np.flatnonzero(fold != one).tolist())
        prints.append(trees.fingerprint)
        for at in np.flatnonzero(fold == one).tolist():
            chances[seen.ids[at]] = _chances(trees, seen.rows[at])
    given = Together(seen.given.runs, seen.ids, seen.given.answers, seen.given.texts)
    counted = dict(zip(seen.ids, seen.ballots, strict=True))
    return combined(given, signature(_Named(tuple(prints), _signatures(runs))), _by(counted, chances))


def columns(runs: int) -> tuple[str, ...]:
    """Names of what trees see of a phrase, (columns,): of the phrase, then of each run in their order."""
    return (*_OF_PHRASES, *(f"{what} {run}" for what in _OF_RUNS for run in range(1, runs + 1)))


def rows(ballots: Ballots, text: TextStems) -> Floats:
    """What trees see of each phrase, (phrases, columns).

    Mentions and lengths of lists are logarithms of one more; of a run that does not hold a phrase, confidence and
    reciprocal rank are 0.
    """
    if not len(ballots):
        return np.zeros((0, len(columns(ballots.rank.shape[1]))))
    phrases = [one.text for one in ballots.keyphrases]
    confidence = np.nan_to_num(ballots.confidence)
    sizes = np.broadcast_to(np.log1p(ballots.listed.sum(axis=0)), confidence.shape)
    of_phrases = (
        ballots.votes,
        ballots.present,
        np.array([len(one.split()) for one in phrases]),
        np.log1p([text.mentions(one) for one in phrases]),
        np.array([text.first(one) for one in phrases]),
        confidence.sum(axis=1) / ballots.votes,
        confidence.max(axis=1),
        ballots.reciprocal_rank,
        np.nanmin(ballots.rank, axis=1),
        np.full(len(phrases), len(phrases)),
    )
    return np.column_stack([*of_phrases, confidence, np.nan_to_num(1 / ballots.rank), sizes]).astype(float)


@dataclass(frozen=True)
class _Named:
    """What a meta-ranked run is called: its signature names the trees and the runs."""

    trees: tuple[str, ...]
    runs: tuple[str, ...]
    name: str = "meta-ranker"


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Labelled documents as trees see them, (documents,) each."""

    given: Together
    ids: tuple[str, ...]
    ballots: tuple[Ballots, ...]
    rows: tuple[Floats, ...]
    correct: tuple[Bools, ...]


def _seen(runs: Sequence[Run], labelled: Iterable[LabelledDocument[Document]]) -> _Seen:
    gold = {one.id: one for one in labelled}
    given = together(runs, (one.document for one in gold.values()))
    counted, described = _described(given)
    ids = tuple(name for name in given.ids if name in gold)
    if not ids:
        message = f"none of the {len(gold)} labelled documents is among the {len(given.ids)} of the runs"
        raise BadRecord(message, "label documents of the runs")
    return _Seen(
        given,
        ids,
        tuple(counted[name] for name in ids),
        tuple(described[name] for name in ids),
        tuple(right(counted[name], gold[name], given.language(name)) for name in ids),
    )


def _described(given: Together) -> tuple[dict[str, Ballots], dict[str, Floats]]:
    """Ballots and rows of each document."""
    kinds = kinds_of([_every(run) for run in given.runs], Method.VOTES)
    counted = {name: given.ballots(name, kinds) for name in given.ids}
    texts = {name: given.texts[name].text if name in given.texts else "" for name in given.ids}
    return counted, {name: rows(one, TextStems.of(texts[name], given.language(name))) for name, one in counted.items()}


def _trees(seen: _Seen, some: Iterable[int]) -> Trees:
    """Learned from some of the documents."""
    chosen = list(some)
    return boosted_trees(
        np.concatenate([seen.rows[at] for at in chosen]), np.concatenate([seen.correct[at] for at in chosen])
    )


def _chances(trees: Trees, found: Floats) -> Floats:
    """The chance of each phrase, (phrases,)."""
    chances: Floats = 1 / (1 + np.exp(-trees.scores(found))) if len(found) else np.zeros(0)
    return chances


def _by(counted: dict[str, Ballots], chances: dict[str, Floats]) -> partial[tuple[Keyphrase, ...]]:
    """What ranks a document of these, for ``combined``."""
    return partial(_ranked, counted, chances)


def _ranked(
    counted: dict[str, Ballots], chances: dict[str, Floats], _given: Together, name: str
) -> tuple[Keyphrase, ...]:
    order = np.argsort(-chances[name], kind="stable").tolist()
    return listed(counted[name], chances[name], order, chances[name])


def _signatures(runs: Sequence[Run]) -> tuple[str, ...]:
    return tuple(f"({run.system})" for run in runs)


def _every(run: Run) -> tuple[Keyphrase, ...]:
    return tuple(keyphrase for one in run.predictions for keyphrase in one.keyphrases)
