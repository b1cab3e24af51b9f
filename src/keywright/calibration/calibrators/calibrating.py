"""A run and its gold become a calibrator, and what it changes is measured on documents that it has not seen."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.calibration.calibrators.applying import all_described
from keywright.calibration.calibrators.calibrator import DIGITS, Calibrator, Card
from keywright.calibration.calibrators.crossfitting import FOLDS, cross_fitted, folds_of
from keywright.calibration.calibrators.drift import Reference
from keywright.calibration.calibrators.fitting import check_answers
from keywright.calibration.calibrators.model import ProbabilityModel, method_of
from keywright.calibration.judgements.confidence import Confidence, usual_confidence
from keywright.calibration.judgements.judging import ANYWHERE, Decisions, decided
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.inputs import checked_probabilities, checked_scores
from keywright.calibration.measures.measuring import measure
from keywright.calibration.measures.report import MEASURES, CalibrationReport
from keywright.calibration.selection.guarantees import Guarantee, precision_guarantees
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.gold import LabelledDocument
from keywright.core.runs import Run
from keywright.core.version import VERSION

FEWEST: Final = 20
"""Documents below which nothing is fitted."""

ADVISED: Final = 50
"""Documents from which on probabilities can be relied on."""

SHOWN: Final = ("ece", "ece: present", "ece: absent", "brier", "log_loss", "auroc")
"""Measures of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A calibrator, and what it is worth.

    Attributes:
        calibrator: fitted on all documents.
        before: the system's confidences; None where it gives scores, which are no probabilities.
        after: probabilities, each by a fit on other documents.
        notes: what a reader of the numbers should know.
    """

    calibrator: Calibrator
    before: CalibrationReport | None
    after: CalibrationReport
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "card": self.calibrator.as_json()["card"],
            "before": self.before and self.before.as_json(),
            "after": self.after.as_json(),
            "guarantees": [guarantee.as_json() for guarantee in self.guarantees],
            "notes": list(self.notes),
        }

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Which precision of what is shown could be promised, in tenths, and what each costs."""
        return precision_guarantees(self.calibrator.held_out)

    def rows(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """For people: measure, before, after, interval and noise floor of after; percent where papers print percent."""
        return tuple(self._row(name) for name in SHOWN)

    def _row(self, name: str) -> tuple[str, str, str, str, str]:
        kind = MEASURES[name]
        factor, form = (100, ".2f") if kind.percent else (1, ".4f")
        old = None if self.before is None else self.before.values.get(name)
        new = self.after.values.get(name)
        title = f"{kind.title.strip()} %" if kind.percent else kind.title.strip()
        before = "-" if old is None else f"{factor * old.value:{form}}"
        if new is None:
            return title, before, "-", "", ""
        ends = "" if new.interval is None else " to ".join(f"{factor * end:{form}}" for end in new.interval)
        floor = "" if new.floor is None else f"{factor * new.floor.error:{form}}"
        return title, before, f"{factor * new.value:{form}}", ends, floor


def calibrate(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    run: Run,
    labelled: Iterable[LabelledDocument[Document]],
    method: str = "beta",
    folds: int = FOLDS,
    confidence: Confidence | str | None = None,
    *,
    data: str = "",
    stemmed: bool = False,
) -> Calibration:
    """A calibrator for a run's system, from documents of which the keyphrases are known.

    Documents without any gold are not labelled, and left out.

    Args:
        run: of the system; its longest list is how many phrases will be compared.
        labelled: texts and gold.
        method: one of ``METHODS``.
        folds: into which documents are divided for the measurement.
        confidence: what is calibrated; None takes the best that all phrases have: see ``usual_confidence``.
        data: what the labelled documents are called.
        stemmed: whether the gold is stems.

    Raises:
        UnknownName: there is no such method or confidence.
        BadRecord: the run and the gold have no document in common, or a phrase lacks its confidence.
        BadParameter: fewer than 20 documents, one that is there twice, phrases that are all right or all wrong, also
            those of all folds but one, phrases of which most are in letters that the rules do not know, or folds that
            cannot be.
    """
    method_of(method)
    given = [one for one in labelled if one.gold]
    _check_apart(given)
    found = decided(run, given, ANYWHERE, stemmed=stemmed)
    if len(found.ids) < FEWEST:
        message = f"{len(found.ids)} documents have both predictions and gold"
        raise BadParameter(message, f"expected at least {FEWEST}, better {ADVISED} to 100")
    unknown = _unknown(run, found)
    keyphrases = [one.keyphrase for decisions in found.lists for one in decisions]
    judged = found.columns(confidence)
    kind = Confidence(confidence or usual_confidence(keyphrases))
    confident = kind is not Confidence.SCORE
    _check(judged, confident=confident)
    seen = all_described(found, kind, given)
    judged = replace(judged, present=seen.present)
    fold = folds_of(found.ids, folds)[judged.document]
    apart = np.round(cross_fitted(seen, judged.correct, fold, method, confident=confident), DIGITS)
    model = ProbabilityModel.fit(seen, judged.correct, method, confident=confident)
    held_out = replace(judged, confidence=apart)
    reference = Reference.of(model.confidence(seen), seen.present)
    calibrator = Calibrator(_card(run, judged, method, kind, data or run.data), model, reference, held_out)
    before = measure(judged) if confident else None
    return Calibration(calibrator, before, measure(held_out), (*unknown, *_notes(judged, confident=confident)))


def _check_apart(labelled: Sequence[LabelledDocument[Document]]) -> None:
    """Refuse documents that stand there twice: what they prove would count twice."""
    twice = [name for name, times in Counter(one.id for one in labelled).items() if times > 1]
    if twice:
        message = f"{len(twice)} documents are labelled more than once, such as {twice[0]!r}"
        raise BadParameter(message, "give each document once")


def _unknown(run: Run, found: Decisions) -> tuple[str, ...]:
    """A note of the phrases that the rules throw away, which will be shown and are not judged.

    Raises:
        BadParameter: they are more than half.
    """
    ids = frozenset(found.ids)
    texts = [phrase.text for one in run.predictions if one.document_id in ids for phrase in one.keyphrases]
    count = sum(not ANYWHERE.accept(ANYWHERE.normalise(text)) for text in texts)
    message = (
        f"{count:,} of {len(texts):,} phrases are none by the rules of kpg: they have no letter or digit, or a comma,"
    )
    message += " a full stop or an unknown word"
    if count > len(texts) / 2:
        raise BadParameter(message, "expected phrases of words; others cannot be judged")
    return (f"{message}; what is said here is about the others",) if count else ()


def _check(judged: JudgedPhrases, *, confident: bool) -> None:
    """Refuse confidences that are none, and answers from which nothing can be learnt."""
    (checked_probabilities if confident else checked_scores)(judged.confidence, judged.correct)
    if not np.isfinite(judged.confidence).all():
        raise BadParameter("a score is infinite", "expected finite scores")
    check_answers(judged.correct)


def _card(run: Run, judged: JudgedPhrases, method: str, kind: Confidence, data: str) -> Card:
    return Card(
        method=method,
        confidence=kind.value,
        depth=max(len(one.keyphrases) for one in run.predictions),
        system=run.system,
        data=data,
        protocol=ANYWHERE.signature,
        documents=len(judged.ids),
        phrases=len(judged),
        correct=int(judged.correct.sum()),
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        keywright=VERSION,
    )


def _notes(judged: JudgedPhrases, *, confident: bool) -> tuple[str, ...]:
    notes = []
    if not confident:
        notes.append("scores of this system are no probabilities, so there is no before")
    if len(judged.ids) < ADVISED:
        notes.append(f"{len(judged.ids)} documents: intervals are wide; {ADVISED} to 100 are advised")
    for name, rows in (("present", judged.present), ("absent", ~judged.present)):
        if not rows.any():
            notes.append(f"there are no {name} phrases, so nothing is known of such")
        elif not judged.correct[rows].any():
            notes.append(f"no {name} phrase is right")
    return tuple(notes)
