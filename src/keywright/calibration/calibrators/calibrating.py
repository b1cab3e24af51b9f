"""Calibration of a run on labelled documents, measured on documents left out of the fit."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.calibration.calibrators.applying import run_features
from keywright.calibration.calibrators.calibrator import DIGITS, Calibrator, Card
from keywright.calibration.calibrators.drift import Reference
from keywright.calibration.calibrators.few_documents import cautions, chosen_method, folds_for
from keywright.calibration.calibrators.fitting import check_outcomes
from keywright.calibration.calibrators.model import FOLDS, ProbabilityModel, cross_fitted, folds_of
from keywright.calibration.judgements.confidence import Confidence, usual_confidence
from keywright.calibration.judgements.judging import KPG_WHOLE_TEXT, Decisions, decide, withheld, withheld_note
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.inputs import checked_probabilities, checked_scores
from keywright.calibration.measures.measuring import measure
from keywright.calibration.measures.report import MEASURES, CalibrationReport
from keywright.calibration.selection.guarantees import Guarantee, precision_guarantees
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.predictions import Run
from keywright.core.version import VERSION

SHOWN: Final = ("ece", "ece: present", "ece: absent", "brier", "log_loss", "auroc")
"""Measures of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A calibrator with its effect.

    Attributes:
        calibrator: fitted on all documents.
        before: measures of the system's confidences; None where it gives scores, which are not probabilities.
        after: measures of cross-fitted probabilities.
        notes: cautions for readers of the numbers.
    """

    calibrator: Calibrator
    before: CalibrationReport | None
    after: CalibrationReport
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "card": self.calibrator.as_json()["card"],
            "before": self.before and self.before.as_json(),
            "after": self.after.as_json(),
            "guarantees": [guarantee.as_json() for guarantee in self.guarantees],
            "notes": list(self.notes),
        }

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Each tenth of precision that can be guaranteed, with its cost."""
        return precision_guarantees(self.calibrator.held_out)

    def rows(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """Return a table: measure, before, after, interval and noise floor of after; percent where papers print it."""
        return tuple(
            (
                MEASURES[name].title.strip() + (" %" if MEASURES[name].percent else ""),
                "-" if self.before is None else self.before.formatted(name)[0],
                *self.after.formatted(name),
            )
            for name in SHOWN
        )


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
    """Fit a calibrator for a run's system on labelled documents, and measure it.

    Documents without any gold are not labelled, and left out. The run's longest list is the number of phrases that will
    be compared. ``confidence`` is by default the best of all phrases, ``method`` what suits it and their documents.
    """
    documents = [document for document in labelled if document.gold]
    times = Counter(document.id for document in documents)
    if repeated := [name for name, count in times.items() if count > 1]:
        message = f"{len(repeated)} documents are labelled more than once, such as {repeated[0]!r}"
        raise BadParameter(message, "give each document once")
    without = withheld(run, confidence)
    documents = [document for document in documents if document.id not in without]
    decisions = decide(run, documents, KPG_WHOLE_TEXT, stemmed=stemmed)
    rejected = _rejected(run, decisions)
    judged = decisions.columns(confidence)
    kind = Confidence(confidence or usual_confidence(decisions.keyphrases))
    chosen = chosen_method(method, kind, len(decisions.ids))
    confident = kind is not Confidence.SCORE
    _check(judged, confident=confident)
    features = run_features(decisions, kind, documents)
    judged = replace(judged, present=features.present)
    fold = folds_of(decisions.ids, folds_for(folds, len(decisions.ids)))[judged.document]
    held_out = np.round(cross_fitted(features, judged.correct, fold, chosen, confident=confident), DIGITS)
    model = ProbabilityModel.fit(features, judged.correct, chosen, confident=confident)
    reference = Reference.from_phrases(model.confidence(features), features.present)
    card = _card(run, judged, chosen, kind, data or run.data)
    calibrator = Calibrator(card, model, reference, replace(judged, confidence=held_out))
    before = measure(judged) if confident else None
    left_out = (withheld_note(len(without)),) if without else ()
    cautious = cautions(chosen, judged.ids, automatic=method is None)
    notes = (*left_out, *cautious, *rejected, *_notes(judged, confident=confident))
    return Calibration(calibrator, before, measure(calibrator.held_out), notes)


def _rejected(run: Run, decisions: Decisions) -> tuple[str, ...]:
    """Return a note of the phrases that the rules reject, which will be shown and are not judged."""
    ids = frozenset(decisions.ids)
    predictions = (prediction for prediction in run.predictions if prediction.document_id in ids)
    texts = [keyphrase.text for prediction in predictions for keyphrase in prediction.keyphrases]
    count = sum(not KPG_WHOLE_TEXT.accept(KPG_WHOLE_TEXT.normalise(text)) for text in texts)
    message = (
        f"the rules of kpg reject {count:,} of {len(texts):,} phrases: they have no letter or digit, or a comma, a full"
        " stop or an unknown word"
    )
    if count > len(texts) / 2:  # arbitrary: the judged phrases would not be typical
        raise BadParameter(message, "expected phrases of words; others cannot be judged")
    return (f"{message}; the numbers here are of the others",) if count else ()


def _check(judged: JudgedPhrases, *, confident: bool) -> None:
    """Refuse values that are not confidences, and outcomes that are all equal."""
    (checked_probabilities if confident else checked_scores)(judged.confidence, judged.correct)
    if not np.isfinite(judged.confidence).all():
        raise BadParameter("a score is infinite", "expected finite scores")
    check_outcomes(judged.correct)


def _card(run: Run, judged: JudgedPhrases, method: str, kind: Confidence, data: str) -> Card:
    return Card(
        method=method,
        confidence=kind.value,
        depth=max(len(prediction.keyphrases) for prediction in run.predictions),
        system=run.system,
        data=data,
        protocol=KPG_WHOLE_TEXT.signature,
        documents=len(judged.ids),
        phrases=len(judged),
        correct=int(judged.correct.sum()),
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        keywright=VERSION,
    )


def _notes(judged: JudgedPhrases, *, confident: bool) -> tuple[str, ...]:
    notes = []
    if not confident:
        notes.append("scores of this system are not probabilities, so there are no measures before")
    for name, rows in (("present", judged.present), ("absent", ~judged.present)):
        if not rows.any():
            notes.append(f"there are no {name} phrases to calibrate on")
        elif not judged.correct[rows].any():
            notes.append(f"no {name} phrase is correct")
    return tuple(notes)
