"""What calibrators are tried on: phrases of five generators, which give confidences, and of extractors, which score."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from keywright.calibration.calibrators.applying import all_described
from keywright.calibration.calibrators.features import Described
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import ANYWHERE, decided
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.interfaces import ranked
from keywright.core.runs import Run
from keywright.core.signatures import signature
from keywright.datasets.collection import load
from keywright.experiments.kpg_calibration.predictions import predicted, predicted_run
from keywright.text.analyser import TextAnalyser

TOP: Final = 10
"""Phrases that extractors are asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """Judged phrases of a system, as calibrators see them.

    Attributes:
        judged: whether each is a keyphrase, of which document and class.
        seen: the same phrases, as calibrators see them.
        confident: whether the system gives confidences, 0 to 1, not scores of any size.
    """

    judged: JudgedPhrases
    seen: Described
    confident: bool

    @classmethod
    def of_generator(cls, system: str, collection: str, mirror: Path | None = None) -> Self:
        """The released predictions of a generator, confidence 1 / KPP-s.

        Raises:
            MissingData: they are not on this machine.
        """
        found = predicted(system, collection, mirror)
        decisions = decided(predicted_run(found), found.labelled, ANYWHERE, stemmed=found.stemmed)
        seen = all_described(decisions, Confidence.KPP_S, found.labelled)
        return cls(decisions.columns(Confidence.KPP_S), seen, confident=True)

    @classmethod
    def of_extractor(cls, kind: Callable[[], Any], data: str, mirror: Path | None = None) -> Self:
        """The first phrases of an extractor, by its scores.

        Raises:
            MissingData: the data set is not on this machine.
        """
        system, analyser, collection = kind(), TextAnalyser(), load(data, mirror)
        labelled = tuple(one for one in collection if one.gold)
        predictions = tuple(ranked(system, analyser.analyse(one.document), TOP).prediction(TOP) for one in labelled)
        run = Run(signature(system), collection.signature, signature(analyser), predictions)
        decisions = decided(run, labelled, ANYWHERE)
        seen = all_described(decisions, Confidence.SCORE, labelled)
        return cls(decisions.columns(Confidence.SCORE), seen, confident=False)
