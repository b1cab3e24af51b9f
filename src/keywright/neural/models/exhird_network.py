"""The network of ExHiRD: recurrent encoder, decoder of phrases and words, output and copy mixture."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from keywright.core.errors import BadParameter
from keywright.neural.data.source_batch import SourceBatch
from keywright.neural.data.vocabulary import BEGIN, PAD, SEPARATOR, UNKNOWN
from keywright.neural.layers.copying import CopyMixture
from keywright.neural.layers.hierarchical import HierarchicalDecoder, HierarchicalState
from keywright.neural.layers.recurrent import RecurrentEncoder

_RANGE = 0.1
"""Weights are drawn evenly from -.1 to .1; Chen et al. 2020, section 4.3."""


@dataclass(frozen=True, slots=True)
class ExHiRDSize:
    """Size of the network; the values are those of the paper.

    Attributes:
        embedding: width of embeddings, shared by both sides.
        hidden: width of states, even: half of an encoder's state reads forwards, half backwards.
        layers: of the encoder; each level of the decoder has one.
        dropout: of embeddings, between layers of the encoder, and before the output.

    Raises:
        BadParameter: a number is out of its range.
    """

    embedding: int = 100
    hidden: int = 300
    layers: int = 2
    dropout: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        if min(self.embedding, self.hidden, self.layers) < 1 or self.hidden % 2 or not 0 <= self.dropout < 1:
            message = f"embedding {self.embedding}, hidden {self.hidden}, layers {self.layers}, dropout {self.dropout}"
            raise BadParameter(message, "expected numbers from 1, an even hidden width, dropout from 0 to below 1")


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps of a decoder at which there is a word to write, of all rows one after the other.

    Attributes:
        states: attentional vectors, (steps, hidden).
        attention: weights on the source, (steps, source).
        extended: numbers of the words of the step's source, (steps, source).
        extra: number of words behind the vocabulary.
    """

    states: Tensor
    attention: Tensor
    extended: Tensor
    extra: int

    def where(self, chosen: Tensor) -> "Steps":
        """Return the steps that are chosen, (steps,)."""
        return Steps(self.states[chosen], self.attention[chosen], self.extended[chosen], self.extra)


class HierarchicalNetwork(nn.Module):
    """Encoder, decoder of two levels, output and copy mixture over a vocabulary of ``words`` words."""

    def __init__(self, words: int, size: ExHiRDSize) -> None:
        super().__init__()
        self.size, self.words = size, words
        self.embedding = nn.Embedding(words, size.embedding, padding_idx=PAD)
        self.encoder = RecurrentEncoder(size.embedding, size.hidden, size.layers, size.dropout)
        self.decoder = HierarchicalDecoder(size.embedding, size.hidden)
        self.output = nn.Linear(size.hidden, words)
        self.copying = CopyMixture(size.hidden)
        self.dropout = nn.Dropout(size.dropout)
        self._initialise()

    def encode(self, source: SourceBatch) -> HierarchicalState:
        """Return the state of a decoder before the first word."""
        states, last = self.encoder(self.dropout(self.embedding(source.words)), source.mask)
        return self.decoder.start(states, last, source.mask, source.extended, source.extra)

    def decode(self, state: HierarchicalState, words: Tensor) -> tuple[Steps, HierarchicalState]:
        """Return the next step of all rows, and the state there; ``words`` are those before it, (rows,)."""
        attention, state = self.decoder(state, *self._inputs(words))
        return Steps(state.attentional, attention, state.extended, state.extra), state

    def forced(self, state: HierarchicalState, words: Tensor, wanted: Tensor) -> Steps:
        """Return the steps after the true words before them.

        Args:
            state: before the first word.
            words: the word before each step, with numbers behind the vocabulary, (rows, steps).
            wanted: true for the steps that are returned, (rows, steps).
        """
        embedded, begins = self._inputs(words)
        every, attentions = [], []
        # Each step needs the attentional vector of the one before, so that the steps cannot be made together; the
        # output over the whole vocabulary, the largest product, is made for all of them at once.
        for step in range(words.shape[1]):
            attention, state = self.decoder(state, embedded[:, step], begins[:, step])
            every.append(state.attentional)
            attentions.append(attention)
        # (rows, steps, ...) -> (wanted steps, ...): lists differ in length, and padding would cost as much as words.
        states, attention = (torch.stack(columns, 1)[wanted] for columns in (every, attentions))
        return Steps(states, attention, state.extended[wanted.nonzero()[:, 0]], state.extra)

    def log_probabilities(self, steps: Steps) -> Tensor:
        """Return log-probabilities of all words, (steps, words + extra); padding has none."""
        states = self.dropout(steps.states)
        return self.copying.log_probabilities(
            states, self._logits(states), steps.attention, steps.extended, steps.extra
        )

    def target_log_probabilities(self, steps: Steps, targets: Tensor) -> Tensor:
        """Return the log-probabilities of target words, (steps,)."""
        states = self.dropout(steps.states)
        return self.copying.target_log_probabilities(
            states, self._logits(states), steps.attention, steps.extended, targets
        )

    def _inputs(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return embedded words, (..., embedding), and where a phrase begins; every phrase begins alike."""
        begins = (words == BEGIN) | (words == SEPARATOR)
        read = torch.where(begins, BEGIN, torch.where(words < self.words, words, UNKNOWN))
        return self.dropout(self.embedding(read)), begins

    def _logits(self, states: Tensor) -> Tensor:
        """Return logits of the vocabulary, (..., words)."""
        # Padding is excluded in the bias rather than in the logits, of which that would make a second copy.
        bias = self.output.bias.index_fill(0, torch.tensor([PAD], device=states.device), -torch.inf)
        return nn.functional.linear(states, self.output.weight, bias)

    def _initialise(self) -> None:
        for weight in self.parameters():
            nn.init.uniform_(weight, -_RANGE, _RANGE)
        with torch.no_grad():
            self.embedding.weight[PAD] = 0
