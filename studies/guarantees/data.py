"""What promises are tried on: predictions of generators, calibrated anew each time, and documents that are drawn."""

from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.crossfitting import FOLDS, cross_fitted
from keywright.calibration.calibrators.model import ProbabilityModel
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.selection.thresholds import ThresholdCounts
from keywright.core.arrays import Ints
from studies.calibrators.data import Phrases

_METHOD: Final = "beta"


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """Phrases of a generator, with a fit for each part."""

    phrases: Phrases

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.phrases.judged.ids)

    def calibrated(self, part: Ints) -> tuple[ThresholdCounts, ThresholdCounts]:
        """What some documents, by place, make of the whole collection, as ``keywright calibrate`` does it.

        Returns:
            What would be shown by probabilities that were fitted without the document, which is known for the part
            only; and by those that were fitted on the whole part.
        """
        judged = self.phrases.judged
        fold = np.full(len(self), -1)
        fold[part] = np.arange(len(part)) % FOLDS
        fold = fold[judged.document]
        rows = fold >= 0
        seen, correct = self.phrases.seen.where(rows), judged.correct[rows]
        apart = judged.confidence.copy()
        apart[rows] = cross_fitted(seen, correct, fold[rows], _METHOD, confident=True)
        model = ProbabilityModel.fit(seen, correct, _METHOD, confident=True)
        held, whole = (replace(judged, confidence=one) for one in (apart, model.of(self.phrases.seen)))
        return ThresholdCounts.from_judged(held), ThresholdCounts.from_judged(whole)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Documents from a world whose truth is known, with probabilities that are too sure and fitted on none of them."""

    shown: ThresholdCounts

    @classmethod
    def of(cls, documents: int, seed: int, phrases: int = 8) -> Self:
        """Draw them: some documents are easier than others, and a phrase is right with the square of what it says."""
        chance = np.random.Generator(np.random.PCG64(seed))
        ease = chance.normal(0, 0.7, (documents, 1))
        odds = ease + chance.normal(0, 1.2, (documents, phrases))
        said = 1 / (1 + np.exp(-odds))
        said = -np.sort(-said, axis=1)
        right = chance.random(said.shape) < said**2
        document = np.repeat(np.arange(documents), phrases)
        ones = np.ones(len(document), dtype=np.int64)
        judged = JudgedPhrases(
            ids=tuple(f"d{at}" for at in range(documents)),
            document=document,
            rank=np.tile(np.arange(1, phrases + 1), documents),
            confidence=said.ravel(),
            correct=right.ravel(),
            present=ones > 0,
            words=ones,
            gold=np.zeros((documents, 2), dtype=np.int64),
        )
        return cls(ThresholdCounts.from_judged(judged))

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.shown)

    def calibrated(self, part: Ints) -> tuple[ThresholdCounts, ThresholdCounts]:  # noqa: ARG002  (nothing is fitted)
        """Probabilities are what they are."""
        return self.shown, self.shown


Collection: TypeAlias = Predicted | Drawn
"""Documents of which some calibrate."""
