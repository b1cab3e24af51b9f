"""Gains of quality best on the candidates that it reads, from their log-odds before and after."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Style
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from studies.reader.rows import CUTOFFS, Gain

OWN: Final = "own style"
"""Styles but the general one, in rows of means."""


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
    drawn = resample(f1[:, 2] - f1[:, 0], resampling) / len(f1)
    bounds = percentile_interval(drawn, resampling.level).T.tolist()
    for number, cutoff in enumerate(CUTOFFS):
        standard, encoder, best = f1[:, :, number].mean(axis=0).tolist()
        yield Gain(documents, data, style, f"F@{cutoff}", len(f1), standard, best, tuple(bounds[number]), encoder)


def mean_gains(documents: str, f1: Mapping[tuple[str, str], Floats]) -> Iterator[Gain]:
    """Yield the means over collections, of the general style and of their own ones, with intervals from resampling.

    Documents are drawn anew within each collection. All collections count alike, in each of their styles, whatever the
    number of their parts.

    Args:
        documents: where they are from, in the rows.
        f1: as in ``gains_of``, by collection and style.
    """
    resampling = Resampling()
    whole: dict[tuple[str, str], list[Floats]] = {}
    for (data, style), values in f1.items():
        whole.setdefault((data.partition("/")[0], style), []).append(values)
    for gold in (Style.GENERAL.value, OWN):
        chosen = [
            np.concatenate(parts) for (_, style), parts in whole.items() if (style == Style.GENERAL) == (gold != OWN)
        ]
        if not chosen:
            continue
        shares = [(values[:, 2] - values[:, 0]) / (len(values) * len(chosen)) for values in chosen]
        strata = np.repeat(np.arange(len(chosen)), list(map(len, chosen)))
        drawn = resample(np.concatenate(shares), resampling, strata)
        bounds = percentile_interval(drawn, resampling.level).T.tolist()
        means = np.mean([values.mean(axis=0) for values in chosen], axis=0).T.tolist()  # (cutoffs, 3)
        for cutoff, (standard, encoder, best), ends in zip(CUTOFFS, means, bounds, strict=True):
            yield Gain(
                documents, f"mean of {len(chosen)}", gold, f"F@{cutoff}", len(strata), standard, best, ends, encoder
            )
