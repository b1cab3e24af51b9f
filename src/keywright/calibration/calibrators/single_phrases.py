"""Calibrated probabilities of phrases that are named, where a calibrator needs no list of phrases."""

from collections.abc import Sequence
from dataclasses import replace

from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.features import list_features, occurrence_from_spans
from keywright.calibration.calibrators.parametric import Correctness
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.documents import Document
from keywright.core.predictions import Failure, Keyphrase


def with_calibrated(
    phrases: Sequence[Keyphrase | Failure], calibrator: Calibrator, document: Document
) -> list[Keyphrase | Failure]:
    """Return phrases with a calibrator's probabilities, each by itself.

    Without probabilities remain all phrases where the calibrator looks at ranks, at scores of a list, or at
    probabilities of the system's own: phrases that are named have none of these.
    """
    kind = calibrator.card.confidence
    if kind in {Confidence.SCORE, Confidence.PROBABILITY} or isinstance(calibrator.model.map, Correctness):
        return list(phrases)

    def probability(keyphrase: Keyphrase) -> float:
        occurrence = occurrence_from_spans([keyphrase], len(document.text))
        return float(calibrator.probabilities(list_features([keyphrase], kind, occurrence))[0])

    return [each if isinstance(each, Failure) else replace(each, probability=probability(each)) for each in phrases]
