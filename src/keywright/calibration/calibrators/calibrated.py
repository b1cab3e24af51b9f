"""Any extractor with probabilities: the same phrases in the same order, each with its chance to be a keyphrase."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.features import by_spans, described
from keywright.calibration.calibrators.same_system import check_belongs
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadRecord
from keywright.core.interfaces import Extractor
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.signatures import signature


@dataclass(frozen=True)
class Calibrated:
    """An extractor whose phrases have probabilities.

    inner       the system
    calibrator  fitted on phrases of this system

    Raises:
        BadParameter: the calibrator is another system's (``calibrators.belonging``).
    """

    inner: Extractor
    calibrator: Calibrator
    needs: frozenset[str] = field(init=False, repr=False)

    name: ClassVar[str] = "calibrated"

    def __post_init__(self) -> None:
        """Refuse calibrators of other systems; whatever the system needs is needed."""
        object.__setattr__(self, "needs", self.inner.needs)
        check_belongs(self.calibrator.card.system, signature(self.inner), "this is")

    def extract(self, document: AnalysedDocument, top: int | None = None) -> Prediction:
        """What the system ranks, in its order, with probabilities; ``profile`` is for ``drift``.

        A phrase is compared with as many first phrases as in calibration, however short a list is asked for.

        Raises:
            BadRecord: a phrase does not have what the calibrator takes, such as a probability of the system's own.
        """
        depth = self.calibrator.card.depth
        answer = self.inner.extract(document, depth if top is not None and 0 <= top <= depth else top)
        listed = answer.keyphrases
        if (top is None or top > depth) and len(listed) < depth:  # a count rule may have shortened it
            listed = max(listed, self.inner.extract(document, depth).keyphrases, key=len)
        self._check(listed)
        seen = described(listed, self.calibrator.card.confidence, by_spans(listed, len(document.source.text)), depth)
        probabilities = self.calibrator.of(seen).tolist()
        length = len(answer.keyphrases) if top is None else min(top, len(answer.keyphrases))
        keyphrases = tuple(
            replace(one, probability=likely) for one, likely in zip(listed[:length], probabilities, strict=False)
        )
        return replace(answer, keyphrases=keyphrases, profile=self.calibrator.profile(seen.where(seen.rank <= depth)))

    def _check(self, listed: tuple[Keyphrase, ...]) -> None:
        """That phrases have probabilities of the system's own, where the calibrator corrects these."""
        if self.calibrator.card.confidence != Confidence.PROBABILITY:
            return
        if any(one.probability is None for one in listed):
            message = f"{self.inner.name} gives no probabilities here, which the calibrator would correct"
            raise BadRecord(message, "calibrate a run of such documents, or with --score-field score")
