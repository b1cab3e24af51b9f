"""The Transformer of One2Seq and One2Set, six layers each side, pre-norm, with a copy mixture; and One2Seq.

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021, section 4.2: embeddings are
shared by both sides, a projection follows them, and the first head of the last layer copies. Encoder positions count
from 1, those of a decoder from 0. One2Seq writes ``phrase ; phrase ; ... <eos>``, present first (Yuan et al. 2020).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from keywright.neural.data.examples import END, PAD, SEPARATOR, SPECIAL, UNKNOWN, Example, Vocabulary, Words
from keywright.neural.decoding.phrases import GeneratedPhrase, WordSequences, make_phrase
from keywright.neural.layers import (
    CopyMixture,
    DecoderLayer,
    EncoderLayer,
    KeysAndValues,
    choose_rows,
    encode_positions,
)
from keywright.neural.models.generator import ListGenerator, Loss, SourceBatch, pad_rows, shift_right


@dataclass(frozen=True, slots=True)
class Size:
    """Size of a Transformer; the values are those of the paper."""

    width: int = 512
    heads: int = 8
    inner: int = 2048  # width inside the feed-forward parts
    layers: int = 6  # layers on each side
    dropout: float = 0.1
    tied: bool = False  # whether the output uses the embeddings
    # Each place of the source also has the embedding of the word before it, which is ours: a recurrent network knows at
    # once which word follows another, and a Transformer learns it from positions.
    token_shift: bool = False


@dataclass(frozen=True, eq=False)
class DecoderMemory:
    """Memory of a decoder: the source, and its own steps so far."""

    source: tuple[KeysAndValues, ...]  # keys and values of the source for each layer, those of the steps are ``past``
    mask: Tensor  # true where there is a word of the source, (batch, source)
    extended: Tensor  # numbers of the source's words with the ``extra`` ones behind the vocabulary, (batch, source)
    extra: int
    document: Tensor  # number of each row's document, (batch,)
    past: tuple[KeysAndValues, ...] = field(default=())
    steps: int = 0
    attended: Tensor | None = None  # most attended word of the source at the last steps, (batch, slots x steps)

    def rows(self, rows: Tensor) -> "DecoderMemory":
        """Return the memory of some rows of the batch, which may repeat, (rows,); one slot only."""
        rows = rows.to(self.document.device)
        past = tuple((keys[rows], values[rows]) for keys, values in self.past)
        # The hypotheses of a beam change places among those of their document: what is the document's then stays, which
        # is most of the memory.
        if self.document[rows].equal(self.document):
            return replace(self, past=past)
        source = tuple((keys[rows], values[rows]) for keys, values in self.source)
        return replace(choose_rows(self, rows), source=source, past=past)


class CopyTransformer(nn.Module):
    """Encoder, decoder of slots, output and copy mixture over a vocabulary of ``words`` words."""

    def __init__(self, words: int, size: Size) -> None:
        super().__init__()
        self.size, self.words = size, words
        parts = size.width, size.heads, size.inner, size.dropout
        self.embedding = nn.Embedding(words, size.width, padding_idx=PAD)
        self.source_projection = nn.Linear(size.width, size.width)
        self.target_projection = nn.Linear(size.width, size.width)
        self.previous_projection = nn.Linear(size.width, size.width, bias=False) if size.token_shift else None
        self.encoder = nn.ModuleList(EncoderLayer(*parts) for _ in range(size.layers))
        self.decoder = nn.ModuleList(DecoderLayer(*parts) for _ in range(size.layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(size.width), nn.LayerNorm(size.width)
        self.before_output = nn.Linear(size.width, size.width)
        self.output = None if size.tied else nn.Linear(size.width, words, bias=False)
        self.copying = CopyMixture(size.width)
        self.dropout = nn.Dropout(size.dropout)
        # Matrices are drawn evenly with the variance of Glorot and Bengio 2010, embeddings normally with 1 / width.
        for name, weight in self.named_parameters():
            if weight.dim() > 1 and "embedding" not in name:
                nn.init.xavier_uniform_(weight)
        nn.init.normal_(self.embedding.weight, std=size.width**-0.5)
        with torch.no_grad():
            self.embedding.weight[PAD] = 0

    def encode(self, source: SourceBatch) -> DecoderMemory:
        """Return the memory of a decoder that has made no step."""
        positions = torch.arange(1, source.words.shape[1] + 1, device=source.words.device)
        states = self._embed(source.words, positions, self.source_projection)
        if self.previous_projection is not None:
            before = nn.functional.pad(source.words[:, :-1], (1, 0), value=PAD)  # padding has the embedding 0
            states = states + self.previous_projection(self.embedding(before) * math.sqrt(self.size.width))
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

        ``words``: the word before each step, (batch, slots, steps); ``codes``: control code of each slot, (slots,
        width). States are (batch, slots x steps, width), attention is (batch, slots x steps, source).
        """
        batch, slots, steps = words.shape
        inputs = torch.where(words < self.words, words, UNKNOWN)
        positions = torch.arange(memory.steps, memory.steps + steps, device=words.device)
        states = self._embed(inputs, positions, self.target_projection)
        if codes is not None:
            states = states + codes[:, None, :]
        past = []
        for number, (layer, source) in enumerate(zip(self.decoder, memory.source, strict=True)):
            earlier = memory.past[number] if memory.past else None
            states, together, queries = layer(states, earlier, source, memory.mask)
            past.append(together)
        attention = self.decoder[-1].source_attention.first_head(queries, memory.source[-1][0], memory.mask)
        states = self.decoder_norm(states).reshape(batch, slots * steps, -1)
        attended = memory.extended.gather(1, attention.argmax(-1))
        return states, attention, replace(memory, past=tuple(past), steps=memory.steps + steps, attended=attended)

    def logits(self, states: Tensor) -> Tensor:
        """Return logits of the vocabulary in single precision, (..., words); none for padding, never written."""
        output = self.embedding if self.output is None else self.output
        logits = nn.functional.linear(self.before_output(states), output.weight).float()
        return logits.index_fill(-1, torch.tensor([PAD], device=logits.device), -torch.inf)

    def log_probabilities(self, states: Tensor, attention: Tensor, memory: DecoderMemory) -> Tensor:
        """Return log-probabilities of all words, (batch, steps, words + extra); padding has none."""
        logits = self.logits(states)
        return self.copying.log_probabilities(states, logits, attention, memory.extended[:, None], memory.extra)

    def target_log_probabilities(
        self, states: Tensor, attention: Tensor, memory: DecoderMemory, targets: Tensor
    ) -> Tensor:
        """Return the log-probabilities of target words, (batch, steps); 0 where there is padding."""
        # The output is the widest product: padding, most places of a set's slots, is left out of it.
        rows, steps = torch.nonzero(targets != PAD, as_tuple=True)
        logits = self.logits(states[rows, steps])
        values = self.copying.target_log_probabilities(
            states[rows, steps], logits, attention[rows, steps], memory.extended[rows], targets[rows, steps]
        )
        return values.new_zeros(targets.shape).index_put((rows, steps), values)

    def _embed(self, words: Tensor, positions: Tensor, projection: nn.Linear) -> Tensor:
        embedded = projection(self.embedding(words) * math.sqrt(self.size.width))
        states: Tensor = self.dropout(embedded + encode_positions(positions, self.size.width))
        return states


