"""Boosted trees whose log odds Platt scaling makes probabilities.

Trees that have few documents to learn from are surer than right: their log odds are those of the phrases they grew on.
So each document's are also told by trees that grew on the others, and a line through these, for present and for absent
phrases, is what probabilities come from (Platt 1999; as ``calibrators.curves`` has it). It never falls: within each
class the order is that of the trees. Trained on 100 of the Inspec documents that five generators answer, the trees'
own chances of present phrases have an expected calibration error of .075 on the other 400, on the line of .034 (mean of
four draws).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from keywright.calibration.calibrators.crossfitting import FOLDS, folds_of
from keywright.calibration.calibrators.fitting import by_class, check_answers, class_penalty, fitted, probability
from keywright.core.arrays import Floats
from keywright.ensembles.meta_features import Answered, Described
from keywright.learners.growing import boosted_trees
from keywright.learners.trees import Trees

SLOPES: Final = (1, 3)
"""Places of the slopes among the weights."""


@dataclass(frozen=True, eq=False)
class CalibratedTrees:
    """Trees, and the lines that make probabilities of their log odds.

    Attributes:
        trees: over the columns of ``meta_rows``.
        weights: intercept and slope for present phrases, then for absent ones; no slope is below 0.
    """

    trees: Trees
    weights: tuple[float, ...]

    @classmethod
    def fit(cls, given: Answered) -> Self:
        """Learn from documents.

        Raises:
            BadParameter: fewer documents than folds; or all phrases are right, or none.
            MissingExtra: LightGBM is not installed.
        """
        correct = np.concatenate(given.correct)
        check_answers(correct)
        fold = folds_of(given.ids, FOLDS)
        apart: dict[int, Floats] = {}
        for one in range(FOLDS):
            trees = _grown(given.some(np.flatnonzero(fold != one).tolist()))
            apart |= {at: _log_odds(trees, given.seen[at]) for at in np.flatnonzero(fold == one).tolist()}
        rows = by_class((np.concatenate([apart[at] for at in range(len(fold))]),), _present(given.seen))
        weights = fitted(rows, correct, class_penalty(1), rising=SLOPES)
        return cls(_grown(given), tuple(weights.tolist()))

    def of(self, seen: Described) -> Floats:
        """The chance that each phrase is a keyphrase, (phrases,)."""
        return probability(by_class((_log_odds(self.trees, seen),), seen.ballots.present) @ np.array(self.weights))

    @property
    def fingerprint(self) -> str:
        """The part in a signature: the trees, which the lines follow from."""
        return self.trees.fingerprint

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {"trees": self.trees.text, "weights": list(self.weights)}


def _grown(given: Answered) -> Trees:
    """The values of ``boosted_trees`` as they come: nothing was chosen here."""
    return boosted_trees(np.concatenate([one.rows for one in given.seen]), np.concatenate(given.correct))


def _log_odds(trees: Trees, seen: Described) -> Floats:
    """(phrases,)."""
    return trees.scores(seen.rows)


def _present(seen: Iterable[Described]) -> Any:
    """Of all phrases, (phrases,)."""
    return np.concatenate([one.ballots.present for one in seen])
