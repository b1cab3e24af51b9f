"""Calibration of a run on labelled documents, whose number decides the method, and its use on an existing run."""

import datetime as dt
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from keywright.calibration import phrases
from keywright.calibration.calibration_error import check_probabilities, check_scores
from keywright.calibration.calibrators.calibrator import (
    DIGITS,
    Calibrator,
    Card,
    Reference,
    check_same_system,
    monitor_profiles,
    remove_version,
)
from keywright.calibration.calibrators.model import (
    FOLDS,
    METHODS,
    ProbabilityModel,
    assign_document_folds,
    cross_fit,
    find_method,
)
from keywright.calibration.calibrators.parametric import SHIFT, check_outcomes
from keywright.calibration.guarantees import Guarantee, list_precision_guarantees
from keywright.calibration.judging import KPG_WHOLE_TEXT, Decisions, decide, drop_withheld
from keywright.calibration.measuring import MEASURES, CalibrationReport, measure
from keywright.core import VERSION
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.json_values import encode
from keywright.core.predictions import Run

MIN_DOCUMENTS: Final = 20  # documents below which nothing but a shift or two numbers are fitted; arbitrary
FEW: Final = "platt"  # method for fewer documents of systems without probabilities
FEW_LEAST: Final = 10  # documents that it takes: some 150 phrases of a language model's lists
ADVISED: Final = 50
"""Documents advised; arbitrary, between the 20 that do most of it and the 100 from which on more bring little."""
USUAL: Final = next(iter(METHODS))  # method for many documents, and for systems without probabilities
SHIFT_BELOW: Final = 20
"""Documents below which the shift is chosen: with 10 its error is smaller than that of beta, with 20 greater, also
where any of the collections is left out of the choice."""
SHIFT_LEAST: Final = 2
"""Documents that a shift takes: without one to fit and another to test, its effect cannot be measured."""
SHIFT_ADVISED: Final = 10  # documents advised for a shift: 4.3 % of error are left then, 5.0 with 5
WARNED_BELOW: Final = 5  # documents below which a note has the expected error; agreed, not fitted
EXPECTED_ERROR: Final[Mapping[int, float]] = MappingProxyType({2: 0.06, 3: 0.055, 4: 0.05, SHIFT_ADVISED: 0.04})
"""Calibration error after a shift by so many documents, mean over collections that the default did not train on."""
SHOWN: Final = ("ece", "ece: present", "ece: absent", "brier", "log_loss", "auroc")  # measures of the table


def recalibrate(
    run: Run, labelled: Iterable[LabelledDocument[Document]], calibrator: Calibrator, *, stemmed: bool = False
) -> tuple[phrases.JudgedPhrases, tuple[str, ...]]:
    """Return the judged phrases of a run with a calibrator's probabilities as their confidence, and a drift warning."""
    decisions, features, profiles = _describe_run(run, labelled, calibrator, stemmed=stemmed)
    judged = decisions.columns(calibrator.card.confidence)
    judged = replace(judged, confidence=calibrator.model.probabilities(features), present=features.present)
    return judged, monitor_profiles(calibrator.reference, profiles).warnings


def add_probabilities(run: Run, documents: Iterable[Document], calibrator: Calibrator) -> Run:
    """Return the run with a probability for each phrase; repeats have that of the first, odd ones none."""
    unlabelled = [LabelledDocument(document, ()) for document in documents]
    missing = {prediction.document_id for prediction in run.predictions} - {document.id for document in unlabelled}
    if missing:
        message = f"{len(missing)} documents of the run have no text, such as {min(missing)!r}"
        raise BadParameter(message, "name the data set that the run was made on: --gold DATASET")
    decisions, features, profiles = _describe_run(run, unlabelled, calibrator)
    # One iterator serves all lists, since their phrases lie one behind the other.
    probabilities = iter(calibrator.model.probabilities(features).tolist())
    by_form = [{decision.form: next(probabilities) for decision in listed} for listed in decisions.lists]
    judged = dict(zip(decisions.ids, zip(by_form, profiles, strict=True), strict=True))
    predictions = []
    for prediction in run.predictions:
        of_form, profile = judged.get(prediction.document_id, ({}, (0,) * len(calibrator.reference.counts)))
        keyphrases = tuple(
            replace(keyphrase, probability=of_form.get(KPG_WHOLE_TEXT.normalise(keyphrase.text)))
            for keyphrase in prediction.keyphrases
        )
        predictions.append(replace(prediction, keyphrases=keyphrases, profile=profile))
    system = f"calibrated|inner:({remove_version(run.system)})|calibrator:{calibrator.fingerprint}|v{VERSION}"
    return replace(run, system=system, predictions=tuple(predictions))


