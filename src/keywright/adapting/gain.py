"""The gain of adapting: measures on the same held-out documents before and after, with intervals, and a verdict.

The verdict follows from one number fixed in advance, the mean of F at 5, 10 and 15: the best of several measures would
often show a gain by chance. The interval is that of the paired bootstrap over documents (Efron and Tibshirani 1993);
documents with equal text count as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from keywright.calibration.measures.ece import BINS, bin_totals, error_from_totals
from keywright.core.arrays import Floats, Ints
from keywright.evaluation.statistics.bootstrap import Resampling, interval, resampled
from keywright.learners.continuing import HeldOut

CUTOFFS: Final = (5, 10, 15)
"""Cutoffs of SemEval-2010 Task 5."""
SHOWN: Final = CUTOFFS[-1]
"""Phrases per document whose probabilities are checked."""
MIN_DOCUMENTS: Final = 20
"""Documents below which no gain is claimed; arbitrary."""
DECISIVE: Final = "F, mean of F@5, F@10 and F@15"
CALIBRATION: Final = f"calibration error of the top {SHOWN}"


@dataclass(frozen=True, slots=True)
class Change:
    """A measure on held-out documents before and after adapting, all fractions.

    Attributes:
        measure: its name; F is mean per-document F1 with stems matched, the calibration error is smaller when better.
        before, after: its values.
        low, high: 95 % interval of the difference, after minus before.
    """

    measure: str
    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """After minus before."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Gain:
    """Changes of measures on held-out documents, equal texts counted once: the decisive measure first."""

    documents: int
    changes: tuple[Change, ...]

    @property
    def shown(self) -> bool:
        """True if the interval of the decisive measure lies above 0, and there are enough documents."""
        return self.documents >= MIN_DOCUMENTS and self.changes[0].low > 0

    @property
    def verdict(self) -> str:
        """The result in words."""
        first = self.changes[0]
        between = f"between {100 * first.low:+.1f} and {100 * first.high:+.1f} points of F (95 %)"
        if self.documents < MIN_DOCUMENTS:
            return f"no gain can be shown: {self.documents} documents are too few to tell, {MIN_DOCUMENTS} are needed"
        if self.shown:
            return f"gain shown: the difference on held-out documents lies {between}"
        if first.high < 0:
            return f"no gain: adapting makes it worse, the difference lies {between}"
        return f"no gain could be shown: the difference lies {between}"

    def as_json(self) -> dict[str, Any]:
        """JSON values only, for cards and machines."""
        rows = [
            {
                "measure": change.measure,
                "before": change.before,
                "after": change.after,
                "difference": change.difference,
                "interval": [change.low, change.high],
            }
            for change in self.changes
        ]
        return {"documents": self.documents, "shown": self.shown, "verdict": self.verdict, "changes": rows}


def gain_of(held_out: Sequence[HeldOut], resampling: Resampling | None = None) -> Gain:
    """Measure held-out examples before and after; a document with gold in several styles counts with their mean.

    The calibration error is left out if a style has no probabilities before or after.
    """
    resampling = resampling or Resampling()
    names = {name: index for index, name in enumerate(dict.fromkeys(example.document for example in held_out))}
    owner = np.array([names[example.document] for example in held_out])
    examples = np.bincount(owner, minlength=len(names))[:, None]
    scores = np.array([(*_f(example, example.before), *_f(example, example.after)) for example in held_out])
    rows = _summed(scores, owner, len(names)) / examples
    samples = resampled(rows, resampling) / len(rows)
    changes = _changes((DECISIVE, *(f"F@{k}" for k in CUTOFFS)), rows.mean(axis=0), samples, resampling.level)
    if all(each.probable_before is not None and each.probable_after is not None for each in held_out):
        bins = np.array([(*_bins(each, each.probable_before), *_bins(each, each.probable_after)) for each in held_out])
        totals = _summed(bins, owner, len(names))
        errors = _errors(totals.sum(axis=0)), _errors(resampled(totals, resampling))
        changes += _changes((CALIBRATION,), *errors, resampling.level)
    return Gain(len(names), changes)


def _f(example: HeldOut, scores: Floats) -> Floats:
    """Return the mean of F1 at the cutoffs, and each of them, (1 + cutoffs,); 0 for a document without candidates."""
    # Cumulated hits with a leading 0, so that index k is the number of hits among the first k phrases.
    hits = np.concatenate(([0], example.answers[np.argsort(-scores, kind="stable")].cumsum()))
    sizes = np.minimum(CUTOFFS, len(scores))
    each = 2 * hits[sizes] / np.maximum(sizes + example.gold, 1)
    return np.concatenate(([each.mean()], each))


def _bins(example: HeldOut, probabilities: Floats | None) -> Floats:
    """Return totals of the calibration bins of the best phrases, (3 * bins,)."""
    if probabilities is None:
        return np.zeros(3 * BINS)
    best = np.argsort(-probabilities, kind="stable")[:SHOWN]
    return bin_totals(probabilities[best], example.answers[best]).ravel()


def _errors(totals: Floats) -> Floats:
    """Return calibration errors before and after, (..., 2), from totals (..., 2 * 3 * bins)."""
    return error_from_totals(totals.reshape(*totals.shape[:-1], 2, 3, BINS))


def _summed(rows: Floats, owner: Ints, documents: int) -> Floats:
    """Return sums over the examples of each document, (documents, columns)."""
    sums = np.zeros((documents, rows.shape[1]))
    np.add.at(sums, owner, rows)
    return sums


def _changes(names: tuple[str, ...], values: Floats, samples: Floats, level: float) -> tuple[Change, ...]:
    """Return changes from values (2 * measures,), before first, and resampled values (samples, 2 * measures)."""
    before, after = np.split(values, 2)
    low, high = interval(samples[:, len(names) :] - samples[:, : len(names)], level)
    columns = (column.tolist() for column in (before, after, low, high))
    return tuple(Change(name, *numbers) for name, *numbers in zip(names, *columns, strict=True))
