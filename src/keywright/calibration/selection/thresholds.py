"""What would be shown of judged phrases at each threshold of probability."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.inputs import checked_probabilities
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter

THRESHOLDS: Final = tuple(step / 100 for step in range(99, -1, -1))
"""Probabilities from which on phrases may be shown, strict ones first: fixed, so that no data choose them."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Phrases of each document at each of ``THRESHOLDS``.

    Attributes:
        sizes: how many are shown, (documents, thresholds).
        hits: how many of them are right, (documents, thresholds).
        reachable: how many right phrases its list holds at all, (documents,).
    """

    sizes: Ints
    hits: Ints
    reachable: Ints

    @classmethod
    def of(cls, judged: JudgedPhrases, most: int | None = None) -> Self:
        """Count them.

        Args:
            judged: phrases with probabilities as confidences.
            most: longest list that is shown: the first so many of those that pass; None for all.

        Raises:
            BadParameter: a probability outside 0 to 1 or nan, or a list shorter than one.
        """
        check_most(most)
        probabilities, correct = checked_probabilities(judged.confidence, judged.correct)
        passing = probabilities[:, None] >= np.array(THRESHOLDS)  # (phrases, thresholds)
        if most is not None:
            before = _running(passing)
            begin = before[judged.offsets[:-1]][judged.document]  # what passes in the documents before
            passing &= before[1:] - begin <= most
        right = np.bincount(judged.document[correct], minlength=len(judged.ids))
        return cls(
            _by_document(passing, judged.offsets), _by_document(passing & correct[:, None], judged.offsets), right
        )

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.reachable)

    def where(self, documents: Bools) -> Self:
        """Some of the documents, (documents,)."""
        return type(self)(self.sizes[documents], self.hits[documents], self.reachable[documents])

    @property
    def filled(self) -> Ints:
        """How many documents show anything, (thresholds,)."""
        found: Ints = (self.sizes > 0).sum(0)
        return found

    @property
    def wrong(self) -> Floats:
        """The share that is wrong of what a document shows; 0 where it shows nothing, (documents, thresholds)."""
        found: Floats = (self.sizes - self.hits) / np.maximum(self.sizes, 1)
        return found

    @property
    def missed(self) -> Floats:
        """The share that is not shown of the right phrases of a document's list; 0 where there are none, likewise."""
        found: Floats = (self.reachable[:, None] - self.hits) / np.maximum(self.reachable, 1)[:, None]
        return found


def check_most(most: int | None) -> None:
    """That a list has room for a phrase.

    Raises:
        BadParameter: it has none.
    """
    if most is not None and most < 1:
        raise BadParameter(f"lists of {most} phrases", "expected a number from 1")


def _running(rows: Bools) -> Ints:
    """Sums of the rows before each, and of all, (rows + 1, columns)."""
    return np.concatenate([np.zeros((1, rows.shape[1]), np.int32), np.cumsum(rows, axis=0, dtype=np.int32)])


def _by_document(rows: Bools, offsets: Ints) -> Ints:
    """Sums of the rows of each document, (documents, columns)."""
    return np.diff(_running(rows)[offsets], axis=0)
