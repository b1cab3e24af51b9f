"""Lists of phrases as ExHiRD writes them: their grammar, and exclusion of first words that were used.

Chen et al. 2020: a phrase is ``<p_start>`` or ``<a_start>``, words and ``;``; ``<eos>`` ends the list. Tokens that may
not follow get log-probability minus infinity, and the others keep theirs. A first word is not used again soon (section
3.4): hard exclusion acts when phrases are written (ExHiRD-h), soft exclusion in training (ExHiRD-s).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from keywright.core.errors import BadParameter
from keywright.neural.data.words import ABSENT, BEGIN, END, NULL, PAD, PRESENT, PRESENT_END, SEPARATOR
from keywright.neural.models.generator import pad_rows

_FIRST_START, _START, _LIST_FULL, _FIRST_WORD, _WORD, _PHRASE_FULL = range(6)
"""Kinds of places: the start of the first phrase, that of a later one, the end of a full list, a first word, a later
word, the end of a full phrase."""
_ONLY: Final = {
    _FIRST_START: (PRESENT, ABSENT),
    _START: (PRESENT, ABSENT, END),
    _LIST_FULL: (END,),
    _PHRASE_FULL: (SEPARATOR,),
}
"""Tokens of the places where hardly any may follow."""
_NEVER: Final = {
    _FIRST_WORD: (PAD, BEGIN, END, SEPARATOR, PRESENT_END, NULL, PRESENT, ABSENT),
    _WORD: (PAD, BEGIN, END, PRESENT_END, NULL, PRESENT, ABSENT),
}
"""Tokens that are not words, of the other places."""


@dataclass(frozen=True, slots=True)
class ListLimits:
    """Most phrases of a list, and words of a phrase, at least 1; the values are those of the paper."""

    phrases: int = 20
    words: int = 6

    def __post_init__(self) -> None:
        if min(self.phrases, self.words) < 1:
            message = f"{self.phrases} phrases of {self.words} words"
            raise BadParameter(message, "expected at least one phrase of one word")


PUBLISHED_LIMITS: Final = ListLimits()  # limits of the paper


@dataclass(frozen=True, eq=False)
class Progress:
    """Where each row is in its list: ``phrases``, ``tokens`` of the current one, and last first words."""

    phrases: Tensor
    tokens: Tensor
    first_words: Tensor

    @classmethod
    def start(cls, rows: int, window: int, device: torch.device) -> "Progress":
        """Return the progress of rows that have written nothing; first words of ``window`` phrases are excluded."""
        nothing = torch.zeros(rows, dtype=torch.long, device=device)
        return cls(nothing, nothing, nothing.new_full((rows, window), PAD))

    def after(self, words: Tensor) -> "Progress":
        """Return the progress after the tokens that the rows have written, (rows,); ``BEGIN`` changes nothing."""
        ended = words == SEPARATOR
        moved = torch.cat([self.first_words, words[:, None]], 1)[:, 1:]
        is_first = (self.tokens == 1)[:, None]
        return Progress(
            phrases=self.phrases + ended.long(),
            tokens=torch.where(ended | (words == BEGIN), 0, self.tokens + 1),
            first_words=torch.where(is_first, moved, self.first_words),
        )

    def rows(self, rows: Tensor) -> "Progress":
        """Return the progress of some rows, which may repeat, (rows,)."""
        return replace(self, **{name: value[rows] for name, value in vars(self).items()})

    def mask(self, log_probabilities: Tensor, limits: ListLimits) -> Tensor:
        """Return log-probabilities, (rows, words), with minus infinity where a token may not follow."""
        is_full = self.phrases >= limits.phrases
        starts = torch.where(self.phrases == 0, _FIRST_START, torch.where(is_full, _LIST_FULL, _START))
        words = torch.where(self.tokens > limits.words, _PHRASE_FULL, _WORD)
        kinds = torch.where(self.tokens == 0, starts, torch.where(self.tokens == 1, _FIRST_WORD, words))
        allowed = _make_table(log_probabilities)[kinds]
        # Rows at other places exclude padding, which may follow nowhere, so that all rows have as many columns.
        excluded = torch.where((self.tokens == 1)[:, None], self.first_words, PAD)
        return (log_probabilities + allowed).scatter(1, excluded, -torch.inf)


def _make_table(log_probabilities: Tensor) -> Tensor:
    """Return 0 where a token may follow and minus infinity elsewhere, (kinds, words)."""
    table = log_probabilities.new_zeros(len(_ONLY) + len(_NEVER), log_probabilities.shape[1])
    for kind, tokens in _ONLY.items():
        table[kind] = -torch.inf
        table[kind, list(tokens)] = 0
    for kind, tokens in _NEVER.items():
        table[kind, list(tokens)] = -torch.inf
    return table


_SMALLEST = 1e-20  # added inside the logarithm, as the published generators do: only exact zeros change


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Exclusion of first words, by numbers from 0; the values are those of ExHiRD-h.

    ``hard_window``: phrases whose first words may not begin the next, 0 for none, in the paper 1, and 4 for Inspec;
    ``soft_weight``: weight of the loss that first words of ``soft_window`` earlier phrases get, 0 for none, in the
    paper 1.
    """

    hard_window: int = 1
    soft_weight: float = 0.0
    soft_window: int = 4

    def __post_init__(self) -> None:
        if min(self.hard_window, self.soft_weight, self.soft_window) < 0:
            message = f"windows {self.hard_window} and {self.soft_window}, weight {self.soft_weight:g}"
            raise BadParameter(message, "expected numbers from 0")


HARD: Final = Exclusion()
SOFT: Final = Exclusion(hard_window=0, soft_weight=1.0)


def list_earlier_first_words(first_words: Sequence[Sequence[int]], window: int) -> Tensor:
    """Return the other first words of ``window`` phrases before each, (phrases of all, window), filled with ``PAD``."""
    earlier = [
        [word for word in document[max(0, place - window) : place] if word != own_first]
        for document in first_words
        for place, own_first in enumerate(document)
    ]
    return pad_rows(earlier, window)


def exclusion_loss(log_probabilities: Tensor, excluded: Tensor) -> Tensor:
    """Return the sum of -log(1 - P(word)), (phrases, words), over ``excluded`` words, (phrases, window), or ``PAD``."""
    # 1 - P, which single precision would round to 0 near 1 if it were not computed from log P itself.
    remaining = -torch.expm1(log_probabilities.float().gather(1, excluded))
    return -torch.where(excluded != PAD, remaining.clamp_min(_SMALLEST).log(), 0.0).sum()
