"""The numbers behind the figures of the calibration study of keyphrase generators, which are not printed.

Figure 1: perplexities of present and absent phrases (KPP-s, so that models of words and of pieces can be compared),
their median and their histogram, over all collections. Figure 2: mean probability of the first to fifth token of a
phrase, over all collections. Figure 4: the share of gold present keyphrases that are found, by fifth of the document.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from keywright.calibration.analysis.positions import (
    PerplexityHistogram,
    perplexity_histogram,
    probability_by_place,
    recall_by_fifth,
)
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import Decisions
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.evaluation.rules import PhraseClass
from keywright.experiments.study import Row

WIDTH: Final = 1.0
"""Width of the bins of perplexities."""
_DECIMALS: Final = 3
"""More than can be read from the figures."""
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


def rows(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield the numbers behind the figures of a model."""
    yield from _perplexities(model, decisions)
    yield from _by_token(model, decisions)
    yield from _by_fifth(model, decisions)


def _perplexities(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield figure 1: the median, then the number of phrases of each bin."""
    parts = [judged.columns(Confidence.KPP_S) for judged in decisions.values()]
    for part in _CLASSES:
        histogram = perplexity_histogram(_pooled(parts), present=part is PhraseClass.PRESENT, width=WIDTH)
        note = "figure 1: all collections"
        median = None if histogram.median is None else round(histogram.median, 2)
        yield Row("KPP-median", None, median, model, note=note, phrase_class=part)
        for name, count in _bins(histogram):
            yield Row(name, None, count, model, note=f"{note}, phrases", phrase_class=part)


def _pooled(parts: list[JudgedPhrases]) -> JudgedPhrases:
    """Return phrases of several collections as part, documents numbered consecutively."""
    before = np.cumsum([0, *(len(part.ids) for part in parts)])
    return JudgedPhrases(
        tuple(name for part in parts for name in part.ids),
        np.concatenate([part.document + start for part, start in zip(parts, before, strict=False)]),
        *(
            np.concatenate([getattr(part, column) for part in parts])
            for column in ("rank", "confidence", "correct", "present", "words", "gold")
        ),
    )


def _bins(histogram: PerplexityHistogram) -> Iterator[tuple[str, int]]:
    for low, high, count in zip(histogram.edges, histogram.edges[1:], histogram.counts.tolist(), strict=False):
        yield f"KPP-{low:g}-to-{high:g}", count
    yield f"KPP-from-{histogram.edges[-1]:g}", histogram.above


def _by_token(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    for part in _CLASSES:
        by_place = probability_by_place(decisions.values(), present=part is PhraseClass.PRESENT)
        for at, mean in enumerate(by_place.mean.tolist(), start=1):
            if by_place.size[at - 1]:
                note = "figure 2: all collections"
                name = f"probability-of-token-{at}"
                yield Row(name, None, round(mean, _DECIMALS), model, note=note, phrase_class=part)


def _by_fifth(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Yield figure 4, by position in the stemmed text."""
    for name, judged in decisions.items():
        recall = recall_by_fifth(judged)
        for at, share in enumerate(recall.mean.tolist(), start=1):
            if recall.size[at - 1]:
                yield Row(
                    f"recall-in-fifth-{at}",
                    None,
                    round(share, _DECIMALS),
                    model,
                    dataset=name,
                    note="figure 4",
                    phrase_class=PhraseClass.PRESENT,
                )
