"""A meta-ranker: the probability of a phrase from its ranks and confidences in several runs, by boosted trees.

Trees that learn from few documents are overconfident on the phrases that they were grown on. Platt scaling (Platt
1999), separately for present and absent phrases, is therefore fitted on cross-fitted log odds, and never falls. Trained
on 100 of the Inspec documents that five generators answer, the trees' own probabilities of present phrases have an
expected calibration error of .075 on the other 400, those after Platt scaling of .034 (mean of four draws).
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from keywright.calibration.calibrators.calibrating import ADVISED, MIN_DOCUMENTS
from keywright.calibration.calibrators.calibrator import is_same_system
from keywright.calibration.calibrators.model import FOLDS, assign_document_folds
from keywright.calibration.calibrators.parametric import check_outcomes, fit_weights, make_class_penalty, split_by_class
from keywright.core import VERSION
from keywright.core.arrays import Bools, Floats
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.json_values import check_numbers, check_text, decode, encode
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Run
from keywright.core.saving import read_sealed, seal_record, write_sealed
from keywright.core.signatures import fingerprint_texts, signature
from keywright.ensembles import combining
from keywright.ensembles.combining import AlignedRuns
from keywright.ensembles.voting import MIN_LISTS, Ballots, Method, list_voted
from keywright.extraction.learners.examples import cross_fit as cross_fit_documents
from keywright.extraction.learners.growing import boosted_trees
from keywright.extraction.learners.probability import sigmoid
from keywright.extraction.learners.tree_text import parse_trees
from keywright.extraction.learners.trees import Trees
from keywright.reading.limits import Limits

_OF_PHRASES: Final = (
    *("votes", "present", "words", "mentions", "first", "mean confidence", "highest confidence"),
    *("mean reciprocal rank", "best rank", "phrases"),
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


def compute_features(ballots: Ballots, text: combining.TextStems) -> Floats:
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
    ballots = ((name, aligned.ballots(name, kinds)) for name in aligned.ids)
    return {name: DocumentFeatures(each, compute_features(each, aligned.text_stems(name))) for name, each in ballots}


def prepare_training(
    runs: Sequence[Run],
    labelled: Iterable[LabelledDocument[Document]],
    documents: Iterable[Document] = (),
    *,
    only_labelled: bool = False,
) -> TrainingRuns:
    """Return runs with features and examples of documents with gold, and others unless ``only_labelled``."""
    gold = combining.select_labelled(labelled)
    aligned = combining.align_runs(runs, (*(document.document for document in gold.values()), *documents))
    ids = aligned.labelled_among(gold)
    aligned = replace(aligned, ids=ids) if only_labelled else aligned
    kinds = aligned.kinds(Method.VOTES)
    features = describe_documents(aligned, kinds)
    if len(ids) < MIN_DOCUMENTS:
        message = f"{len(ids)} documents of the runs have gold"
        raise BadParameter(message, f"expected at least {MIN_DOCUMENTS}, better {ADVISED} to 100")
    answers = {name: combining.mark_correct(features[name].ballots, gold[name], aligned.language(name)) for name in ids}
    marked = {name: replace(features[name], correct=correct) for name, correct in answers.items()}
    return TrainingRuns(aligned, kinds, features, marked)


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
        scores = cross_fit_documents(
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


NAME: Final = "meta-ranker"
_FILE: Final = re.compile(r"\|sha256:[0-9a-f]+")
_COMMAND: Final = "keywright combine RUN RUN... --method meta-ranker --gold DATASET -o RUN --save FILE"
_MOST_RUNS: Final = 1000  # most runs of a meta-ranker; arbitrary
_WEIGHTS: Final = 4  # intercept and slope for present phrases, and for absent ones
_MOST_LEAVES: Final = 1_000_000
"""Trees times leaves of the largest, for which scoring allocates memory; a fit has 2,400. Arbitrary."""
_LARGEST: Final = 1e6
"""Largest weight, and sum of leaves, so that products stay finite; a fit stays below 100. Arbitrary."""


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a meta-ranker: what it is for, and what it learned from."""

    systems: tuple[str, ...]  # signatures of the runs' systems, in order; without the hash of a file of another tool
    # Confidence taken from each run, one of ``Confidence``; empty where a run has none to compare with that of others.
    confidences: tuple[str, ...]
    data: str  # name or signature of the labelled documents; empty when not known
    # Fingerprint of each of them (``signatures.fingerprint_texts``), to detect them in later runs.
    learned: tuple[str, ...]
    phrases: int  # numbers of each
    correct: int
    date: str  # day of the fit, as in ISO 8601
    keywright: str  # version that fitted it


def _identify_system(run: Run) -> str:
    """Return a run's signature without the hash of its file: another file of a generator is of the same system."""
    return _FILE.sub("", run.system) or combining.title_run(run)


