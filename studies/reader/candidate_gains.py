"""Gains of quality best on the candidates that it reads, from their log-odds before and after."""

from collections.abc import Iterator

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.evaluation.statistics.bootstrap import Resampling, interval, resampled
from studies.reader.rows import CUTOFFS, Gain


def f1_at(log_odds: Floats, answers: Bools) -> list[float]:
    """Return F1 of a document's candidates at each cutoff, against the keyphrases among them."""
    hits = answers[np.argsort(-log_odds, kind="stable")]
    return [2 * hits[:cutoff].sum() / (min(cutoff, len(hits)) + answers.sum()) for cutoff in CUTOFFS]


def gains_of(documents: str, data: str, style: str, f1: Floats) -> Iterator[Gain]:
    """Yield the gains of a collection: the means over documents, with intervals from resampling these.

    Args:
        documents: where they are from, in the rows.
        data: the collection.
        style: of the keyphrases.
        f1: of the standard quality, the encoder alone and quality best, (documents, 3, cutoffs).
    """
    resampling = Resampling()
    drawn = resampled(f1[:, 2] - f1[:, 0], resampling) / len(f1)
    bounds = interval(drawn, resampling.level).T.tolist()
    for number, cutoff in enumerate(CUTOFFS):
        standard, encoder, best = f1[:, :, number].mean(axis=0).tolist()
        yield Gain(documents, data, style, f"F@{cutoff}", len(f1), standard, best, tuple(bounds[number]), encoder)
