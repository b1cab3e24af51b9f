"""A calibrated extractor that shows only what its probabilities allow, and nothing where they allow nothing."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from keywright.calibration.calibrators.calibrated import Calibrated
from keywright.calibration.calibrators.calibrator import DIGITS
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.selection.guarantees import Guarantee
from keywright.calibration.selection.thresholds import check_most
from keywright.core.arrays import Bools, Floats
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.rankings import Ranking
from keywright.ranking.counting import count_by_expected_f1


@dataclass(frozen=True, slots=True)
class Cut:
    """Which phrases of a list stay, by their probabilities.

    Attributes:
        least: probability of a phrase, 0 to 1; None leaves the length of lists to the system.
        most: how many phrases, the first that pass; None for any number.
        abstain_below: a document shows nothing if its most probable phrase is less probable than this.
        best_f1: whether only so many stay, the most probable ones, as promise the best F1 of the document
            (``ranking.counting``).

    Raises:
        BadParameter: a probability outside 0 to 1, or a list shorter than one.
    """

    least: float | None = None
    most: int | None = None
    abstain_below: float = 0.0
    best_f1: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no cut."""
        for name, value in (("least", self.least), ("abstain_below", self.abstain_below)):
            if value is not None and not 0 <= value <= 1:
                raise BadParameter(f"{name} {value:g}", "expected a probability from 0 to 1")
        check_most(self.most)

    @property
    def counts(self) -> bool:
        """Whether it says how many phrases of a document stay, in place of the system."""
        return self.least is not None or self.best_f1

    def kept(self, probabilities: Floats) -> Bools:
        """Whether each phrase of a list stays, (phrases,), best ranked first."""
        stays: Bools = probabilities >= (self.least or 0.0)
        if not len(stays) or probabilities.max() < self.abstain_below:
            return np.zeros(len(stays), dtype=bool)
        if self.best_f1:
            order = np.argsort(-probabilities, kind="stable")
            stays[order[count_by_expected_f1(probabilities[order], self.most) :]] = False
        return stays if self.most is None else stays & (np.cumsum(stays) <= self.most)


@dataclass(frozen=True)
class Limited:
    """An extractor that shows what a cut leaves of its list.

    inner    with probabilities; as many of its phrases are looked at as in calibration
    cut      what stays
    promise  what the cut was chosen for; None where nothing is promised
    """

    inner: Calibrated
    cut: Cut
    promise: Guarantee | None = field(default=None, metadata={"signed": False})  # the cut says what is done

    name: ClassVar[str] = "limited"

    @property
    def needs(self) -> frozenset[str]:
        """Whatever the system needs."""
        return self.inner.needs

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank what stays, in the system's order; ``chosen`` is how many do, where the cut says how many.

        Whether a document shows anything is decided by as many first phrases as in calibration.

        Raises:
            BadRecord: as for ``Calibrated``.
        """
        return self.extract_first(document)

    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank the first phrases, as ``extract``."""
        pool = self.inner.calibrator.card.depth
        ranking = self.inner.extract_first(document, pool if self.cut.counts or depth is None else max(depth, pool))
        # As many decimals as the probabilities have that thresholds are chosen by.
        probabilities = np.round([keyphrase.probability or 0.0 for keyphrase in ranking.keyphrases(pool)], DIGITS)
        stays = self.cut.kept(probabilities)
        if len(stays) and not stays.any():
            best = f"no keyphrase: the most probable phrase has {probabilities.max():.2f}, less than is asked for"
            ranking = replace(ranking, warnings=(*ranking.warnings, best))
        if self.cut.counts:
            return replace(ranking.where(np.flatnonzero(stays)), chosen=int(stays.sum()))
        if not stays.any():
            return replace(ranking.where(np.arange(0)), chosen=None if ranking.chosen is None else 0)
        return ranking.where(np.arange(len(ranking))[: self.cut.most])


def abstaining(judged: JudgedPhrases, below: float) -> JudgedPhrases:
    """Judged phrases without those of documents whose most probable phrase is less probable than this."""
    best = np.zeros(len(judged.ids))
    np.maximum.at(best, judged.document, judged.confidence)
    return judged.where(best[judged.document] >= below)
