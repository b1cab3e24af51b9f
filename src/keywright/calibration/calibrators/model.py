"""Probability models: a calibrator for confidences, behind a rank transform for scores of any size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self, TypeAlias

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.nonparametric import Histogram, Isotonic
from keywright.calibration.calibrators.parametric import Beta, Correctness, Platt, RankTransform, Temperature
from keywright.calibration.calibrators.shift import SHIFT, Shift
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter, unknown
from keywright.learners.labels import assign_folds

Map: TypeAlias = Platt | Beta | Isotonic | Histogram | Correctness | Temperature | Shift

METHODS: Final[Mapping[str, type[Map]]] = MappingProxyType(
    {
        "beta": Beta,
        "platt": Platt,
        "isotonic": Isotonic,
        "histogram": Histogram,
        "logistic": Correctness,
        "temperature": Temperature,
        SHIFT: Shift,
    }
)
"""Calibrators by name, the usual one first."""


@dataclass(frozen=True, slots=True)
class ProbabilityModel:
    """A map from confidences to probabilities, behind a rank transform where a system gives scores only.

    Attributes:
        rank_transform: makes confidences of scores; None where the system gives confidences, 0 to 1.
        map: makes probabilities of confidences.
    """

    rank_transform: RankTransform | None
    map: Map

    @classmethod
    def fit(cls, features: PhraseFeatures, correct: Bools, method: str = "beta", *, confident: bool) -> Self:
        """Learn from judged phrases.

        ``confident``: whether confidences lie between 0 and 1 and are comparable between documents.
        """
        kind = method_named(method)
        rank_transform = None if confident else RankTransform.fit(features, correct)
        return cls(rank_transform, kind.fit(_comparable(rank_transform, features), correct))

    def confidence(self, features: PhraseFeatures) -> Floats:
        """Return the input of the map, 0 to 1, (phrases,)."""
        return _comparable(self.rank_transform, features).confidence

    def probabilities(self, features: PhraseFeatures) -> Floats:
        """Return probabilities, 0 to 1, (phrases,)."""
        return np.asarray(np.clip(self.map.probabilities(_comparable(self.rank_transform, features)), 0.0, 1.0))


def method_named(name: str) -> type[Map]:
    """Return a calibrator by name."""
    if name not in METHODS:
        raise unknown("calibrator", name, METHODS, "keywright calibrate --help")
    return METHODS[name]


def _comparable(rank_transform: RankTransform | None, features: PhraseFeatures) -> PhraseFeatures:
    """Return features with confidences that are comparable between documents."""
    return features if rank_transform is None else features.with_confidence(rank_transform.probabilities(features))


FOLDS: Final = 5
"""Folds of cross-fitting; a usual number."""


def folds_of(ids: Sequence[str], number: int = FOLDS) -> Ints:
    """Return the fold of each document, (documents,), by the digest of its id: of equal sizes, in any order of ids."""
    if not 1 < number <= len(ids):
        raise BadParameter(f"{number} folds of {len(ids)} documents", "expected at least 2, and a document for each")
    return assign_folds(ids, number)


def cross_fitted(features: PhraseFeatures, correct: Bools, fold: Ints, method: str, *, confident: bool) -> Floats:
    """Return the probability of each phrase by a model fitted on the documents of the other folds, (phrases,).

    Documents are divided, not phrases, since phrases of one document depend on each other.
    """
    probabilities = np.zeros(len(features))
    for number in np.unique(fold):
        held_out = fold == number
        answers = correct[~held_out]
        if method != SHIFT and (answers.all() or not answers.any()):  # the shift has a prior, which suffices
            quantity = "all" if answers.all() else "none"
            message = f"without the documents of one fold {quantity} of {len(answers)} phrases are correct"
            raise BadParameter(message, "expected correct and wrong ones: label more documents")
        model = ProbabilityModel.fit(features.where(~held_out), answers, method, confident=confident)
        probabilities[held_out] = model.probabilities(features.where(held_out))
    return probabilities