class One2Seq(ListGenerator[DecoderMemory]):
    """A Transformer with copying that writes keyphrases one after the other."""

    name: ClassVar[str] = "one2seq"
    size_type = Size

    def __init__(self, vocabulary: Vocabulary, size: Size) -> None:
        super().__init__()
        self.vocabulary, self.sequences = vocabulary, WordSequences(vocabulary)
        self.network = CopyTransformer(len(vocabulary), size)

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases, in the order of the examples."""
        source = self.read_batch([example.source for example in examples])
        targets = self._encode_targets([example.phrases for example in examples], source)
        return Loss(-self._force(source, targets).sum(), int((targets != PAD).sum()))

    def start(self, source: SourceBatch, exclusion_window: int | None = None) -> DecoderMemory:  # noqa: ARG002
        """Return the memory before the first word."""
        return self.network.encode(source)

    def score(self, source: Words, phrases: Sequence[Words]) -> list[GeneratedPhrase]:
        """Return phrases with the probabilities of each as the first of a source."""
        batch = self.read_batch([source] * len(phrases))
        targets = self._encode_targets([[phrase] for phrase in phrases], batch)
        # The log-probabilities of a phrase's words are followed by that of what ends it.
        return [
            make_phrase(zip(phrase, values, strict=False), end=values[len(phrase)])
            for phrase, values in zip(phrases, self._force(batch, targets).tolist(), strict=True)
        ]

    def step(self, state: DecoderMemory, words: Tensor) -> tuple[Tensor, DecoderMemory]:
        """Return log-probabilities of the next word, (rows, words), and the new memory."""
        states, attention, memory = self.network.decode(state, words.to(self.device)[:, None, None])
        return self.network.log_probabilities(states, attention, memory).squeeze(1), memory

    def _encode_targets(self, phrases: Sequence[Sequence[Words]], source: SourceBatch) -> Tensor:
        """Return target numbers with those behind the vocabulary, (batch, steps): phrases, separators and the end."""
        rows = []
        for listed, unknown in zip(phrases, source.unknown, strict=True):
            joined = [word for phrase in listed for word in (SPECIAL[SEPARATOR], *phrase)][1:]
            rows.append([*self.vocabulary.encode(joined, unknown), END])
        return pad_rows(rows).to(self.device)

    def _force(self, source: SourceBatch, targets: Tensor) -> Tensor:
        """Return the log-probabilities of targets, each after the true words before it, (batch, steps)."""
        memory = self.network.encode(source)
        states, attention, memory = self.network.decode(memory, shift_right(targets)[:, None, :])
        return self.network.target_log_probabilities(states, attention, memory, targets)
