"""Any extractor with probabilities: the same phrases in the same order, each with its probability to be a keyphrase."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.features import PhraseFeatures, list_features, occurrence_from_spans
from keywright.calibration.calibrators.same_system import check_same_system
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadRecord
from keywright.core.interfaces import Extractor, ranked
from keywright.core.predictions import Keyphrase
from keywright.core.signatures import signature


@dataclass(frozen=True)
class Calibrated:
    """An extractor whose phrases have probabilities.

    inner       the system
    calibrator  fitted on phrases of this system

    Raises:
        BadParameter: the calibrator is another system's (``calibrators.same_system``).
    """

    inner: Extractor
    calibrator: Calibrator

    name: ClassVar[str] = "calibrated"

    def __post_init__(self) -> None:
        check_same_system(self.calibrator.card.system, signature(self.inner), "this is")

    @property
    def needs(self) -> frozenset[str]:
        """Inherit the inner system's needs."""
        return self.inner.needs

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank as the system does, with probabilities; ``profile`` is for ``drift``.

        A document from which the system withholds probabilities that the calibrator would correct gets none.
        """
        return self.extract_first(document)

    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank the first phrases; each is compared with as many first phrases as in calibration."""
        return self.changed(
            ranked(self.inner, document, None if depth is None else max(depth, self.calibrator.card.depth))
        )

    def changed(self, ranking: Ranking) -> Ranking:
        """Return a ranking of the inner system, of the phrases compared in calibration at least, with probabilities."""
        pool = self.calibrator.card.depth
        corrects = self.calibrator.card.confidence == Confidence.PROBABILITY
        if corrects and ranking.withheld:
            return replace(ranking, profile=(0,) * len(self.calibrator.reference.counts))
        first_features = self._features(ranking, pool)

        def probabilities(positions: Ints) -> Floats:
            length = int(positions.max(initial=-1)) + 1
            features = first_features if length <= len(first_features) else self._features(ranking, length)
            # All rows at once: the last bit of a matrix product can depend on which rows are beside each other.
            return np.asarray(self.calibrator.probabilities(features)[positions])

        return replace(
            ranking,
            probabilities=probabilities,
            profile=self.calibrator.profile(first_features),
            assumes=None,
            withheld="",
        )

    def _features(self, ranking: Ranking, length: int) -> PhraseFeatures:
        keyphrases = ranking.keyphrases(length)
        self._check(keyphrases)
        occurrence = occurrence_from_spans(keyphrases, len(ranking.source.text))
        return list_features(keyphrases, self.calibrator.card.confidence, occurrence, self.calibrator.card.depth)

    def _check(self, keyphrases: Sequence[Keyphrase]) -> None:
        """Raise unless phrases have probabilities of the system's own, where the calibrator corrects these."""
        if self.calibrator.card.confidence != Confidence.PROBABILITY:
            return
        if any(keyphrase.probability is None for keyphrase in keyphrases):
            message = f"{self.inner.name} gives no probabilities here, which the calibrator would correct"
            raise BadRecord(message, "calibrate a run of such documents, or with --score-field score")
