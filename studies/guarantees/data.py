"""Documents that the study of guarantees splits, and its rows."""

from dataclasses import dataclass, field, replace
from typing import Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.model import FOLDS, ProbabilityModel, cross_fit
from keywright.calibration.guarantees import ThresholdCounts
from keywright.calibration.phrases import JudgedPhrases
from keywright.core.arrays import Ints
from keywright.experiments.study import TableRow
from studies.calibrators.data import Phrases

_METHOD: Final = "beta"
_EASE_DEVIATION: Final = 0.7  # standard deviation of a simulated document's ease, in log-odds; arbitrary
_PHRASE_DEVIATION: Final = 1.2  # standard deviation of a simulated phrase's log-odds within its document; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """Phrases of a generator, calibrated on any part of its documents."""

    phrases: Phrases

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.phrases.judged.ids)

    def calibrated(self, part: Ints) -> tuple[ThresholdCounts, ThresholdCounts]:
        """Calibrate on some documents, by position, as ``keywright calibrate`` does.

        Returns:
            Counts by cross-fitted probabilities, which exist for the part only; and counts by probabilities that were
            fitted on the whole part.
        """
        judged, described = self.phrases.judged, self.phrases.described
        fold_of_document = np.full(len(self), -1)
        fold_of_document[part] = np.arange(len(part)) % FOLDS
        fold = fold_of_document[judged.document]
        in_part = fold >= 0
        of_part, correct = described.where(in_part), judged.correct[in_part]
        cross = judged.confidence.copy()
        cross[in_part] = cross_fit(of_part, correct, fold[in_part], _METHOD, confident=True)
        fitted = ProbabilityModel.fit(of_part, correct, _METHOD, confident=True).probabilities(described)
        by_cross, by_fitted = (replace(judged, confidence=probabilities) for probabilities in (cross, fitted))
        return ThresholdCounts.from_judged(by_cross), ThresholdCounts.from_judged(by_fitted)


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """Simulated documents of known truth; their probabilities are overconfident and fitted on none of them."""

    counts: ThresholdCounts

    @classmethod
    def sample(cls, documents: int, seed: int, phrases: int = 8) -> Self:
        """Sample documents of different ease; a phrase of probability p is right with probability p squared."""
        chance = np.random.Generator(np.random.PCG64(seed))
        ease = chance.normal(0, _EASE_DEVIATION, (documents, 1))
        log_odds = ease + chance.normal(0, _PHRASE_DEVIATION, (documents, phrases))
        probability = 1 / (1 + np.exp(-log_odds))
        probability = -np.sort(-probability, axis=1)  # best first
        correct = chance.random(probability.shape) < probability**2
        document = np.repeat(np.arange(documents), phrases)
        ones = np.ones(len(document), dtype=np.int64)
        judged = JudgedPhrases(
            ids=tuple(f"d{at}" for at in range(documents)),
            document=document,
            rank=np.tile(np.arange(1, phrases + 1), documents),
            confidence=probability.ravel(),
            correct=correct.ravel(),
            present=ones > 0,
            words=ones,
            gold=np.zeros((documents, 2), dtype=np.int64),
        )
        return cls(ThresholdCounts.from_judged(judged))

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.counts)

    def calibrated(self, part: Ints) -> tuple[ThresholdCounts, ThresholdCounts]:  # noqa: ARG002  (nothing is fitted)
        """Return the counts by the simulated probabilities, twice."""
        return self.counts, self.counts


Collection: TypeAlias = Predicted | Simulated


@dataclass(frozen=True, slots=True)
class Coverage(TableRow):
    """One guarantee, given anew after each of many divisions of a collection into calibration and rest.

    Attributes:
        system: that predicted the phrases; ``simulated`` for simulated documents.
        dataset: of the documents.
        measure: ``precision`` or ``recall``.
        empty: how a list without phrases counts: ``apart`` or ``right``.
        target: the least value that is guaranteed, 0 to 1.
        confidence: confidence level; None for recall, which is guaranteed on average.
        splits: number of divisions.
        documents: of calibration.
        promised: share of splits in which a guarantee could be given, 0 to 1.
        violated: share of all splits in which it was given and the rest of the documents fell short, 0 to 1.
        violated_of_all: the same over all documents of the collection: a small rest may fall short by chance.
        allowed: share of splits that may be violated, plus two standard errors of the simulation; None for recall.
        holds: whether no more are violated; for recall, whether the mean is at least the target less two standard
            errors.
        value: precision of lists or recall on the rest, mean over the splits with a guarantee; None where there are
            none, as for all that follow.
        value_of_all: the same on all documents of the collection.
        phrases: shown per document of the rest.
        empties: share of documents of the rest with an empty list.
        pooled: precision of all phrases that are shown of the rest, over all documents together.
        threshold: probability above which phrases are shown.
    """

    system: str
    dataset: str
    measure: str
    empty: str
    target: float
    confidence: float | None
    splits: int
    documents: int
    promised: float
    violated: float
    violated_of_all: float
    allowed: float | None
    holds: bool = field(metadata={"key": "kept"})
    value: float | None
    value_of_all: float | None
    phrases: float | None
    empties: float | None
    pooled: float | None
    threshold: float | None
