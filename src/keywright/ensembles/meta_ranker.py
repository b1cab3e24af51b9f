"""A meta-ranker: the probability that a phrase is a keyphrase, from its ranks and confidences in several runs.

Boosted trees learn from documents with gold which runs to trust, and when (``calibrated_trees``). They then rank runs
of the same systems over other documents. ``cross_fitted`` learns from and ranks the same documents.
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.calibration.calibrators.model import FOLDS, folds_of
from keywright.calibration.calibrators.same_system import same_system
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.arrays import Floats
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.predictions import Keyphrase, Run
from keywright.core.signatures import of_texts, signature
from keywright.core.version import VERSION
from keywright.ensembles.aligned_runs import AlignedRuns, align, run_title
from keywright.ensembles.calibrated_trees import CalibratedTrees
from keywright.ensembles.combining import combined_run, signatures_of
from keywright.ensembles.meta_features import DocumentFeatures, TrainingRuns, features_by_document
from keywright.ensembles.voting import voted_keyphrases

NAME: Final = "meta-ranker"

_FILE: Final = re.compile(r"\|sha256:[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a meta-ranker: what it is for, and what it learned from.

    Attributes:
        systems: signatures of the runs' systems, in order; without the hash of a file of another tool.
        confidences: confidence taken from each run, one of ``Confidence``; empty where a run has none that could be
            compared with that of others.
        data: name or signature of the labelled documents; empty when not known.
        learned: fingerprint of each of them (``signatures.of_texts``), to detect them in later runs.
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


@dataclass(frozen=True, eq=False)
class MetaRanker:
    """Trees over the features of runs of certain systems, in a certain order."""

    card: Card
    trees: CalibratedTrees

    @classmethod
    def fit(cls, training: TrainingRuns, data: str = "") -> Self:
        """Learn from the labelled documents of runs."""
        examples, texts = training.examples, training.aligned.texts
        card = Card(
            systems=tuple(map(_system, training.aligned.runs)),
            confidences=tuple("" if kind is None else kind.value for kind in training.kinds),
            data=data,
            learned=tuple(of_texts((texts[name],)) for name in examples.ids),
            phrases=sum(map(len, examples.correct)),
            correct=sum(int(correct.sum()) for correct in examples.correct),
            date=dt.datetime.now(dt.UTC).date().isoformat(),
            keywright=VERSION,
        )
        return cls(card, CalibratedTrees.fit(examples))

    def rank(self, runs: Sequence[Run], documents: Iterable[Document]) -> Run:
        """Return one run from as many as the ranker was fitted on, in their order; scores are the probabilities.

        ``runs``: over the same documents; ``documents``: their texts, of each document that a run answers.
        """
        self._check(runs)
        aligned = align(runs, documents)
        kinds = tuple(Confidence(kind) if kind else None for kind in self.card.confidences)
        features = features_by_document(aligned, kinds)
        probabilities = {name: self.trees.probabilities(each) for name, each in features.items()}
        return ranked_run(aligned, features, probabilities, (self.trees.fingerprint,), "none")

    def count_learned(self, documents: Iterable[Document]) -> int:
        """Return how many of the documents it learned from: its ranking of these scores too well."""
        learned = set(self.card.learned)
        return sum(of_texts((document,)) in learned for document in documents)

    def _check(self, runs: Sequence[Run]) -> None:
        """Check that runs are of the systems that the ranker was fitted on."""
        if len(runs) != len(self.card.systems):
            raise BadParameter(f"{len(runs)} runs", f"the meta-ranker was fitted on {len(self.card.systems)}")
        for number, (run, expected) in enumerate(zip(runs, self.card.systems, strict=True), start=1):
            if not same_system(expected, system := _system(run)):
                message = f"run {number} is of {system}, where the meta-ranker was fitted on {expected}"
                raise BadParameter(message, "name runs of the same systems in the same order, or fit it again")


@dataclass(frozen=True, slots=True)
class Ranked:
    """Configuration of a meta-ranked run, for its signature.

    Attributes:
        cross_fitted: number of folds of the labelled documents, none of which was ranked by trees that learned from it;
            ``none`` for trees that learned elsewhere.
    """

    trees: tuple[str, ...]
    cross_fitted: str
    runs: tuple[str, ...]
    name: str = NAME


def ranked_run(
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
        return voted_keyphrases(ballots, column, order, column)

    system = signature(Ranked(tuple(fingerprints), cross_fitted, signatures_of(aligned.runs)))
    return combined_run(aligned, system, rank)


def _system(run: Run) -> str:
    """Return a run's signature without the hash of its file: another file of a generator is of the same system."""
    return _FILE.sub("", run.system) or run_title(run)


def cross_fitted(training: TrainingRuns, folds: int = FOLDS) -> Run:
    """Return one run, each labelled document ranked by trees that learned from the other folds.

    Documents are divided, not phrases. Documents without gold are ranked by trees that learned from all labelled ones.
    """
    examples, features = training.examples, training.features
    fold = folds_of(examples.ids, folds)
    probabilities: dict[str, Floats] = {}
    fingerprints = []
    for number in range(folds):
        trees = CalibratedTrees.fit(examples.where(fold != number))
        fingerprints.append(trees.fingerprint)
        for place in np.flatnonzero(fold == number).tolist():
            probabilities[examples.ids[place]] = trees.probabilities(examples.features[place])
    if unlabelled := [name for name in training.aligned.ids if name not in probabilities]:
        trees = CalibratedTrees.fit(examples)
        fingerprints.append(trees.fingerprint)
        probabilities |= {name: trees.probabilities(features[name]) for name in unlabelled}
    return ranked_run(training.aligned, features, probabilities, fingerprints, f"{folds} folds")
