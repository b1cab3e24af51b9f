"""Application of a calibrator to an existing run: to judge the run, or to give its phrases probabilities."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.drift import monitored
from keywright.calibration.calibrators.features import (
    PhraseFeatures,
    concatenated,
    list_features,
    occurrence_from_forms,
    occurrence_from_spans,
)
from keywright.calibration.calibrators.same_system import check_same_system, unversioned
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import KPG_WHOLE_TEXT, Decision, Decisions, decide, withheld
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.arrays import Floats
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.predictions import Prediction, Run
from keywright.core.version import VERSION

_SUBJECT: Final = "the run is of"


def recalibrated(
    run: Run, labelled: Iterable[LabelledDocument[Document]], calibrator: Calibrator, *, stemmed: bool = False
) -> tuple[JudgedPhrases, tuple[str, ...]]:
    """Return the judged phrases of a run with a calibrator's probabilities as their confidence, and a drift warning."""
    check_same_system(calibrator.card.system, run.system, _SUBJECT)
    without = withheld(run, calibrator.card.confidence)
    documents = tuple(document for document in labelled if document.id not in without)
    decisions = decide(run, documents, KPG_WHOLE_TEXT, stemmed=stemmed)
    judged = decisions.columns(calibrator.card.confidence)
    if not len(judged):
        return judged, ()
    features = run_features(decisions, calibrator.card.confidence, documents, calibrator.card.depth)
    monitor = monitored(calibrator.reference, _profiles(features, judged.offsets.tolist(), calibrator))
    probabilities = calibrator.probabilities(features)
    return replace(judged, confidence=probabilities, present=features.present), monitor.warnings


def with_probabilities(run: Run, documents: Iterable[Document], calibrator: Calibrator) -> Run:
    """Return the run with a probability for each phrase, in the same order; for systems that cannot be run again here.

    Repeats of a phrase have the probability of the first. Phrases that the rules of calibration reject, such as those
    with an unknown word in them, have none. ``documents`` are all that the run has predictions for, in any order.
    """
    card = calibrator.card
    check_same_system(card.system, run.system, _SUBJECT)
    unlabelled = tuple(LabelledDocument(document, ()) for document in documents)
    missing = {prediction.document_id for prediction in run.predictions} - {document.id for document in unlabelled}
    if missing:
        message = f"{len(missing)} documents of the run have no text, such as {min(missing)!r}"
        raise BadParameter(message, "name the data set that the run was made on: --gold DATASET")
    without = withheld(run, card.confidence)
    unlabelled = tuple(document for document in unlabelled if document.id not in without)
    decisions = decide(run, unlabelled, KPG_WHOLE_TEXT)
    offsets = np.cumsum([0, *map(len, decisions.lists)]).tolist()
    empty = (0,) * len(calibrator.reference.counts)
    predictions = {
        each.document_id: replace(each, profile=empty) if each.document_id in without else each
        for each in run.predictions
    }
    if offsets[-1]:
        features = run_features(decisions, card.confidence, unlabelled, card.depth)
        probabilities = calibrator.probabilities(features)
        profiles = _profiles(features, offsets, calibrator)
        for at, (name, listed, profile) in enumerate(zip(decisions.ids, decisions.lists, profiles, strict=True)):
            column = probabilities[offsets[at] : offsets[at + 1]]
            predictions[name] = replace(_with_column(predictions[name], listed, column), profile=profile)
    system = f"calibrated|inner:({unversioned(run.system)})|calibrator:{calibrator.fingerprint}|v{VERSION}"
    in_order = tuple(predictions[prediction.document_id] for prediction in run.predictions)
    return replace(run, system=system, predictions=in_order)


def run_features(
    decisions: Decisions,
    kind: Confidence | str,
    labelled: Iterable[LabelledDocument[Document]],
    depth: int | None = None,
) -> PhraseFeatures:
    """Return the features of all phrases of a run: by spans where the system gives any, else by the texts."""
    lengths = {document.id: len(document.document.text) for document in labelled}
    spans = any(keyphrase.spans for keyphrase in decisions.keyphrases)
    lists = []
    for name, listed in zip(decisions.ids, decisions.lists, strict=True):
        keyphrases = [decision.keyphrase for decision in listed]
        if spans:
            occurrence = occurrence_from_spans(keyphrases, lengths[name])
        else:
            present = np.array([decision.present for decision in listed], dtype=bool)
            occurrence = occurrence_from_forms([decision.form for decision in listed], present, decisions.texts[name])
        lists.append(list_features(keyphrases, kind, occurrence, depth))
    return concatenated(lists)


def _profiles(features: PhraseFeatures, offsets: Sequence[int], calibrator: Calibrator) -> list[tuple[int, ...]]:
    """Return the profile of each document, whose phrases lie between two offsets."""
    depth = calibrator.card.depth
    bounds = itertools.pairwise(offsets)
    return [calibrator.profile(features.where(np.arange(start, min(end, start + depth)))) for start, end in bounds]


def _with_column(prediction: Prediction, decisions: Iterable[Decision], probabilities: Floats) -> Prediction:
    """Return a prediction whose phrases have the probabilities of their forms."""
    by_form = {decision.form: p for decision, p in zip(decisions, probabilities.tolist(), strict=True)}
    keyphrases = (
        replace(keyphrase, probability=by_form.get(KPG_WHOLE_TEXT.normalise(keyphrase.text)))
        for keyphrase in prediction.keyphrases
    )
    return replace(prediction, keyphrases=tuple(keyphrases))
