"""A calibrator applied to a run that is there already: to judge it, or to give its phrases probabilities."""

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.drift import watched
from keywright.calibration.calibrators.features import Described, Standing, by_spans, by_text, described, together
from keywright.calibration.calibrators.same_system import check_belongs, unversioned
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import ANYWHERE, Decision, Decisions, decided
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.arrays import Floats
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.core.version import VERSION

_SUBJECT: Final = "the run is of"


def recalibrated(
    run: Run, labelled: Iterable[LabelledDocument[Document]], calibrator: Calibrator, *, stemmed: bool = False
) -> tuple[JudgedPhrases, tuple[str, ...]]:
    """The phrases of a run as ``judged`` gives them, with a calibrator's probabilities as their confidence.

    Args:
        run: of the calibrator's system.
        labelled: texts and gold; the gold is not looked at for the probabilities.
        calibrator: what ``calibrate`` gave.
        stemmed: whether the gold is stems.

    Returns:
        The phrases, and a warning where they are unlike those of calibration.

    Raises:
        BadParameter: the run is another system's.
        BadRecord: the run and the gold have no document in common, or a phrase lacks its confidence.
    """
    check_belongs(calibrator.card.system, run.system, _SUBJECT)
    given = tuple(labelled)
    found = decided(run, given, ANYWHERE, stemmed=stemmed)
    judged = found.columns(calibrator.card.confidence)
    if not len(judged):
        return judged, ()
    seen = all_described(found, Confidence(calibrator.card.confidence), given, calibrator.card.depth)
    watch = watched(calibrator.reference, _profiles(seen, judged.offsets.tolist(), calibrator))
    warnings = (watch.warning,) if watch.unlike else ()
    return replace(judged, confidence=calibrator.of(seen), present=seen.present), warnings


def with_probabilities(run: Run, documents: Iterable[Document], calibrator: Calibrator) -> Run:
    """The run with a probability beside each phrase, in the same order; for systems that cannot be run again here.

    Repeats of a phrase have the probability of the first. Phrases that are none by the rules of calibration, such as
    those with an unknown word in them, have none.

    Args:
        run: of the calibrator's system.
        documents: all that the run has predictions for, in any order.
        calibrator: what ``calibrate`` gave.

    Raises:
        BadParameter: the run is another system's, or documents are missing.
        BadRecord: a phrase lacks its confidence.
    """
    check_belongs(calibrator.card.system, run.system, _SUBJECT)
    given = tuple(LabelledDocument(one, ()) for one in documents)
    missing = {one.document_id for one in run.predictions} - {one.id for one in given}
    if missing:
        message = f"{len(missing)} documents of the run have no text, such as {min(missing)!r}"
        raise BadParameter(message, "name the data set that the run was made on: --gold DATASET")
    found = decided(run, given, ANYWHERE)
    offsets = np.cumsum([0, *map(len, found.lists)]).tolist()
    answers = {one.document_id: one for one in run.predictions}
    if offsets[-1]:
        seen = all_described(found, Confidence(calibrator.card.confidence), given, calibrator.card.depth)
        likely = calibrator.of(seen)
        profiles = _profiles(seen, offsets, calibrator)
        for at, (name, decisions, profile) in enumerate(zip(found.ids, found.lists, profiles, strict=True)):
            column = likely[offsets[at] : offsets[at + 1]]
            answers[name] = replace(_probable(answers[name], decisions, column), profile=profile)
    system = f"calibrated|inner:({unversioned(run.system)})|calibrator:{calibrator.fingerprint}|v{VERSION}"
    return replace(run, system=system, predictions=tuple(answers[one.document_id] for one in run.predictions))


def all_described(
    found: Decisions, kind: Confidence, labelled: Iterable[LabelledDocument[Document]], depth: int | None = None
) -> Described:
    """All phrases as calibrators see them: by spans where the system gives any, else by what stands in the text."""
    lengths = {one.id: len(one.document.text) for one in labelled}
    spans = any(one.keyphrase.spans for decisions in found.lists for one in decisions)
    lists = []
    for name, decisions in zip(found.ids, found.lists, strict=True):
        keyphrases = [one.keyphrase for one in decisions]
        standing = by_spans(keyphrases, lengths[name]) if spans else _standing(decisions, found.texts[name])
        lists.append(described(keyphrases, kind, standing, depth))
    return together(lists)


def _profiles(seen: Described, offsets: list[int], calibrator: Calibrator) -> list[tuple[int, ...]]:
    """The profile of each document, whose phrases stand between two offsets."""
    depth = calibrator.card.depth
    bounds = itertools.pairwise(offsets)
    return [calibrator.profile(seen.where(np.arange(start, min(end, start + depth)))) for start, end in bounds]


def _probable(prediction: Prediction, decisions: Iterable[Decision], likely: Floats) -> Prediction:
    """A prediction whose phrases have the probabilities of their forms."""
    known = {one.form: chance for one, chance in zip(decisions, likely.tolist(), strict=True)}
    keyphrases: list[Keyphrase] = [
        replace(one, probability=known.get(ANYWHERE.normalise(one.text))) for one in prediction.keyphrases
    ]
    return replace(prediction, keyphrases=tuple(keyphrases))


def _standing(decisions: Iterable[Decision], text: str) -> Standing:
    forms, present = [], []
    for one in decisions:
        forms.append(one.form)
        present.append(one.present)
    return by_text(forms, np.array(present, dtype=bool), text)
