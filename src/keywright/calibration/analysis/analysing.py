"""Analysis of a run on labelled documents: how far its confidences can be trusted.

The output of generators can be degenerate, which distorts measures: long lists of single words, each sure, and repeats.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from keywright.calibration import bootstrap_sums
from keywright.calibration.analysis import positions
from keywright.calibration.calibration_error import check_scores, measure_error
from keywright.calibration.calibrators.calibrating import recalibrate
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.judging import KPG_WHOLE_TEXT, Decisions, decide, drop_withheld
from keywright.calibration.measuring import MEASURES, CalibrationReport, measure, name_all_phrases
from keywright.calibration.phrases import JudgedPhrases, choose_confidence, compute_confidences
from keywright.calibration.proper_scores import trace_risk_coverage
from keywright.core.arrays import Ints
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.json_values import encode
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Run
from keywright.core.views import Kinds, NotebookTable, frame_records
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.generations import KPP
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

APART: Final = bootstrap_sums.CLASSES
CLASSES: Final = (*APART, "all")
"""Classes of phrases; all together may flatter, since errors of present and absent phrases can cancel out."""
CALIBRATED: Final = "calibrated"
ORDERED: Final = frozenset({"accuracy", "auroc", "aurc", "excess_aurc", "correct_per_document"})
"""Measures that need scores only for the order of phrases."""
COLUMNS: Final[Kinds] = MappingProxyType(
    {"class": str, "phrases": int, "measure": str, "value": float, "low": float, "high": float, "noise_floor": float}
)
"""Columns of an analysis: one row for each class of phrases and measure."""
_SHOWN: Final = ("confidence", "accuracy", "ece", "adaptive_ece", "smooth_ece", "brier", "log_loss", "auroc")
"""Measures that a notebook shows; the others are in the table and in the page of the analysis."""
_NO_PROBABILITIES: Final = "scores are not probabilities"
_LONG: Final = 12  # a degenerate list has more distinct phrases than this; arbitrary, as the next two
_ONE_WORD: Final = 0.8  # a larger share of them than this has one word; arbitrary
_SURE: Final = 0.9  # their mean confidence is above this; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class GoldPositions:
    """Gold phrases by fifth of title and abstract, (5,), None with several kinds of gold; recall of each."""

    recall: positions.MeansByPlace  # gold in the document, each phrase once; sizes are numbers of gold phrases
    counted: Ints | None = None
    as_published: Ints | None = None  # with the shifted places of the published study

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {**self.recall.as_json(), **encode({"counted": self.counted, "as_published": self.as_published})}


@dataclass(frozen=True, slots=True)
class Degeneration:
    """Degenerate lists and repeats of a run."""

    documents: int
    degenerate: tuple[str, ...] = field(metadata={"key": "soup"})  # ids of documents with a degenerate list
    long: int  # number of documents with a long list
    phrases: int  # number of phrases, repeats included
    repeats: int  # number of phrases with the stems of an earlier one of their document

    @property
    def degenerate_share(self) -> float | None:
        """Share of documents with a degenerate list, 0 to 1; None without documents."""
        return len(self.degenerate) / self.documents if self.documents else None

    @property
    def repeat_share(self) -> float | None:
        """Share of repeats among the phrases, 0 to 1; None without phrases."""
        return self.repeats / self.phrases if self.phrases else None

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {**encode(self), "soup_share": self.degenerate_share, "duplicates": self.repeat_share}


def find_degeneration(run: Run) -> Degeneration:
    """Return the degenerate lists and repeats of a run, by ``choose_confidence``; scores are no confidence."""
    keyphrases = [keyphrase for prediction in run.predictions for keyphrase in prediction.keyphrases]
    kind = choose_confidence(keyphrases)
    distinct: dict[str, list[Keyphrase]] = {}
    for prediction in run.predictions:
        stem, first = stemmer(prediction.language or "en"), dict[int | str, Keyphrase]()
        for keyphrase in prediction.keyphrases:  # one without letter or digit counts by its text
            first.setdefault(phrase_key(keyphrase.text, stem) or keyphrase.text, keyphrase)
        distinct[prediction.document_id] = list(first.values())
    return Degeneration(
        len(run.predictions),
        tuple(name for name, phrases in distinct.items() if is_degenerate(phrases, kind)),
        sum(len(phrases) > _LONG for phrases in distinct.values()),
        len(keyphrases),
        len(keyphrases) - sum(map(len, distinct.values())),
    )


def is_degenerate(distinct: Sequence[Keyphrase], confidence: Confidence = Confidence.KPP_S) -> bool:
    """Return whether the distinct phrases of one document are a degenerate list; ``score`` leaves confidence out."""
    # Words are counted as the generator counts them, else split at whitespace.
    lengths = [each.generation.words if each.generation else len(each.text.split()) for each in distinct]
    if len(distinct) <= _LONG or lengths.count(1) <= _ONE_WORD * len(distinct):
        return False
    return confidence is Confidence.SCORE or float(compute_confidences(distinct, confidence).mean()) > _SURE


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The analysis of one run, with the signatures of its system and of the protocol that judged the phrases.

    Attributes:
        confidence: the judged confidence; ``calibrated`` for a calibrator's.
        comparable: whether confidences are claimed to be probabilities; scores are an order only.
        perplexities: of present and of absent phrases, and ``places``: mean probability of first, second ... words;
            empty without token probabilities.
        ece_without_degenerate: calibration error over equal-width bins by class, 0 to 1, of documents without
            degenerate output; empty where no document has any, and for scores.
        missing: parts that could not be computed, and why.
        notes: cautions for readers of the numbers.
    """

    system: str
    protocol: str
    confidence: str
    comparable: bool
    reports: Mapping[str, CalibrationReport] = field(metadata={"key": "classes"})
    perplexities: Mapping[str, positions.PerplexityHistogram] = field(metadata={"key": "perplexity"})
    places: Mapping[str, positions.MeansByPlace] = field(metadata={"key": "probability_by_place"})
    gold: GoldPositions = field(metadata={"key": "gold_by_fifth"})
    degeneration: Degeneration
    ece_without_degenerate: Mapping[str, float] = field(metadata={"key": "ece_without_soup"})
    missing: tuple[str, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        """Name the system, the confidence and the classes."""
        return f"<Analysis of {self.system.partition('|')[0]}: {self.confidence} of {', '.join(self.reports)} phrases>"

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table of all measures by class of phrases; ``library`` as for ``Report.to_frame``."""
        return frame_records(self.rows(), COLUMNS, library)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a record for each class of phrases and measure that has a value, with the names of ``COLUMNS``."""
        for name, report in self.reports.items():
            for title, measured in report.values.items():
                low, high = measured.interval or (None, None)
                values = measured.value, low, high, measured.floor.error if measured.floor else None
                yield dict(zip(COLUMNS, (name, report.phrases, title, *values), strict=True))

    def _repr_html_(self) -> str:
        """Return the main measures for a notebook, a column for each class of phrases."""
        classes, reports = tuple(self.reports), self.reports.values()
        rows = []
        for name in _SHOWN:
            measured = [report.values.get(name) for report in reports]
            if any(measured):
                cells = ("" if each is None else f"{each.value:.4f}" for each in measured)
                rows.append((MEASURES[name].title.strip(), *cells))
        counts = ("phrases", *(f"{report.phrases:,}" for report in reports))
        caption = f"Analysis of {self.system.partition('|')[0]}: {self.confidence}, by class of phrases"
        notes = (*self.missing, *self.notes, "fractions; to_frame() has all measures with intervals")
        return NotebookTable(caption, ("measure", *classes), [counts, *rows], classes, notes).html()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright analyse --json`` prints them; missing parts are null or empty."""
        return dict(encode(self))


def analyse(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    run: Run,
    labelled: Iterable[LabelledDocument[Document]],
    *,
    protocol: Protocol | None = None,
    confidence: Confidence | str | None = None,
    calibrator: Calibrator | None = None,
    stemmed: bool = False,
    step: Callable[[], None] = lambda: None,
) -> Analysis:
    """Analyse the confidences of a run; without token probabilities the parts that need them are missing.

    ``protocol``: None for ``kpg`` over the whole document; ``confidence``: ``score`` takes scores as probabilities, and
    checks their range, and None is the best that all phrases have, where scores are an order only; ``calibrator``:
    gives probabilities in place of confidences, and determines the protocol; ``stemmed``: as for ``decide``; ``step``
    is called after each class of phrases.
    """
    if calibrator and (protocol or confidence):
        raise BadParameter("a calibrator together with a protocol or a confidence", "the calibrator determines both")
    documents, notes = drop_withheld(run, labelled, calibrator.card.confidence if calibrator else confidence)
    decisions = decide(run, documents, protocol or KPG_WHOLE_TEXT, stemmed=stemmed)
    if calibrator:
        (phrases, warnings), kind = recalibrate(run, documents, calibrator, stemmed=stemmed), CALIBRATED
        notes += warnings
    else:
        keyphrases = decisions.keyphrases
        kind = str(confidence or choose_confidence(keyphrases))
        phrases = decisions.columns(kind)
        probable = sum(keyphrase.probability is not None for keyphrase in keyphrases)
        if not confidence and probable not in {0, len(keyphrases)}:
            some = f"{probable} of {len(keyphrases)} phrases have a probability and the others none"
            notes.append(f"{some}: all are judged by {kind}")
    comparable = not (kind == Confidence.SCORE and confidence is None)
    every = np.ones(len(phrases), dtype=bool)
    classes = dict(zip(CLASSES, (phrases.present, ~phrases.present, every), strict=True))
    reports = {}
    for name, rows in classes.items():
        reports[name] = (measure if comparable else _measure_order)(phrases.where(rows))
        step()
    missing: list[str] = []
    if len(phrases) and not comparable:
        hint = "`keywright calibrate` converts them into probabilities"
        missing.append(f"calibration measures: {_NO_PROBABILITIES}; {hint}")
        notes.append("scores are compared between documents here, which the scores of few systems are made for")
    histograms, places = _analyse_tokens(decisions, missing)
    judged = frozenset(decisions.ids)
    gold = GoldPositions(positions.measure_recall_by_fifth(decisions))
    labelled = [document for document in documents if document.id in judged]
    if len({gold.by for document in labelled for gold in document.gold}) > 1:
        missing.append("gold by fifth as the collection lists it: it has several kinds of gold, which share phrases")
    else:
        counts = (positions.count_gold_by_fifth(labelled, as_published=published) for published in (False, True))
        gold = GoldPositions(gold.recall, *counts)
    judged_run = replace(run, predictions=tuple(each for each in run.predictions if each.document_id in judged))
    shown = [keyphrase for prediction in judged_run.predictions for keyphrase in prediction.keyphrases]
    if shown and choose_confidence(shown) is Confidence.SCORE:
        notes.append("degenerate output is detected by length and single words alone, since scores are not confidences")
    degeneration = find_degeneration(judged_run)
    notes += _list_notes(reports, calibrator, decisions)
    # Calibration errors without the degenerate documents, where there are any.
    degenerate, errors = frozenset(degeneration.degenerate), {}
    without = np.array([name not in degenerate for name in phrases.ids], dtype=bool)[phrases.document]
    if comparable and not without.all():
        parts = {name: phrases.where(rows & without) for name, rows in classes.items()}
        errors = {name: measure_error(part.confidence, part.correct) for name, part in parts.items() if len(part)}
    return Analysis(
        system=run.system,
        protocol=decisions.protocol.signature,
        confidence=kind,
        comparable=comparable,
        reports=reports,
        perplexities=histograms,
        places=places,
        gold=gold,
        degeneration=degeneration,
        ece_without_degenerate=errors,
        missing=tuple(missing),
        notes=tuple(notes),
    )


def _measure_order(phrases: JudgedPhrases) -> CalibrationReport:
    """Return the measures that depend on the order of scores only, from the scores' ranks scaled to 0 to 1."""
    check_scores(phrases.confidence, phrases.correct)
    values, rank = np.unique(phrases.confidence, return_inverse=True)
    report = measure(replace(phrases, confidence=rank / max(1, len(values) - 1)), names=ORDERED)
    return replace(
        report,
        absent={**report.absent, **{name: _NO_PROBABILITIES for name in MEASURES if name not in ORDERED}},
        bins=(),
        curve=trace_risk_coverage(phrases.confidence, phrases.correct) if len(phrases) else None,
    )


def _analyse_tokens(
    decisions: Decisions, missing: list[str]
) -> tuple[dict[str, positions.PerplexityHistogram], dict[str, positions.MeansByPlace]]:
    """Return perplexities and probabilities by place; add why there are none to ``missing``."""
    keyphrases = decisions.keyphrases
    generated = sum(keyphrase.generation is not None for keyphrase in keyphrases)
    if not keyphrases:
        reason = "the run has no phrase that the protocol accepts"
        missing.append(f"measures, perplexities and positions in phrases: {reason}")
        return {}, {}
    if not generated and not any(KPP in keyphrase.evidence for keyphrase in keyphrases):
        missing.append("perplexities and positions in phrases: the run has no token probabilities")
        return {}, {}
    histograms: dict[str, positions.PerplexityHistogram] = {}
    places: dict[str, positions.MeansByPlace] = {}
    try:
        phrases = decisions.columns(Confidence.KPP_S if generated == len(keyphrases) else Confidence.KPP)
        histograms = {name: positions.make_histogram(phrases, present=name == "present") for name in APART}
    except BadRecord as error:
        missing.append(f"perplexities: {error.message}")
    try:
        places = {
            name: positions.average_by_place([decisions], present=name == "present", words=True) for name in APART
        }
    except BadRecord as error:
        missing.append(f"positions in phrases: {error.message}")
    return histograms, places


def _list_notes(
    reports: Mapping[str, CalibrationReport], calibrator: Calibrator | None, decisions: Decisions
) -> Iterator[str]:
    yield from dict.fromkeys(f"{name} phrases: {note}" for name in APART for note in reports[name].notes)
    for name in APART:
        report = reports[name]
        if not report.phrases:
            yield f"there are no {name} phrases"
        elif report.correct in {0, report.phrases}:
            yield f"{name_all_phrases(report.phrases, name)} {'correct' if report.correct else 'wrong'}"
    if calibrator and (learned := len(frozenset(decisions.ids) & frozenset(calibrator.held_out.ids))):
        yield f"the calibrator was fitted on {learned} of these documents: it looks better on them than it is"
