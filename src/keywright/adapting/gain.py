"""What adapting gained: the same held-out documents before and after, with intervals, and a verdict.

The verdict hangs on one number that is fixed beforehand, the mean of F at 5, 10 and 15: picking the best of several
would find a gain by chance. The interval is that of the paired bootstrap over documents (Efron and Tibshirani 1993);
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
SHOWN: Final = CUTOFFS[-1]
"""Phrases a document whose probabilities are checked."""
LEAST: Final = 20
"""Documents below which nothing is claimed, whatever the interval says."""
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
    """What was measured on held-out documents.

    Attributes:
        documents: how many, texts that are equal counted once.
        changes: the decisive measure, then the others.
    """

    documents: int
    changes: tuple[Change, ...]

    @property
    def shown(self) -> bool:
        """Whether the decisive measure rose by more than chance explains, on documents enough."""
        return self.documents >= LEAST and self.changes[0].low > 0

    @property
    def verdict(self) -> str:
        """The same in words."""
        first = self.changes[0]
        between = f"between {100 * first.low:+.1f} and {100 * first.high:+.1f} points of F (95 %)"
        if self.documents < LEAST:
            return f"no gain can be shown: {self.documents} documents are too few to tell, {LEAST} are needed"
        if self.shown:
            return f"gain shown: the difference on documents that were not learnt from lies {between}"
        if first.high < 0:
            return f"no gain: adapting makes it worse, the difference lies {between}"
        return f"no gain could be shown: the difference lies {between}"

    def as_json(self) -> dict[str, Any]:
        """JSON values only, for cards and machines."""
        rows = [
            {
                "measure": one.measure,
                "before": one.before,
                "after": one.after,
                "difference": one.difference,
                "interval": [one.low, one.high],
            }
            for one in self.changes
        ]
        return {"documents": self.documents, "shown": self.shown, "verdict": self.verdict, "changes": rows}


def gain_of(held_out: Sequence[HeldOut], resampling: Resampling | None = None) -> Gain:
    """Before and after over held-out examples; a document with gold in several styles counts with their mean.

    The calibration error is left out where one of the styles has no probabilities before or after.

    Args:
        held_out: at least one example.
        resampling: how often is drawn for the intervals; 10,000 times if None.
    """
    how = resampling or Resampling()
    names = {name: place for place, name in enumerate(dict.fromkeys(one.document for one in held_out))}
    owner = np.array([names[one.document] for one in held_out])
    examples = np.bincount(owner, minlength=len(names))[:, None]
    scores = np.array([(*_f(one, one.before), *_f(one, one.after)) for one in held_out])
    rows = _summed(scores, owner, len(names)) / examples
    changes = _changes(
        (DECISIVE, *(f"F@{k}" for k in CUTOFFS)), rows.mean(axis=0), resampled(rows, how) / len(rows), how
    )
    if all(one.probable_before is not None and one.probable_after is not None for one in held_out):
        bins = np.array([(*_bins(one, one.probable_before), *_bins(one, one.probable_after)) for one in held_out])
        totals = _summed(bins, owner, len(names))
        changes += _changes((CALIBRATION,), _errors(totals.sum(axis=0)), _errors(resampled(totals, how)), how)
    return Gain(len(names), changes)


def _f(one: HeldOut, scores: Floats) -> Floats:
    """Mean of F1 at the cutoffs, and each of them, (1 + cutoffs,); 0 for a document without candidates."""
    hits = np.concatenate(([0], one.answers[np.argsort(-scores, kind="stable")].cumsum()))
    sizes = np.minimum(CUTOFFS, len(scores))
    each = 2 * hits[sizes] / np.maximum(sizes + one.gold, 1)
    return np.concatenate(([each.mean()], each))


def _bins(one: HeldOut, probabilities: Floats | None) -> Floats:
    """Totals of the bins of the best phrases, (3 * bins,)."""
    if probabilities is None:
        return np.zeros(3 * BINS)
    best = np.argsort(-probabilities, kind="stable")[:SHOWN]
    return bin_totals(probabilities[best], one.answers[best]).ravel()


def _errors(totals: Floats) -> Floats:
    """Calibration errors before and after, (..., 2), from totals (..., 2 * 3 * bins)."""
    return error_from_totals(totals.reshape(*totals.shape[:-1], 2, 3, BINS))


def _summed(rows: Floats, owner: Ints, documents: int) -> Floats:
    """Sums over the examples of each document, (documents, columns)."""
    found = np.zeros((documents, rows.shape[1]))
    np.add.at(found, owner, rows)
    return found


def _changes(names: tuple[str, ...], values: Floats, samples: Floats, how: Resampling) -> tuple[Change, ...]:
    """Changes of measures from values (2 * measures,) and resampled values (samples, 2 * measures), before first."""
    before, after = np.split(values, 2)
    low, high = interval(samples[:, len(names) :] - samples[:, : len(names)], how.level)
    columns = (column.tolist() for column in (before, after, low, high))
    return tuple(Change(name, *numbers) for name, *numbers in zip(names, *columns, strict=True))
