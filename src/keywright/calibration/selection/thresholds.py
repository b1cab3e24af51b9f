"""Counts of judged phrases at or above each threshold of probability."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.inputs import checked_probabilities
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter

THRESHOLDS: Final = tuple(step / 100 for step in range(99, -1, -1))
"""Thresholds, strictest first: fixed in steps of .01, so that no data choose them."""


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCounts:
    """Counts of the phrases of each document at each of ``THRESHOLDS``.

    Attributes:
        sizes: phrases shown, (documents, thresholds).
        hits: right phrases shown, (documents, thresholds).
        reachable: right phrases in the whole list, (documents,).
    """

    sizes: Ints
    hits: Ints
    reachable: Ints

    @classmethod
    def from_judged(cls, judged: JudgedPhrases, most: int | None = None) -> Self:
        """Return the counts of judged phrases, of which the ``most`` best ranked that pass a threshold are shown."""
        check_most(most)
        probabilities, correct = checked_probabilities(judged.confidence, judged.correct)
        passing = probabilities[:, None] >= np.array(THRESHOLDS)  # (phrases, thresholds)
        if most is not None:
            # The running count less that at the start of the document ranks the passing phrases of each document.
            before = _running_sums(passing)
            at_start = before[judged.offsets[:-1]][judged.document]
            passing &= before[1:] - at_start <= most
        return cls(
            _by_document(passing, judged.offsets),
            _by_document(passing & correct[:, None], judged.offsets),
            np.bincount(judged.document[correct], minlength=len(judged.ids)),
        )

    def __len__(self) -> int:
        return len(self.reachable)

    def where(self, documents: Bools) -> Self:
        """Return the counts of some documents, by truth values (documents,)."""
        return type(self)(self.sizes[documents], self.hits[documents], self.reachable[documents])

    @property
    def non_empty(self) -> Ints:
        """Number of documents with a non-empty list, (thresholds,)."""
        number: Ints = (self.sizes > 0).sum(0)
        return number

    @property
    def wrong(self) -> Floats:
        """Share of wrong phrases in each list; 0 for an empty one, (documents, thresholds)."""
        share: Floats = (self.sizes - self.hits) / np.maximum(self.sizes, 1)
        return share

    @property
    def missed(self) -> Floats:
        """Share of a document's right phrases that is not shown; 0 where there are none, (documents, thresholds)."""
        share: Floats = (self.reachable[:, None] - self.hits) / np.maximum(self.reachable, 1)[:, None]
        return share


def check_most(most: int | None) -> None:
    """Check that a list has room for a phrase."""
    if most is not None and most < 1:
        raise BadParameter(f"lists of {most} phrases", "expected a number from 1")


def _running_sums(rows: Bools) -> Ints:
    """Return the sums of the rows before each, and of all, (rows + 1, columns)."""
    return np.concatenate([np.zeros((1, rows.shape[1]), np.int32), np.cumsum(rows, axis=0, dtype=np.int32)])


def _by_document(rows: Bools, offsets: Ints) -> Ints:
    """Return the sums of the rows of each document, (documents, columns): differences of running sums."""
    return np.diff(_running_sums(rows)[offsets], axis=0)
