"""Resampling of documents and seeds together, with the same draws for every system, so that differences are paired."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats
from keywright.evaluation.statistics.bootstrap import Resampling, draw_documents, percentile_interval


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Documents of a collection, drawn with replacement.

    Attributes:
        documents: number of times that each document is in each sample, (samples, documents).
        resampling: number of samples, seed and level.
    """

    documents: Floats
    resampling: Resampling

    @classmethod
    def of(cls, documents: int, resampling: Resampling | None = None) -> "Draws":
        """Draw as many documents as there are, in each sample."""
        drawing = resampling or Resampling()
        return cls(np.concatenate(tuple(draw_documents(documents, drawing))), drawing)

    def samples(self, runs: Sequence[Floats], of: Callable[[Floats], Floats]) -> Floats:
        """Return the mean over drawn runs of a function of sums over drawn documents, (samples, values).

        Args:
            runs: statistics of a system's documents, one array (documents, columns) for each seed.
            of: function from sums (samples, columns) to values (samples, values).
        """
        chance = np.random.Generator(np.random.PCG64([self.resampling.seed, len(runs)]))
        times = chance.multinomial(len(runs), np.full(len(runs), 1 / len(runs)), self.resampling.samples)
        values = np.stack([of(self.documents @ rows) for rows in runs], axis=1)  # (samples, runs, values)
        drawn: Floats = (times[..., None] * values).sum(axis=1) / len(runs)
        return drawn

    def ends(self, samples: Floats) -> list[tuple[float, float]]:
        """Return the interval of each value of samples, (samples, values)."""
        low, high = percentile_interval(samples, self.resampling.level).tolist()
        return list(zip(low, high, strict=True))


def mean_of_runs(runs: Sequence[Floats], of: Callable[[Floats], Floats]) -> Floats:
    """Return the mean over runs of a function of sums over all documents, (values,)."""
    mean: Floats = np.mean([of(rows.sum(axis=0)) for rows in runs], axis=0)
    return mean
