"""Keyphrase perplexity of a run: how it is spread over its phrases, present ones and absent ones apart.

Kundu, Ray Chowdhury and Caragea 2023 (Neural Keyphrase Generation: Analysis and Evaluation), Figure 1.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter

HIGHEST: Final = 10.0
WIDTH: Final = 0.5
_LONG: Final = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How perplexities lie.

    Attributes:
        median: 1 at least; None where there are no phrases.
        edges: ends of the bins, rising, the first 1, (bins + 1,).
        counts: phrases in each bin, the high end belongs to the next one, (bins,).
        above: phrases at or above the last edge.
    """

    median: float | None
    edges: Floats
    counts: Ints
    above: int

    @property
    def middle(self) -> str:
        """The median as people read it: two decimals, or a power of ten where that would be long; none is a dash."""
        if self.median is None:
            return "-"
        return f"{self.median:.2f}" if self.median < _LONG else f"{self.median:.1e}"


def perplexities(phrases: JudgedPhrases) -> Floats:
    """The perplexity of each phrase, 1 at least, (phrases,): the inverse of its confidence.

    Raises:
        BadParameter: a confidence is not above 0 and at most 1, as scores are not.
    """
    confidence = phrases.confidence
    if not ((confidence > 0) & (confidence <= 1)).all():  # nan is neither
        odd = float(confidence[~((confidence > 0) & (confidence <= 1))][0])
        raise BadParameter(f"confidence {odd} has no perplexity", "expected one above 0 and at most 1, such as kpp-s")
    found: Floats = 1 / confidence
    return found


def spread(phrases: JudgedPhrases, *, present: bool, highest: float = HIGHEST, width: float = WIDTH) -> Spread:
    """Median and histogram of the perplexities of present, or of absent phrases.

    Args:
        phrases: with a confidence such as ``kpp-s``.
        present: which of them.
        highest: where the last bin ends, to the nearest whole number of bins.
        width: of a bin, above 0.

    Raises:
        BadParameter: as for ``perplexities``, or there is no bin between 1 and ``highest``.
    """
    if not (width > 0 and highest >= 1 + width):
        raise BadParameter(f"bins of {width} up to {highest}", "expected a width above 0, and at least one bin from 1")
    found = perplexities(phrases)[phrases.present == present]
    edges: Floats = 1 + width * np.arange(round((highest - 1) / width) + 1)
    place = np.searchsorted(edges, found, side="right") - 1
    counts = np.bincount(place, minlength=len(edges))
    median = float(np.median(found)) if len(found) else None
    return Spread(median, edges, counts[: len(edges) - 1], int(counts[len(edges) - 1]))
