"""Keyphrase perplexity of a run: its distribution over present phrases and over absent ones.

Kundu, Ray Chowdhury and Caragea 2023 (Neural Keyphrase Generation: Analysis and Evaluation), Figure 1.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter

HIGHEST: Final = 10.0
"""End of the last bin; arbitrary."""
WIDTH: Final = 0.5
"""Width of a bin; arbitrary."""
_LONG: Final = 10_000
"""Medians from this on are printed as powers of ten; arbitrary."""


@dataclass(frozen=True, slots=True, eq=False)
class PerplexityHistogram:
    """Histogram and median of perplexities.

    Attributes:
        median: 1 at least; None where there are no phrases.
        edges: ends of the bins, rising, the first 1, (bins + 1,).
        counts: phrases in each bin, whose high end belongs to the next one, (bins,).
        above: phrases at or above the last edge.
    """

    median: float | None
    edges: Floats
    counts: Ints
    above: int

    @property
    def median_text(self) -> str:
        """The median with two decimals, or as a power of ten where that would be long; a dash without phrases."""
        if self.median is None:
            return "-"
        return f"{self.median:.2f}" if self.median < _LONG else f"{self.median:.1e}"


def perplexities(phrases: JudgedPhrases) -> Floats:
    """Return the perplexity of each phrase, 1 at least, (phrases,): the inverse of its confidence.

    Raises:
        BadParameter: a confidence is not above 0 and at most 1, as scores are not.
    """
    outside = ~((phrases.confidence > 0) & (phrases.confidence <= 1))  # nan is neither
    if outside.any():
        example = float(phrases.confidence[outside][0])
        raise BadParameter(
            f"confidence {example} has no perplexity", "expected one above 0 and at most 1, such as kpp-s"
        )
    inverse: Floats = 1 / phrases.confidence
    return inverse


def perplexity_histogram(
    phrases: JudgedPhrases, *, present: bool, highest: float = HIGHEST, width: float = WIDTH
) -> PerplexityHistogram:
    """Return median and histogram of the perplexities of present, or absent phrases, from 1 to ``highest``."""
    if not (width > 0 and highest >= 1 + width):
        raise BadParameter(f"bins of {width} up to {highest}", "expected a width above 0, and at least one bin from 1")
    values = perplexities(phrases)[phrases.present == present]
    edges: Floats = 1 + width * np.arange(round((highest - 1) / width) + 1)
    counts = np.bincount(np.searchsorted(edges, values, side="right") - 1, minlength=len(edges))
    median = float(np.median(values)) if len(values) else None
    return PerplexityHistogram(median, edges, counts[:-1], int(counts[-1]))
