"""Features of a meta-ranker: rank and confidence of a phrase in each run, and a few of the phrase itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.calibrators.few_documents import ADVISED, MIN_DOCUMENTS
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.predictions import Run
from keywright.ensembles.aligned_runs import AlignedRuns, TextStems, align
from keywright.ensembles.combining import correct_phrases, with_gold
from keywright.ensembles.voting import Ballots, Method

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


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFeatures:
    """The phrases of one document with their features: ``feature_rows`` of the ballots, (phrases, columns)."""

    ballots: Ballots
    rows: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Labelled documents with features and answers of their phrases, (documents,) each."""

    ids: tuple[str, ...]
    features: tuple[DocumentFeatures, ...]
    correct: tuple[Bools, ...]

    def where(self, documents: Bools) -> "Examples":
        """Return some of the documents, at least one, by truth values (documents,)."""
        places = np.flatnonzero(documents).tolist()
        return Examples(
            tuple(self.ids[place] for place in places),
            tuple(self.features[place] for place in places),
            tuple(self.correct[place] for place in places),
        )


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRuns:
    """Runs over documents of which some are labelled.

    ``kinds``: confidence taken from each run, (runs,); ``features``: of documents, by id.
    """

    aligned: AlignedRuns
    kinds: tuple[Confidence | None, ...]
    features: Mapping[str, DocumentFeatures]
    examples: Examples


def columns(runs: int) -> tuple[str, ...]:
    """Return the names of the features, (columns,): of the phrase, then of each run in order."""
    return (*_OF_PHRASES, *(f"{name} {run}" for name in _OF_RUNS for run in range(1, runs + 1)))


def feature_rows(ballots: Ballots, text: TextStems) -> Floats:
    """Return the features of each phrase, (phrases, columns).

    Mentions and lengths of lists are logarithms of one more; confidence and reciprocal rank are 0 for a run without the
    phrase.
    """
    if not len(ballots):
        return np.zeros((0, len(columns(ballots.rank.shape[1]))))
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


def features_by_document(aligned: AlignedRuns, kinds: Sequence[Confidence | None]) -> dict[str, DocumentFeatures]:
    """Return the features of each document's phrases."""
    if missing := [name for name in aligned.ids if name not in aligned.texts]:
        message = f"{len(missing)} of {len(aligned.ids)} documents of the runs have no text, such as {missing[0]!r}"
        raise BadRecord(message, "name the data set that the runs were made on: --texts DATASET")
    aligned.check_kinds(kinds)
    ballots = {name: aligned.ballots(name, kinds) for name in aligned.ids}
    return {
        name: DocumentFeatures(each, feature_rows(each, aligned.text_stems(name))) for name, each in ballots.items()
    }


def training_runs(
    runs: Sequence[Run],
    labelled: Iterable[LabelledDocument[Document]],
    documents: Iterable[Document] = (),
    *,
    only_labelled: bool = False,
) -> TrainingRuns:
    """Return runs with features and examples, for a meta-ranker.

    Documents without gold, of which all counts, are not labelled, and left out if ``only_labelled``; ``documents`` have
    their texts, and other texts replace those that came with the gold.
    """
    gold = with_gold(labelled)
    aligned = align(runs, (*(document.document for document in gold.values()), *documents))
    ids = aligned.labelled_among(gold)
    aligned = aligned.only(gold) if only_labelled else aligned
    kinds = aligned.kinds(Method.VOTES)
    features = features_by_document(aligned, kinds)
    correct = (correct_phrases(features[name].ballots, gold[name], aligned.language(name)) for name in ids)
    if len(ids) < MIN_DOCUMENTS:
        message = f"{len(ids)} documents of the runs have gold"
        raise BadParameter(message, f"expected at least {MIN_DOCUMENTS}, better {ADVISED} to 100")
    return TrainingRuns(aligned, kinds, features, Examples(ids, tuple(features[name] for name in ids), tuple(correct)))