def _describe_run(
    run: Run, labelled: Iterable[LabelledDocument[Document]], calibrator: Calibrator, *, stemmed: bool = False
) -> tuple[Decisions, phrases.PhraseFeatures, list[tuple[int, ...]]]:
    """Return the judged phrases of a calibrator's system, their features, and the profile of each document."""
    card = calibrator.card
    check_same_system(card.system, run.system, "the run is of")
    documents, _ = drop_withheld(run, labelled, card.confidence)
    decisions = decide(run, documents, KPG_WHOLE_TEXT, stemmed=stemmed)
    features = compute_run_features(decisions, card.confidence, documents, card.depth)
    bounds = itertools.pairwise(np.cumsum([0, *map(len, decisions.lists)]).tolist())
    firsts = (np.arange(start, min(end, start + card.depth)) for start, end in bounds)
    return decisions, features, [calibrator.profile(features.where(rows)) for rows in firsts]


def compute_run_features(
    decisions: Decisions, kind: str, labelled: Iterable[LabelledDocument[Document]], depth: int | None = None
) -> phrases.PhraseFeatures:
    """Return the features of all phrases of a run: by spans where the system gives any, else by the texts."""
    lengths = {document.id: len(document.document.text) for document in labelled}
    spans = any(keyphrase.spans for keyphrase in decisions.keyphrases)
    lists = []
    for name, listed in zip(decisions.ids, decisions.lists, strict=True):
        keyphrases = [decision.keyphrase for decision in listed]
        if spans:
            occurrence = phrases.locate_spans(keyphrases, lengths[name])
        else:
            present = np.array([decision.present for decision in listed], dtype=bool)
            occurrence = phrases.locate_forms([decision.form for decision in listed], present, decisions.texts[name])
        lists.append(phrases.compute_list_features(keyphrases, kind, occurrence, depth))
    return phrases.concatenate_features(lists)


def choose_method(method: str | None, kind: Confidence, documents: int) -> str:
    """Return the method, by default ``USUAL``; for few documents the shift, or ``FEW`` without probabilities.

    Raises UnknownName: there is no such method; BadParameter: too few documents, or the shift without probabilities.
    """
    shiftable = kind is Confidence.PROBABILITY
    cautious = SHIFT if shiftable else FEW
    chosen = method or (cautious if documents < SHIFT_BELOW else USUAL)
    find_method(chosen)
    if chosen == SHIFT and not shiftable:
        message = f"shift corrects probabilities of the system's own, and its phrases are judged by {kind.value} here"
        raise BadParameter(message, f"choose another method, such as {USUAL}, or a system with probabilities")
    least = {SHIFT: SHIFT_LEAST, FEW: FEW_LEAST}.get(chosen, MIN_DOCUMENTS)
    if documents < least:
        advised = SHIFT_ADVISED if chosen == SHIFT else f"{ADVISED} to 100"
        hint = f"expected at least {least}, better {advised}"
        raise BadParameter(f"{documents} documents have both predictions and gold", hint)
    return chosen


