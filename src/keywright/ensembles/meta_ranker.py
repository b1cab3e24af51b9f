"""A meta-ranker: the probability of a phrase from its ranks and confidences in several runs, by boosted trees."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from keywright.calibration.calibrators.calibrator import is_same_system
from keywright.calibration.calibrators.model import FOLDS, assign_document_folds
from keywright.core import VERSION
from keywright.core.arrays import Floats
from keywright.core.choices import Confidence
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.json_values import check_numbers, check_text, decode, encode
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Run
from keywright.core.saving import read_sealed, seal_record, write_sealed
from keywright.core.signatures import fingerprint_texts, signature
from keywright.ensembles.combining import AlignedRuns, align_runs, bracket_signatures, make_combined_run, title_run
from keywright.ensembles.meta_trees import (
    SLOPES,
    CalibratedTrees,
    DocumentFeatures,
    TrainingRuns,
    describe_documents,
    name_features,
)
from keywright.ensembles.voting import MIN_LISTS, list_voted
from keywright.extraction.learners.examples import cross_fit as cross_fit_documents
from keywright.extraction.learners.tree_text import parse_trees
from keywright.extraction.learners.trees import Trees
from keywright.reading.limits import Limits

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
    """The card of a meta-ranker: what it is for, and what it learned from.

    Attributes:
        systems: signatures of the runs' systems, in order; without the hash of a file of another tool.
        confidences: confidence taken from each run, one of ``Confidence``; empty where a run has none that could be
            compared with that of others.
        data: name or signature of the labelled documents; empty when not known.
        learned: fingerprint of each of them (``signatures.fingerprint_texts``), to detect them in later runs.
        phrases, correct: numbers of each.
        date: of the fit, as in ISO 8601.
        keywright: version that fitted it.
    """

    systems: tuple[str, ...]
    confidences: tuple[str, ...]
    data: str
    learned: tuple[str, ...]
    phrases: int
    correct: int
    date: str
    keywright: str


def _identify_system(run: Run) -> str:
    """Return a run's signature without the hash of its file: another file of a generator is of the same system."""
    return _FILE.sub("", run.system) or title_run(run)


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
        aligned = align_runs(runs, documents)
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

    system = signature(Ranked(tuple(fingerprints), cross_fitted, bracket_signatures(aligned.runs)))
    return make_combined_run(aligned, system, rank)


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
    """Return a meta-ranker from its file.

    Raises MissingData: there is no such file; BrokenFile: it is damaged, or something else; TooLarge: too many bytes.
    """
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
