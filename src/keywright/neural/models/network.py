"""The Transformer of One2Seq and One2Set: six layers each side, pre-norm, with a copy mixture.

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021, section 4.2; it is the model of
Vaswani et al. 2017 with embeddings shared by both sides, a projection after the embedding, an output that is not tied
to it, and a copy distribution from the first head of the last layer's attention over the source. Encoder positions
count from 1, those of a decoder from 0.
"""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from keywright.neural.data.source_batch import SourceBatch
from keywright.neural.data.vocabulary import PAD, UNKNOWN
from keywright.neural.layers.copying import CopyMixture
from keywright.neural.layers.positions import sinusoids
from keywright.neural.layers.transformer import DecoderLayer, DecoderMemory, EncoderLayer


@dataclass(frozen=True, slots=True)
class Size:
    """Size of a Transformer; the values are those of the paper.

    Attributes:
        width: of embeddings and states.
        inner: width inside the feed-forward parts.
        layers: of each side.
        tied: whether the output uses the embeddings; small models are better and faster so, the published ones not.
    """

    width: int = 512
    heads: int = 8
    inner: int = 2048
    layers: int = 6
    dropout: float = 0.1
    tied: bool = False


class CopyTransformer(nn.Module):
    """Encoder, decoder of slots, output and copy mixture over a vocabulary of ``words`` words."""

    def __init__(self, words: int, size: Size) -> None:
        super().__init__()
        self.size, self.words = size, words
        parts = size.width, size.heads, size.inner, size.dropout
        self.embedding = nn.Embedding(words, size.width, padding_idx=PAD)
        self.source_projection = nn.Linear(size.width, size.width)
        self.target_projection = nn.Linear(size.width, size.width)
        self.encoder = nn.ModuleList(EncoderLayer(*parts) for _ in range(size.layers))
        self.decoder = nn.ModuleList(DecoderLayer(*parts) for _ in range(size.layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(size.width), nn.LayerNorm(size.width)
        self.before_output = nn.Linear(size.width, size.width)
        self.output = None if size.tied else nn.Linear(size.width, words, bias=False)
        self.copying = CopyMixture(size.width)
        self.dropout = nn.Dropout(size.dropout)
        self._initialise()

    def encode(self, source: SourceBatch) -> DecoderMemory:
        """Return the memory of a decoder that has made no step."""
        positions = torch.arange(1, source.words.shape[1] + 1, device=source.words.device)
        states = self._embedded(source.words, positions, self.source_projection)
        for layer in self.encoder:
            states = layer(states, source.mask)
        states = self.encoder_norm(states)
        keys = tuple(layer.source_attention.memory(states) for layer in self.decoder)
        documents = torch.arange(states.shape[0], device=states.device)
        return DecoderMemory(keys, source.mask, source.extended, source.extra, documents)

    def decode(
        self, memory: DecoderMemory, words: Tensor, codes: Tensor | None = None
    ) -> tuple[Tensor, Tensor, DecoderMemory]:
        """Return states and copy attention of the next steps, and the memory with them.

        Args:
            memory: of ``encode``, or of the steps before.
            words: the word before each step, with numbers behind the vocabulary, (batch, slots, steps).
            codes: control code of each slot, (slots, width), added to every input; None for a plain decoder.

        Returns:
            States (batch, slots x steps, width); attention (batch, slots x steps, source); the new memory.
        """
        batch, slots, steps = words.shape
        inputs = torch.where(words < self.words, words, UNKNOWN)
        positions = torch.arange(memory.steps, memory.steps + steps, device=words.device)
        states = self._embedded(inputs, positions, self.target_projection)
        if codes is not None:
            states = states + codes[:, None, :]
        past = []
        for number, (layer, source) in enumerate(zip(self.decoder, memory.source, strict=True)):
            earlier = memory.past[number] if memory.past else None
            states, together, queries = layer(states, earlier, source, memory.mask)
            past.append(together)
        attention = self.decoder[-1].source_attention.first_head(queries, memory.source[-1][0], memory.mask)
        states = self.decoder_norm(states).reshape(batch, slots * steps, -1)
        return states, attention, replace(memory, past=tuple(past), steps=memory.steps + steps)

    def logits(self, states: Tensor) -> Tensor:
        """Return logits of the vocabulary in single precision, (..., words)."""
        output = self.embedding if self.output is None else self.output
        return nn.functional.linear(self.before_output(states), output.weight).float()

    def log_probabilities(self, states: Tensor, attention: Tensor, memory: DecoderMemory) -> Tensor:
        """Return log-probabilities of all words, (batch, steps, words + extra); padding has none."""
        logits = self._without_padding(self.logits(states))
        return self.copying.log_probabilities(states, logits, attention, memory.extended[:, None], memory.extra)

    def target_log_probabilities(
        self, states: Tensor, attention: Tensor, memory: DecoderMemory, targets: Tensor
    ) -> Tensor:
        """Return the log-probabilities of target words, (batch, steps); 0 where there is padding."""
        # The output is the widest product: padding, most places of a set's slots, is left out of it.
        rows, steps = torch.nonzero(targets != PAD, as_tuple=True)
        logits = self._without_padding(self.logits(states[rows, steps]))
        values = self.copying.target_log_probabilities(
            states[rows, steps], logits, attention[rows, steps], memory.extended[rows], targets[rows, steps]
        )
        return values.new_zeros(targets.shape).index_put((rows, steps), values)

    @staticmethod
    def _without_padding(logits: Tensor) -> Tensor:
        """Return logits with none for padding, which is never written."""
        return logits.index_fill(-1, torch.tensor([PAD], device=logits.device), -torch.inf)

    def _embedded(self, words: Tensor, positions: Tensor, projection: nn.Linear) -> Tensor:
        embedded = projection(self.embedding(words) * math.sqrt(self.size.width))
        states: Tensor = self.dropout(embedded + sinusoids(positions, self.size.width))
        return states

    def _initialise(self) -> None:
        """Draw matrices evenly with the variance of Glorot and Bengio 2010, embeddings normally with 1 / width."""
        for name, weight in self.named_parameters():
            if weight.dim() > 1 and "embedding" not in name:
                nn.init.xavier_uniform_(weight)
        nn.init.normal_(self.embedding.weight, std=self.size.width**-0.5)
        with torch.no_grad():
            self.embedding.weight[PAD] = 0