def list_cautions(method: str, documents: int, *, automatic: bool) -> list[str]:
    """Return what a reader has to know of a fit on few documents: the choice of method, and the error to expect."""
    notes, advised = [], f"{SHIFT_ADVISED} or more" if method == SHIFT else f"{ADVISED} to 100"
    if method == SHIFT and automatic:
        fewer = f"method shift: {documents} documents are fewer than the {SHIFT_BELOW} from which on"
        notes.append(f"{fewer} {USUAL} has the smaller error")
    if method == SHIFT and documents < WARNED_BELOW:
        error, later = (f"{100 * EXPECTED_ERROR[number]:.0f}" for number in (documents, SHIFT_ADVISED))
        average = f"the calibration error on others is about {error} % on average"
        notes.append(f"{documents} documents: {average}, {later} % with {SHIFT_ADVISED}")
    elif documents < (SHIFT_ADVISED if method == SHIFT else ADVISED):
        notes.append(f"{documents} documents: intervals are wide; {advised} are advised")
    return notes


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A calibrator, fitted on all documents, measures of confidences ``before`` (None for scores) and ``after``."""

    calibrator: Calibrator
    before: CalibrationReport | None
    after: CalibrationReport
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        measures = {"before": self.before, "after": self.after}
        record = {"card": self.calibrator.as_json()["card"], **measures, "guarantees": self.guarantees}
        return dict(encode({**record, "notes": self.notes}))

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Each tenth of precision that can be guaranteed, with its cost."""
        return list_precision_guarantees(self.calibrator.held_out)

    def rows(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """Return a table: measure, before, after, interval and noise floor of after; percent where papers print it."""
        before = {name: "-" if self.before is None else self.before.format_measure(name)[0] for name in SHOWN}
        return tuple((MEASURES[name].label, before[name], *self.after.format_measure(name)) for name in SHOWN)


def calibrate(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    run: Run,
    labelled: Iterable[LabelledDocument[Document]],
    method: str | None = None,
    folds: int = FOLDS,
    confidence: Confidence | str | None = None,
    *,
    data: str = "",
    stemmed: bool = False,
) -> Calibration:
    """Fit a calibrator for a run's system on documents with gold, and measure it, to the depth of its longest list."""
    documents = tuple(document for document in labelled if document.gold)
    if repeated := [name for name, count in Counter(each.id for each in documents).items() if count > 1]:
        message = f"{len(repeated)} documents are labelled more than once, such as {repeated[0]!r}"
        raise BadParameter(message, "give each document once")
    documents, notes = drop_withheld(run, documents, confidence)
    decisions = decide(run, documents, KPG_WHOLE_TEXT, stemmed=stemmed)
    # Phrases that the rules reject will be shown, and are not judged.
    ids, rules = frozenset(decisions.ids), KPG_WHOLE_TEXT
    texts = [text for prediction in run.predictions if prediction.document_id in ids for text in prediction.texts]
    rejected = sum(not rules.accept(rules.normalise(text)) for text in texts)
    rejection = (
        f"the rules of kpg reject {rejected:,} of {len(texts):,} phrases: they have no letter or digit, or a comma, a"
        " full stop or an unknown word"
    )
    if rejected > len(texts) / 2:  # arbitrary: the judged phrases would not be typical
        raise BadParameter(rejection, "expected phrases of words; others cannot be judged")
    judged = decisions.columns(confidence)
    kind = Confidence(confidence or phrases.choose_confidence(decisions.keyphrases))
    chosen = choose_method(method, kind, len(decisions.ids))
    confident = kind is not Confidence.SCORE
    (check_probabilities if confident else check_scores)(judged.confidence, judged.correct)
    if not np.isfinite(judged.confidence).all():
        raise BadParameter("a score is infinite", "expected finite scores")
    check_outcomes(judged.correct)
    features = compute_run_features(decisions, kind, documents)
    judged = replace(judged, present=features.present)
    if len(judged.ids) < FOLDS:  # each document is left out once
        folds = len(judged.ids)
    fold = assign_document_folds(judged.ids, folds)[judged.document]
    held_out = np.round(cross_fit(features, judged.correct, fold, chosen, confident=confident), DIGITS)
    model = ProbabilityModel.fit(features, judged.correct, chosen, confident=confident)
    card = Card(
        method=chosen,
        confidence=kind.value,
        depth=max(len(prediction.keyphrases) for prediction in run.predictions),
        system=run.system,
        data=data or run.data,
        protocol=KPG_WHOLE_TEXT.signature,
        documents=len(judged.ids),
        phrases=len(judged),
        correct=int(judged.correct.sum()),
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        keywright=VERSION,
    )
    reference = Reference.from_phrases(model.confidence(features), features.present)
    calibrator = Calibrator(card, model, reference, replace(judged, confidence=held_out))
    notes += list_cautions(chosen, len(judged.ids), automatic=method is None)
    notes += [f"{rejection}; the numbers here are of the others"] if rejected else []
    if not confident:
        notes.append("scores of this system are not probabilities, so there are no measures before")
    for name, rows in (("present", judged.present), ("absent", ~judged.present)):
        if not rows.any():
            notes.append(f"there are no {name} phrases to calibrate on")
        elif not judged.correct[rows].any():
            notes.append(f"no {name} phrase is correct")
    return Calibration(calibrator, measure(judged) if confident else None, measure(calibrator.held_out), tuple(notes))
