"""Runs that the study of calibrators splits, and its rows."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from keywright.calibration.calibrators.calibrating import compute_run_features
from keywright.calibration.judging import KPG_WHOLE_TEXT, decide
from keywright.calibration.phrases import JudgedPhrases, PhraseFeatures
from keywright.catalogue import system_class
from keywright.core.choices import Confidence
from keywright.core.interfaces import rank_document
from keywright.core.predictions import Run
from keywright.core.signatures import signature
from keywright.datasets.collection import load
from keywright.experiments.kpg_predictions import read_predictions, take_run
from keywright.experiments.study import TableRow
from keywright.text.analyser import TextAnalyser

TOP: Final = 10  # phrases of each document that extractors are asked for; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """Judged phrases of a system.

    Attributes:
        judged: whether each is a keyphrase, its document and class.
        described: the same phrases, as calibrators see them.
        confident: whether the system gives confidences, 0 to 1, not scores of any size.
    """

    judged: JudgedPhrases
    described: PhraseFeatures
    confident: bool

    @classmethod
    def of_generator(cls, system: str, collection: str, mirror: Path | None = None) -> Self:
        """Return the released predictions of a generator, with confidence 1 / KPP-s.

        Raises:
            MissingData: they are not on this machine.
        """
        predictions = read_predictions(system, collection, mirror)
        decisions = decide(take_run(predictions), predictions.labelled, KPG_WHOLE_TEXT, stemmed=predictions.stemmed)
        described = compute_run_features(decisions, Confidence.KPP_S, predictions.labelled)
        return cls(decisions.columns(Confidence.KPP_S), described, confident=True)

    @classmethod
    def of_extractor(cls, name: str, data: str, mirror: Path | None = None) -> Self:
        """Return the first phrases of an extractor of the catalogue, with its scores.

        Raises:
            MissingData: the data set is not on this machine.
        """
        system, analyser, collection = system_class(name)(), TextAnalyser(), load(data, mirror)
        labelled = tuple(document for document in collection if document.gold)
        predictions = tuple(
            rank_document(system, analyser.analyse(document.document), TOP).prediction(TOP) for document in labelled
        )
        run = Run(signature(system), collection.signature, signature(analyser), predictions)
        decisions = decide(run, labelled, KPG_WHOLE_TEXT)
        described = compute_run_features(decisions, Confidence.SCORE, labelled)
        return cls(decisions.columns(Confidence.SCORE), described, confident=False)


AS_GIVEN: Final = "none"  # in place of a method: confidences as the system gives them

SAME: Final = "same"
OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Calibrated(TableRow):
    """The phrases of a class, on documents that the calibrator was not fitted on.

    Attributes:
        system: that predicted the phrases.
        dataset: of the documents.
        phrase_class: ``present`` or ``absent``.
        method: of calibration; ``none`` for confidences as they are given.
        fitted: on a part of the ``same`` collection, evaluated on the rest; or on the ``others`` of the study,
            evaluated on all documents.
        documents: of calibration.
        splits: number of divisions; the following values are means over them.
        error: expected calibration error, ten equal bins, 0 to 1.
        spread: standard deviation of the error over the splits.
        floor: the error that exact probabilities would show, of as many phrases.
        brier: Brier score, 0 to 1; it rises where a calibrator gives all phrases the same probability.
    """

    system: str
    dataset: str
    phrase_class: str = field(metadata={"key": "class"})
    method: str
    fitted: str
    documents: int
    splits: int
    error: float
    spread: float
    floor: float
    brier: float
