"""The numbers behind the figures of the calibration study of keyphrase generators: its pictures print none.

Figure 1: perplexities of present and absent phrases (KPP-s, so that models of words and of pieces can be compared),
their median and their histogram, over all collections. Figure 2: mean probability of the first to fifth token of a
phrase, over all collections. Figure 4: the share of gold present keyphrases that are found, by fifth of the document.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from keywright.calibration.analysis.perplexity import PerplexityHistogram, perplexity_histogram
from keywright.calibration.analysis.positions import probability_by_place, recall_by_fifth
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import Decisions
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.evaluation.rules import PhraseClass
from keywright.experiments.rows import Row

WIDTH: Final = 1.0
"""Of the bins of perplexities."""

_DECIMALS: Final = 3
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


def rows(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """What the figures show of a model.

    Args:
        model: what the rows call it.
        decisions: its judged phrases, by collection.
    """
    yield from _perplexities(model, decisions)
    yield from _by_token(model, decisions)
    yield from _by_fifth(model, decisions)


def _perplexities(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Figure 1: median, then how many phrases each bin has."""
    parts = [one.columns(Confidence.KPP_S) for one in decisions.values()]
    for part in _CLASSES:
        found = perplexity_histogram(_pooled(parts), present=part is PhraseClass.PRESENT, width=WIDTH)
        note = "figure 1: all collections"
        median = None if found.median is None else round(found.median, 2)
        yield Row("KPP-median", None, median, model, note=note, phrase_class=part)
        for name, count in _bins(found):
            yield Row(name, None, count, model, note=f"{note}, phrases", phrase_class=part)


def _pooled(parts: list[JudgedPhrases]) -> JudgedPhrases:
    """Phrases of several collections as one; documents are numbered on."""
    before = np.cumsum([0, *(len(one.ids) for one in parts)])
    return JudgedPhrases(
        tuple(name for one in parts for name in one.ids),
        np.concatenate([one.document + start for one, start in zip(parts, before, strict=False)]),
        *(
            np.concatenate([getattr(one, column) for one in parts])
            for column in ("rank", "confidence", "correct", "present", "words", "gold")
        ),
    )


def _bins(found: PerplexityHistogram) -> Iterator[tuple[str, int]]:
    for low, high, count in zip(found.edges, found.edges[1:], found.counts.tolist(), strict=False):
        yield f"KPP-{low:g}-to-{high:g}", count
    yield f"KPP-from-{found.edges[-1]:g}", found.above


def _by_token(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Figure 2."""
    for part in _CLASSES:
        found = probability_by_place(decisions.values(), present=part is PhraseClass.PRESENT)
        for at, mean in enumerate(found.mean.tolist(), start=1):
            if found.size[at - 1]:
                note = "figure 2: all collections"
                name = f"probability-of-token-{at}"
                yield Row(name, None, round(mean, _DECIMALS), model, note=note, phrase_class=part)


def _by_fifth(model: str, decisions: Mapping[str, Decisions]) -> Iterator[Row]:
    """Figure 4, by the place in the stemmed text."""
    for name, one in decisions.items():
        found = recall_by_fifth(one)
        for at, share in enumerate(found.mean.tolist(), start=1):
            if found.size[at - 1]:
                yield Row(
                    f"recall-in-fifth-{at}",
                    None,
                    round(share, _DECIMALS),
                    model,
                    dataset=name,
                    note="figure 4",
                    phrase_class=PhraseClass.PRESENT,
                )
