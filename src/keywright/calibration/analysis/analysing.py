"""A run and its gold become an ``Analysis``: everything that tells how far its confidences can be trusted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.calibration.analysis.degeneration import Degeneration, SoupRule, degeneration
from keywright.calibration.analysis.perplexity import Spread, spread
from keywright.calibration.analysis.positions import ByPlace, gold_by_fifth, probability_by_place, recall_by_fifth
from keywright.calibration.analysis.result import APART, CLASSES, Analysis, GoldPlaces
from keywright.calibration.calibrators.applying import recalibrated
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.judgements.confidence import Confidence, usual_confidence
from keywright.calibration.judgements.judging import KPG_WHOLE_TEXT, Decisions, decide
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.discrimination import risk_coverage
from keywright.calibration.measures.ece import calibration_error
from keywright.calibration.measures.inputs import checked_scores
from keywright.calibration.measures.measuring import all_phrases_are, measure
from keywright.calibration.measures.report import MEASURES, CalibrationReport
from keywright.core.arrays import Bools
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.runs import Run
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.token_probabilities import KPP

CALIBRATED: Final = "calibrated"
ORDERED: Final = frozenset({"accuracy", "auroc", "aurc", "excess_aurc", "correct_per_document"})
"""Measures for which scores need only tell an order."""

_NO_PROBABILITIES: Final = "scores are no probabilities"
_NO_PHRASES: Final = "measures, perplexities and positions in phrases: the run has no phrase that the protocol accepts"
_BETWEEN: Final = "scores are compared between documents here, which the scores of few systems are made for"


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """What a run's confidences are, and how they are judged.

    Attributes:
        protocol: one that tells present phrases from absent ones; None for ``kpg`` over the whole document.
        confidence: one of ``Confidence``; ``score`` takes scores as probabilities, which they must look like. None for
            the best that all phrases have, scores being no more than an order then.
        calibrator: gives probabilities in place of confidences; None for none.
    """

    protocol: Protocol | None = None
    confidence: Confidence | str | None = None
    calibrator: Calibrator | None = None

    def __post_init__(self) -> None:
        """Refuse what a calibrator has settled.

        Raises:
            BadParameter: a protocol or a confidence beside a calibrator.
        """
        if self.calibrator and (self.protocol or self.confidence):
            message = "a calibrator together with a protocol or a confidence"
            raise BadParameter(message, "it gives the confidence, and was fitted under a protocol of its own")


def analyse(
    run: Run,
    labelled: Iterable[LabelledDocument[Document]],
    judging: Judging | None = None,
    *,
    stemmed: bool = False,
    step: Callable[[], None] = lambda: None,
) -> Analysis:
    """All that can be told of a run's confidences.

    Args:
        run: of any system; without token probabilities the parts that need them are missing, with the reason.
        labelled: texts and gold.
        judging: what confidences are, and how they are judged.
        stemmed: whether the gold is stems, which must not be stemmed again.
        step: called after each class of phrases.

    Raises:
        BadRecord: the run has no predictions, it and the gold have no document in common, or a phrase lacks the
            confidence that was named.
        BadParameter: a confidence is no probability, the protocol does not tell present phrases from absent ones, or
            the calibrator is another system's.
        UnknownName: there is no such confidence.
    """
    judging, given = judging or Judging(), tuple(labelled)
    found = decide(run, given, judging.protocol or KPG_WHOLE_TEXT, stemmed=stemmed)
    phrases, kind, warnings = _phrases(run, given, found, judging, stemmed=stemmed)
    comparable = not (kind == Confidence.SCORE and judging.confidence is None)
    report = measure if comparable else _ordered
    reports = {}
    for name, rows in _classes(phrases).items():
        reports[name] = report(phrases.where(rows))
        step()
    spreads, places, missing = _of_tokens(found) if len(phrases) else ({}, {}, (_NO_PHRASES,))
    if len(phrases) and not comparable:
        missing = (f"calibration measures: {_NO_PROBABILITIES}; `keywright calibrate` turns them into some", *missing)
        warnings = (*warnings, _BETWEEN)
    gold, several = _gold(found, given)
    degenerate, alone = _degeneration(run, found)
    return Analysis(
        system=run.system,
        protocol=found.protocol.signature,
        confidence=kind,
        comparable=comparable,
        reports=reports,
        spreads=spreads,
        places=places,
        gold=gold,
        degeneration=degenerate,
        without_soup=_without(phrases, degenerate.soup) if comparable else {},
        missing=(*missing, *several),
        notes=(*warnings, *alone, *_notes(reports, judging.calibrator, found)),
    )


def _phrases(
    run: Run,
    labelled: tuple[LabelledDocument[Document], ...],
    found: Decisions,
    judging: Judging,
    *,
    stemmed: bool,
) -> tuple[JudgedPhrases, str, tuple[str, ...]]:
    """The phrases as columns, what their confidence is, and a warning of drift, or of probabilities passed over."""
    if judging.calibrator:
        phrases, drift = recalibrated(run, labelled, judging.calibrator, stemmed=stemmed)
        return phrases, CALIBRATED, drift
    keyphrases = [one.keyphrase for decisions in found.lists for one in decisions]
    kind = str(judging.confidence or usual_confidence(keyphrases))
    probable = sum(one.probability is not None for one in keyphrases)
    if judging.confidence or probable in {0, len(keyphrases)}:
        return found.columns(kind), kind, ()
    passed = f"{probable} of {len(keyphrases)} phrases have a probability and the others none: all are judged by {kind}"
    return found.columns(kind), kind, (passed,)


def _classes(phrases: JudgedPhrases) -> dict[str, Bools]:
    """The rows of each class."""
    every = np.ones(len(phrases), dtype=bool)
    return dict(zip(CLASSES, (phrases.present, ~phrases.present, every), strict=True))


def _ordered(phrases: JudgedPhrases) -> CalibrationReport:
    """The measures that look at the order of scores only: those of the scores' places among each other."""
    checked_scores(phrases.confidence, phrases.correct)
    values, place = np.unique(phrases.confidence, return_inverse=True)
    found = measure(replace(phrases, confidence=place / max(1, len(values) - 1)), names=ORDERED)
    no_probabilities = {name: _NO_PROBABILITIES for name in MEASURES if name not in ORDERED}
    return replace(
        found,
        absent={**found.absent, **no_probabilities},
        bins=(),
        curve=risk_coverage(phrases.confidence, phrases.correct) if len(phrases) else None,
    )


