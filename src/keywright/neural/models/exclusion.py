"""Exclusion of ExHiRD: keyphrases that begin alike are mostly the same, so that a first word is not used again soon.

Chen et al. 2020, section 3.4. Hard exclusion acts when phrases are written, soft exclusion in training; they are
alternatives, named ExHiRD-h and ExHiRD-s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from keywright.core.errors import BadParameter
from keywright.neural.data.source_batch import padded
from keywright.neural.data.vocabulary import PAD

_SMALLEST = 1e-8
"""Least remaining probability in the logarithm, below the resolution of 32 bits near 1: only exact zeros change."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Exclusion of first words; the values are those of ExHiRD-h.

    Attributes:
        hard_window: phrases whose first words may not begin the next phrase; 0 for none. The paper has 1, and 4 for
            Inspec.
        soft_weight: weight of the loss that first words of earlier phrases get; 0 for none, the paper has 1.
        soft_window: earlier phrases in that loss.

    Raises:
        BadParameter: a number below 0.
    """

    hard_window: int = 1
    soft_weight: float = 0.0
    soft_window: int = 4

    def __post_init__(self) -> None:
        """Check the numbers."""
        if min(self.hard_window, self.soft_weight, self.soft_window) < 0:
            message = f"windows {self.hard_window} and {self.soft_window}, weight {self.soft_weight:g}"
            raise BadParameter(message, "expected numbers from 0")


HARD: Final = Exclusion()
"""Exclusion of ExHiRD-h."""
SOFT: Final = Exclusion(hard_window=0, soft_weight=1.0)
"""Exclusion of ExHiRD-s."""


def earlier_first_words(first_words: Sequence[Sequence[int]], window: int) -> Tensor:
    """Return the first words of the ``window`` phrases before each phrase, those equal to its own left out.

    Args:
        first_words: numbers of the first words of each document's phrases.
        window: earlier phrases.

    Returns:
        Numbers, filled with ``PAD``, (phrases of all documents, window).
    """
    earlier = [
        [word for word in document[max(0, place - window) : place] if word != own_first]
        for document in first_words
        for place, own_first in enumerate(document)
    ]
    return padded(earlier, window)


def exclusion_loss(log_probabilities: Tensor, excluded: Tensor) -> Tensor:
    """Return the sum of -log(1 - P(word)) over excluded words.

    Args:
        log_probabilities: of all words at the first word of each phrase, (phrases, words).
        excluded: numbers of the words, ``PAD`` for none, (phrases, window).
    """
    remaining = 1 - log_probabilities.gather(1, excluded).exp()
    return -torch.where(excluded != PAD, remaining.clamp_min(_SMALLEST).log(), 0.0).sum()