@dataclass(frozen=True, eq=False)
class MetaRanker:
    """Trees over the features of runs of certain systems, in a certain order."""

    card: Card
    trees: CalibratedTrees

    @classmethod
    def fit(cls, training: TrainingRuns, data: str = "") -> Self:
        """Learn from the labelled documents of runs."""
        examples, texts = training.labelled, training.aligned.texts
        card = Card(
            systems=tuple(map(_identify_system, training.aligned.runs)),
            confidences=tuple("" if kind is None else kind.value for kind in training.kinds),
            data=data,
            learned=tuple(fingerprint_texts((texts[name],)) for name in examples),
            phrases=sum(len(example.correct) for example in examples.values()),
            correct=sum(int(example.correct.sum()) for example in examples.values()),
            date=dt.datetime.now(dt.UTC).date().isoformat(),
            keywright=VERSION,
        )
        return cls(card, CalibratedTrees.fit(examples))

    def rank(self, runs: Sequence[Run], documents: Iterable[Document]) -> Run:
        """Return one run from as many as the ranker was fitted on, in order, by probability; ``documents``: texts."""
        if len(runs) != len(self.card.systems):
            raise BadParameter(f"{len(runs)} runs", f"the meta-ranker was fitted on {len(self.card.systems)}")
        for number, (run, expected) in enumerate(zip(runs, self.card.systems, strict=True), start=1):
            if not is_same_system(expected, system := _identify_system(run)):
                message = f"run {number} is of {system}, where the meta-ranker was fitted on {expected}"
                raise BadParameter(message, "name runs of the same systems in the same order, or fit it again")
        aligned = combining.align_runs(runs, documents)
        kinds = tuple(Confidence(kind) if kind else None for kind in self.card.confidences)
        features = describe_documents(aligned, kinds)
        probabilities = {name: self.trees.probabilities(each) for name, each in features.items()}
        return make_ranked_run(aligned, features, probabilities, (self.trees.trees.fingerprint,), "none")

    def count_learned(self, documents: Iterable[Document]) -> int:
        """Return how many of the documents it learned from: its ranking of these scores too well."""
        learned = set(self.card.learned)
        return sum(fingerprint_texts((document,)) in learned for document in documents)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Configuration of a meta-ranked run: number of folds that it was cross-fitted in, ``none`` for other trees."""

    trees: tuple[str, ...]
    cross_fitted: str
    runs: tuple[str, ...]
    name: str = NAME


def make_ranked_run(
    aligned: AlignedRuns,
    features: Mapping[str, DocumentFeatures],
    probabilities: Mapping[str, Floats],
    fingerprints: Sequence[str],
    cross_fitted: str,
) -> Run:
    """Return the run of phrases ordered by probability, then votes, then mean reciprocal rank."""

    def rank(name: str) -> tuple[Keyphrase, ...]:
        ballots, column = features[name].ballots, probabilities[name]
        if not len(ballots):
            return ()
        order = np.lexsort((-ballots.reciprocal_rank, -ballots.votes, -column)).tolist()
        return list_voted(ballots, column, order, column)

    runs = tuple(f"({run.system})" for run in aligned.runs)
    return combining.make_combined_run(aligned, signature(Ranked(tuple(fingerprints), cross_fitted, runs)), rank)


def cross_fit(training: TrainingRuns, folds: int = FOLDS) -> Run:
    """Return one run, each labelled document ranked by trees of the other folds, others by those of all."""
    ids, fingerprints = list(training.labelled), []

    def fit(indices: Iterable[int]) -> CalibratedTrees:
        trees = CalibratedTrees.fit({ids[index]: training.labelled[ids[index]] for index in indices})
        fingerprints.append(trees.trees.fingerprint)
        return trees

    fold = assign_document_folds(ids, folds)
    held_out = cross_fit_documents(fold, fit, lambda trees, index: trees.probabilities(training.features[ids[index]]))
    probabilities = dict(zip(ids, held_out, strict=True))
    if unlabelled := [name for name in training.aligned.ids if name not in probabilities]:
        trees = fit(range(len(ids)))
        probabilities |= {name: trees.probabilities(training.features[name]) for name in unlabelled}
    return make_ranked_run(training.aligned, training.features, probabilities, fingerprints, f"{folds} folds")


def write_meta_ranker(ranker: MetaRanker, path: Path) -> None:
    """Write a meta-ranker to a file, atomically."""
    trees = {"trees": ranker.trees.trees.text, "weights": ranker.trees.weights}
    write_sealed(seal_record(NAME, {"card": encode(ranker.card), **trees}), path)


def read_meta_ranker(path: Path) -> MetaRanker:
    """Return a meta-ranker from its file; raises ``MissingData``, ``BrokenFile`` or ``TooLarge``."""
    return read_sealed(path, NAME, _parse_ranker, _COMMAND, Limits().check_file)


def _parse_ranker(record: Mapping[str, Any]) -> MetaRanker:
    card: Card = decode(Card, record["card"], "card")
    if not MIN_LISTS <= len(card.systems) <= _MOST_RUNS or len(card.confidences) != len(card.systems):
        raise ValueError(f"{len(card.systems)} systems and {len(card.confidences)} confidences")
    for kind in filter(None, card.confidences):
        Confidence(kind)
    weights = check_numbers(record["weights"], "weights")
    if len(weights) != _WEIGHTS or max(map(abs, weights)) > _LARGEST:
        raise ValueError(f"weights {weights!r:.60}")
    if any(weights[index] < 0 for index in SLOPES):
        raise ValueError("a slope is below 0")
    trees = check_text(record["trees"], "trees")
    forest, width = parse_trees(trees), len(name_features(len(card.systems)))
    if forest.features != width or forest.averaged:
        raise ValueError(f"trees over {forest.features} columns, where the runs have {width}")
    sizes = [len(tree.leaf) for tree in forest.trees]
    if len(sizes) * max(sizes) > _MOST_LEAVES:
        raise ValueError(f"{len(sizes)} trees of up to {max(sizes)} leaves")
    if sum(float(np.abs(tree.leaf).max()) for tree in forest.trees) > _LARGEST:
        raise ValueError("leaves whose sum is not finite log odds")
    return MetaRanker(card, CalibratedTrees(Trees(trees), weights))
