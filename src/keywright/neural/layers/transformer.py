"""Layers of a Transformer whose norms stand before each part (pre-norm; Xiong et al. 2020)."""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

import torch
from torch import Tensor, nn

from keywright.neural.layers.attention import Attention

KeysAndValues: TypeAlias = tuple[Tensor, Tensor]
"""Keys and values of a memory, each (rows, heads, memory, width / heads)."""


class FeedForward(nn.Sequential):
    """Two projections with a rectifier between."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__(nn.Linear(width, inner), nn.ReLU(), nn.Dropout(dropout), nn.Linear(inner, width))


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward part, each added to its input."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.attention = Attention(width, heads, dropout)
        self.feed_forward = FeedForward(width, inner, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return new states (batch, source, width); ``mask`` is true where there is a word, (batch, source)."""
        normed = self.norms[0](states)
        attended = self.attention(normed, *self.attention.memory(normed), mask[:, None, None, :])
        states = states + self.dropout(attended)
        joined: Tensor = states + self.dropout(self.feed_forward(self.norms[1](states)))
        return joined


class DecoderLayer(nn.Module):
    """Self-attention, attention over the source, and a feed-forward part, each added to its input."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.self_attention = Attention(width, heads, dropout)
        self.source_attention = Attention(width, heads, dropout)
        self.feed_forward = FeedForward(width, inner, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, states: Tensor, past: KeysAndValues | None, source: KeysAndValues, mask: Tensor
    ) -> tuple[Tensor, KeysAndValues, Tensor]:
        """Return new states, the keys and values up to here, and the queries that looked at the source.

        Args:
            states: (batch, slots, steps, width). Slots do not see each other; one slot is a plain decoder.
            past: keys and values of earlier steps, (batch x slots, heads, earlier, width / heads); with it there is
                one step.
            source: keys and values of the source, (batch, heads, source, width / heads).
            mask: true where there is a word of the source, (batch, source).
        """
        batch, slots = states.shape[:2]
        normed = self.norms[0](states).flatten(0, 1)  # (batch x slots, steps, width)
        keys, values = self.self_attention.memory(normed)
        if past is not None:
            keys, values = torch.cat([past[0], keys], 2), torch.cat([past[1], values], 2)
        attended = self.self_attention(normed, keys, values, causal=past is None)
        states = states + self.dropout(attended.unflatten(0, (batch, slots)))
        queries = self.norms[1](states).flatten(1, 2)  # (batch, slots x steps, width)
        attended = self.source_attention(queries, *source, mask[:, None, None, :])
        states = states + self.dropout(attended.unflatten(1, (slots, -1)))
        states = states + self.dropout(self.feed_forward(self.norms[2](states)))
        return states, (keys, values), queries


@dataclass(frozen=True, eq=False)
class DecoderMemory:
    """Memory of a decoder: the source, and its own steps so far.

    Attributes:
        source: keys and values of the source for each layer.
        mask: true where there is a word of the source, (batch, source).
        extended: numbers of the source's words with those behind the vocabulary, (batch, source).
        extra: number of words behind the vocabulary.
        document: number of each row's document, (batch,).
        past: keys and values of the steps so far for each layer; empty before the first step.
        steps: number of steps so far.
    """

    source: tuple[KeysAndValues, ...]
    mask: Tensor
    extended: Tensor
    extra: int
    document: Tensor
    past: tuple[KeysAndValues, ...] = field(default=())
    steps: int = 0

    def rows(self, rows: Tensor) -> "DecoderMemory":
        """Return the memory of some rows of the batch, which may repeat, (rows,); one slot only."""
        past = tuple((keys[rows], values[rows]) for keys, values in self.past)
        document = self.document[rows]
        # The hypotheses of a beam change places among those of their document: what is the document's then stays, which
        # is most of the memory.
        if document.equal(self.document):
            return replace(self, past=past)
        return replace(
            self,
            source=tuple((keys[rows], values[rows]) for keys, values in self.source),
            past=past,
            mask=self.mask[rows],
            extended=self.extended[rows],
            document=document,
        )
