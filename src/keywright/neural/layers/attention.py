"""Attention with several heads (Vaswani et al. 2017, section 3.2)."""

import math

import torch
from torch import Tensor, nn


class Attention(nn.Module):
    """Attention of queries over a memory: softmax(QK' / sqrt(width of a head)) V in each head, joined by a projection.

    Keys and values of a memory are projected once by ``memory`` and used at every step of decoding.
    """

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def memory(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values of states (batch, memory, width), each (batch, heads, memory, width / heads)."""
        return self._split(self.key(states)), self._split(self.value(states))

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, *, causal: bool = False
    ) -> Tensor:
        """Return what each query attends to, (batch, queries, width).

        Args:
            queries: (batch, queries, width).
            keys: of ``memory``, (batch, heads, memory, width / heads).
            values: as ``keys``.
            mask: true where a query may look, broadcast to (batch, heads, queries, memory).
            causal: whether query ``i`` looks at the first ``i + 1`` places of the memory only.
        """
        dropout = self.dropout if self.training else 0.0
        attended = nn.functional.scaled_dot_product_attention(
            self._split(self.query(queries)), keys, values, mask, dropout, is_causal=causal
        )
        # (batch, heads, queries, width / heads) -> (batch, queries, width)
        joined: Tensor = self.out(attended.transpose(1, 2).flatten(2))
        return joined

    def first_head(self, queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        """Return the weights of the first head, (batch, queries, memory), with dropout in training.

        Args:
            queries: (batch, queries, width).
            keys: of ``memory``.
            mask: true where there is a word, (batch, memory).
        """
        each = keys.shape[-1]
        query = nn.functional.linear(queries, self.query.weight[:each], self.query.bias[:each])
        scores = (query @ keys[:, 0].transpose(1, 2)).float() / math.sqrt(each)
        weights = scores.masked_fill(~mask[:, None, :], -torch.inf).softmax(-1)
        return nn.functional.dropout(weights, self.dropout, self.training)

    def _split(self, states: Tensor) -> Tensor:
        """(batch, places, width) -> (batch, heads, places, width / heads)."""
        return states.unflatten(-1, (self.heads, -1)).transpose(1, 2)
