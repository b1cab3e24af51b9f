"""Features of a meta-ranker, and boosted trees whose log odds become probabilities by Platt scaling.

Trees that learn from few documents are overconfident on the phrases that they were grown on. Platt scaling (Platt
1999), separately for present and absent phrases, is therefore fitted on cross-fitted log odds, and never falls. Trained
on 100 of the Inspec documents that five generators answer, the trees' own probabilities of present phrases have an
expected calibration error of .075 on the other 400, those after Platt scaling of .034 (mean of four draws).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from keywright.calibration.calibrators.calibrating import ADVISED, MIN_DOCUMENTS
from keywright.calibration.calibrators.model import FOLDS, assign_document_folds
from keywright.calibration.calibrators.parametric import check_outcomes, fit_weights, make_class_penalty, split_by_class
from keywright.core.arrays import Bools, Floats
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.predictions import Run
from keywright.ensembles.combining import AlignedRuns, TextStems, align_runs, mark_correct, select_labelled
from keywright.ensembles.voting import Ballots, Method
from keywright.extraction.learners.examples import cross_fit
from keywright.extraction.learners.growing import boosted_trees
from keywright.extraction.learners.probability import sigmoid
from keywright.extraction.learners.trees import Trees

_OF_PHRASES: Final = (
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
_OF_RUNS: Final = ("confidence", "reciprocal rank", "list")
SLOPES: Final = (1, 3)  # positions of the slopes among the weights of ``CalibratedTrees``


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFeatures:
    """The phrases of one document with their features, (phrases, columns), and whether they are ``correct``."""

    ballots: Ballots
    rows: Floats
    correct: Bools = field(default_factory=lambda: np.zeros(0, bool))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRuns:
    """Runs over documents, labelled or not, with the confidence taken from each run and features by document."""

    aligned: AlignedRuns
    kinds: tuple[Confidence | None, ...]
    features: Mapping[str, DocumentFeatures]
    labelled: Mapping[str, DocumentFeatures]


def name_features(runs: int) -> tuple[str, ...]:
    """Return the names of the features, (columns,): of the phrase, then of each run in order."""
    return (*_OF_PHRASES, *(f"{name} {run}" for name in _OF_RUNS for run in range(1, runs + 1)))


def compute_features(ballots: Ballots, text: TextStems) -> Floats:
    """Return features, (phrases, columns): logarithms of one more, 0 for a run without the phrase."""
    if not len(ballots):
        return np.zeros((0, len(name_features(ballots.rank.shape[1]))))
    phrases = [keyphrase.text for keyphrase in ballots.keyphrases]
    confidence = np.nan_to_num(ballots.confidence)
    sizes = np.broadcast_to(np.log1p(ballots.listed.sum(axis=0)), confidence.shape)
    of_phrases = (
        ballots.votes,
        ballots.present,
        np.array([len(phrase.split()) for phrase in phrases]),
        np.log1p([text.mentions(phrase) for phrase in phrases]),
        np.array([text.first(phrase) for phrase in phrases]),
        confidence.sum(axis=1) / ballots.votes,
        confidence.max(axis=1),
        ballots.reciprocal_rank,
        np.nanmin(ballots.rank, axis=1),
        np.full(len(phrases), len(phrases)),
    )
    return np.column_stack([*of_phrases, confidence, np.nan_to_num(1 / ballots.rank), sizes]).astype(float)


def describe_documents(aligned: AlignedRuns, kinds: Sequence[Confidence | None]) -> dict[str, DocumentFeatures]:
    """Return the features of each document's phrases."""
    if missing := [name for name in aligned.ids if name not in aligned.texts]:
        message = f"{len(missing)} of {len(aligned.ids)} documents of the runs have no text, such as {missing[0]!r}"
        raise BadRecord(message, "name the data set that the runs were made on: --texts DATASET")
    aligned.check_kinds(kinds)
    ballots = {name: aligned.ballots(name, kinds) for name in aligned.ids}
    return {
        name: DocumentFeatures(each, compute_features(each, aligned.text_stems(name))) for name, each in ballots.items()
    }


def prepare_training(
    runs: Sequence[Run],
    labelled: Iterable[LabelledDocument[Document]],
    documents: Iterable[Document] = (),
    *,
    only_labelled: bool = False,
) -> TrainingRuns:
    """Return runs with features and examples of documents with gold, and others unless ``only_labelled``."""
    gold = select_labelled(labelled)
    aligned = align_runs(runs, (*(document.document for document in gold.values()), *documents))
    ids = aligned.labelled_among(gold)
    aligned = replace(aligned, ids=ids) if only_labelled else aligned
    kinds = aligned.kinds(Method.VOTES)
    features = describe_documents(aligned, kinds)
    if len(ids) < MIN_DOCUMENTS:
        message = f"{len(ids)} documents of the runs have gold"
        raise BadParameter(message, f"expected at least {MIN_DOCUMENTS}, better {ADVISED} to 100")
    answers = {name: mark_correct(features[name].ballots, gold[name], aligned.language(name)) for name in ids}
    return TrainingRuns(
        aligned, kinds, features, {name: replace(features[name], correct=correct) for name, correct in answers.items()}
    )


@dataclass(frozen=True, eq=False)
class CalibratedTrees:
    """Trees with Platt scaling of their log odds: intercept and slope from 0, present phrases, then absent."""

    trees: Trees
    weights: tuple[float, ...]

    @classmethod
    def fit(cls, labelled: Mapping[str, DocumentFeatures]) -> Self:
        """Learn from labelled documents, at least as many as folds, by id."""
        examples = list(labelled.values())
        correct = np.concatenate([example.correct for example in examples])
        check_outcomes(correct)
        scores = cross_fit(
            assign_document_folds(list(labelled), FOLDS),
            lambda others: _grow_trees([examples[index] for index in others]),
            lambda trees, index: trees.scores(examples[index].rows),
        )
        present = np.concatenate([example.ballots.present for example in examples])
        rows = split_by_class((np.concatenate(scores),), present)
        weights = fit_weights(rows, correct, make_class_penalty(1), rising=SLOPES)
        return cls(_grow_trees(examples), tuple(weights.tolist()))

    def probabilities(self, features: DocumentFeatures) -> Floats:
        """Return the probability of each phrase to be a keyphrase, (phrases,)."""
        rows = split_by_class((self.trees.scores(features.rows),), features.ballots.present)
        return sigmoid(rows @ np.array(self.weights))


def _grow_trees(examples: Sequence[DocumentFeatures]) -> Trees:
    """Return trees with the default parameters of ``boosted_trees``: nothing was tuned here."""
    rows = np.concatenate([example.rows for example in examples])
    return boosted_trees(rows, np.concatenate([example.correct for example in examples]))
