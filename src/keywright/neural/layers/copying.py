"""Mixture of writing a word of the vocabulary and copying one of the source (See et al. 2017, equation 9).

P(word) = gate x P(word in the vocabulary) + (1 - gate) x sum of the attention on the source's places with that word.
"""

import torch
from torch import Tensor, nn

_SMALLEST = 1e-20
"""Added inside logarithms, as the published generators do: a copied word that got no attention has a finite loss."""


class CopyMixture(nn.Module):
    """Gate and mixture; arguments may have any leading axes."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 1)

    def log_probabilities(
        self, states: Tensor, logits: Tensor, attention: Tensor, extended: Tensor, extra: int
    ) -> Tensor:
        """Return log-probabilities of all words, (..., vocabulary + extra).

        Args:
            states: (..., width).
            logits: of the vocabulary, (..., vocabulary).
            attention: weights on the source, (..., source).
            extended: numbers of the source's words, broadcast to (..., source).
            extra: number of words behind the vocabulary.
        """
        gate = self.gate(states).sigmoid()
        written = gate * logits.softmax(-1)
        every = torch.cat([written, written.new_zeros(*written.shape[:-1], extra)], -1)
        copied = (1 - gate) * attention
        return (every.scatter_add(-1, extended.expand_as(copied), copied) + _SMALLEST).log()

    def target_log_probabilities(
        self, states: Tensor, logits: Tensor, attention: Tensor, extended: Tensor, targets: Tensor
    ) -> Tensor:
        """Return the log-probabilities of one word each, (...), without those of all others.

        Args:
            states: (..., width).
            logits: of the vocabulary, (..., vocabulary).
            attention: weights on the source, (..., source).
            extended: numbers of the source's words, broadcast to (..., source).
            targets: numbers of the words, with those behind the vocabulary, (...).
        """
        gate = self.gate(states).sigmoid().squeeze(-1)
        is_written = targets < logits.shape[-1]
        # Only one column of the softmax is needed; the cross entropy has it in one pass there and one back.
        columns = torch.where(is_written, targets, 0)
        chosen = nn.functional.cross_entropy(logits.flatten(0, -2), columns.flatten(), reduction="none")
        written = torch.where(is_written, (-chosen.view(columns.shape)).exp(), 0.0)
        copied = torch.where(extended == targets[..., None], attention, 0.0).sum(-1)
        values: Tensor = (gate * written + (1 - gate) * copied + _SMALLEST).log()
        return values