def _of_tokens(found: Decisions) -> tuple[dict[str, Spread], dict[str, ByPlace], tuple[str, ...]]:
    """Perplexities and probabilities by place, and why there are none."""
    keyphrases = [one.keyphrase for decisions in found.lists for one in decisions]
    tokens = sum(one.generation is not None for one in keyphrases)
    if not tokens and not any(KPP in one.evidence for one in keyphrases):
        return {}, {}, ("perplexities and positions in phrases: the run has no token probabilities",)
    kind = Confidence.KPP_S if tokens == len(keyphrases) else Confidence.KPP
    missing: list[str] = []
    spreads: dict[str, Spread] = {}
    places: dict[str, ByPlace] = {}
    try:
        phrases = found.columns(kind)
        spreads = {name: spread(phrases, present=name == "present") for name in APART}
    except BadRecord as error:
        missing.append(f"perplexities: {error.message}")
    try:
        places = {name: probability_by_place([found], present=name == "present", words=True) for name in APART}
    except BadRecord as error:
        missing.append(f"positions in phrases: {error.message}")
    return spreads, places, tuple(missing)


def _gold(found: Decisions, labelled: Iterable[LabelledDocument[Document]]) -> tuple[GoldPlaces, tuple[str, ...]]:
    """Where gold stands; the counts of the published study only where each phrase is listed once."""
    recall, judged = recall_by_fifth(found), frozenset(found.ids)
    documents = [one for one in labelled if one.id in judged]
    if len({gold.by for one in documents for gold in one.gold}) > 1:
        reason = "gold by fifth as the collection lists it: it has several kinds of gold, which share phrases"
        return GoldPlaces(recall, None, None), (reason,)
    return GoldPlaces(recall, gold_by_fifth(documents), gold_by_fifth(documents, as_published=True)), ()


def _degeneration(run: Run, found: Decisions) -> tuple[Degeneration, tuple[str, ...]]:
    """Repeats and soups of the judged documents; where there are only scores, these do not tell soups."""
    judged = frozenset(found.ids)
    run = replace(run, predictions=tuple(one for one in run.predictions if one.document_id in judged))
    keyphrases = [one for each in run.predictions for one in each.keyphrases]
    kind = usual_confidence(keyphrases)
    if kind is not Confidence.SCORE:
        return degeneration(run, SoupRule(), kind), ()
    note = "soups are told by length and single words alone, since scores are no confidence"
    return degeneration(run, SoupRule(confidence=None), kind), (note,) * bool(keyphrases)


def _without(phrases: JudgedPhrases, soup: Iterable[str]) -> dict[str, float]:
    """Calibration errors by class without the documents that are soups; empty where there are no such documents."""
    left_out = frozenset(soup)
    kept = np.array([name not in left_out for name in phrases.ids], dtype=bool)[phrases.document]
    if kept.all():
        return {}
    errors = {}
    for name, rows in _classes(phrases).items():
        left = phrases.where(rows & kept)
        if len(left):
            errors[name] = calibration_error(left.confidence, left.correct)
    return errors


def _notes(
    reports: Mapping[str, CalibrationReport], calibrator: Calibrator | None, found: Decisions
) -> tuple[str, ...]:
    """What a reader of the numbers should know."""
    notes = list(dict.fromkeys(f"{name} phrases: {note}" for name in APART for note in reports[name].notes))
    for name in APART:
        one = reports[name]
        if not one.phrases:
            notes.append(f"there are no {name} phrases")
        elif one.correct in {0, one.phrases}:
            notes.append(f"{all_phrases_are(one.phrases, name)} {'right' if one.correct else 'wrong'}")
    if calibrator and (seen := len(frozenset(found.ids) & frozenset(calibrator.held_out.ids))):
        notes.append(f"the calibrator has learnt from {seen} of these documents: it looks better on them than it is")
    return tuple(notes)
