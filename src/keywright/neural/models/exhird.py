"""ExHiRD (Chen, Chan, Li and King, ACL 2020): a decoder of phrases and words that does not begin them alike."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import torch
from torch import Tensor, nn

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import find_phrase, stem_words
from keywright.neural.data.words import ABSENT, BEGIN, END, PAD, PRESENT, SEPARATOR, UNKNOWN, Example, Vocabulary, Words
from keywright.neural.decoding.phrases import LONGEST_LIST, GeneratedPhrase, WordSequences, make_phrase
from keywright.neural.layers import CopyMixture, HierarchicalDecoder, HierarchicalState, RecurrentEncoder
from keywright.neural.models.exclusive_lists import (
    HARD,
    PUBLISHED_LIMITS,
    Exclusion,
    ListLimits,
    Progress,
    exclusion_loss,
    list_earlier_first_words,
)
from keywright.neural.models.generator import ListGenerator, Loss, SourceBatch, pad_rows, shift_right

Marked: TypeAlias = tuple[int, Words]  # a phrase and the number of its start mark
_RANGE = 0.1  # weights are drawn evenly from -.1 to .1; Chen et al. 2020, section 4.3


@dataclass(frozen=True, slots=True)
class ExHiRDSize:
    """Size of the network; the values are those of the paper.

    ``embedding``: width of embeddings; ``hidden``: even width of states, half of an encoder's reads backwards;
    ``layers``: of the encoder; ``dropout``: 0 to below 1.
    """

    embedding: int = 100
    hidden: int = 300
    layers: int = 2
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if min(self.embedding, self.hidden, self.layers) < 1 or self.hidden % 2 or not 0 <= self.dropout < 1:
            message = f"embedding {self.embedding}, hidden {self.hidden}, layers {self.layers}, dropout {self.dropout}"
            raise BadParameter(message, "expected numbers from 1, an even hidden width, dropout from 0 to below 1")


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps of a decoder at which there is a word to write, of all rows one after the other.

    ``states``: (steps, hidden); ``attention`` and ``extended``, numbers of words, of each step's source: (steps,
    source).
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
        for weight in self.parameters():
            nn.init.uniform_(weight, -_RANGE, _RANGE)
        with torch.no_grad():
            self.embedding.weight[PAD] = 0

    def encode(self, source: SourceBatch) -> HierarchicalState:
        """Return the state of a decoder before the first word."""
        states, last = self.encoder(self.dropout(self.embedding(source.words)), source.mask)
        return self.decoder.start(states, last, source.mask, source.extended, source.extra)

    def decode(self, state: HierarchicalState, words: Tensor) -> tuple[Steps, HierarchicalState]:
        """Return the next step of all rows, and the state there; ``words`` are those before it, (rows,)."""
        attention, state = self.decoder(state, *self._inputs(words))
        return Steps(state.attentional, attention, state.extended, state.extra), state

    def force(self, state: HierarchicalState, words: Tensor, wanted: Tensor) -> Steps:
        """Return the ``wanted`` steps after the true ``words`` before them, (rows, steps) both."""
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


@dataclass(frozen=True, eq=False)
class Writing:
    """State of rows that are writing: the decoder's, where each is in its list, and its most ``attended`` word."""

    decoder: HierarchicalState
    progress: Progress
    attended: Tensor | None = None

    def rows(self, rows: Tensor) -> "Writing":
        """Return the state of some rows, which may repeat, (rows,)."""
        rows = rows.to(self.progress.phrases.device)
        return Writing(self.decoder.rows(rows), self.progress.rows(rows))


class ExHiRD(ListGenerator[Writing]):
    """A recurrent network with copying whose decoder has a level of phrases and a level of words."""

    name: ClassVar[str] = "exhird"
    longest: ClassVar[int] = LONGEST_LIST
    size_type = ExHiRDSize
    parts: ClassVar[Mapping[str, type[Any]]] = {"exclusion": Exclusion, "limits": ListLimits}

    def __init__(
        self,
        vocabulary: Vocabulary,
        size: ExHiRDSize,
        exclusion: Exclusion = HARD,
        limits: ListLimits = PUBLISHED_LIMITS,
    ) -> None:
        super().__init__()
        self.vocabulary, self.exclusion, self.limits = vocabulary, exclusion, limits
        self.longest_phrase, self.start_marks = limits.words, limits.phrases
        self.sequences = WordSequences(vocabulary, marked=True)
        self.network = HierarchicalNetwork(len(vocabulary), size)

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases in the order of the examples, and soft exclusion."""
        source = self.read_batch([example.source for example in examples])
        marks = ((PRESENT, "present"), (ABSENT, "absent"))
        marked = [[(mark, phrase) for mark, part in marks for phrase in getattr(each, part)] for each in examples]
        targets = self._encode_targets(marked, source.unknown)
        steps = self._force(self.network.encode(source), targets)
        written = targets[targets != PAD]
        total = -self.network.target_log_probabilities(steps, written).sum()
        if self.exclusion.soft_weight and self.exclusion.soft_window:
            total = total + self.exclusion.soft_weight * self._exclude_softly(steps, targets)
        return Loss(total, len(written))

    def start(self, source: SourceBatch, exclusion_window: int | None = None) -> Writing:
        """Return the state before the first word."""
        window = self.exclusion.hard_window if exclusion_window is None else exclusion_window
        progress = Progress.start(source.words.shape[0], window, self.device)
        return Writing(self.network.encode(source), progress)

    def score_phrases(
        self, sources: Sequence[Words], owners: Sequence[int], phrases: Sequence[Words]
    ) -> list[GeneratedPhrase]:
        """Return phrases with their probabilities as the first of the source, after the mark that is true for them."""
        source, stems = self.read_batch(sources), [stem_words(words) for words in sources]
        marked = [
            (ABSENT if find_phrase(stems[row], stem_words(phrase)) is None else PRESENT, phrase)
            for row, phrase in zip(owners, phrases, strict=True)
        ]
        targets = self._encode_targets([[each] for each in marked], [source.unknown[row] for row in owners])
        rows = torch.tensor(owners, device=self.device)
        steps = self._force(self.network.encode(source).rows(rows), targets)
        values = iter(self.network.target_log_probabilities(steps, targets[targets != PAD]).tolist())
        scored = []
        for phrase in phrases:
            # The log-probabilities of its start mark, its words, ``;`` and, unused, ``<eos>``.
            start, *words, end, _ = itertools.islice(values, len(phrase) + 3)
            scored.append(make_phrase(zip(phrase, words, strict=True), end=end, start=start))
        return scored

    def step(self, state: Writing, words: Tensor) -> tuple[Tensor, Writing]:
        """Return log-probabilities of the next word, (rows, words), minus infinity if excluded, and the new state."""
        words = words.to(self.device)
        steps, decoder = self.network.decode(state.decoder, words)
        progress = state.progress.after(words)
        attended = steps.extended.gather(1, steps.attention.argmax(-1, keepdim=True)).squeeze(1)
        return progress.mask(self.network.log_probabilities(steps), self.limits), Writing(decoder, progress, attended)

    def _encode_targets(self, lists: Sequence[Sequence[Marked]], unknown: Sequence[Words]) -> Tensor:
        """Return target numbers of lists of phrases with their start marks, (lists, steps)."""
        rows = []
        for marked, words in zip(lists, unknown, strict=True):
            phrases = ([mark, *self.vocabulary.encode(phrase, words), SEPARATOR] for mark, phrase in marked)
            rows.append([*itertools.chain.from_iterable(phrases), END])
        return pad_rows(rows).to(self.device)

    def _force(self, state: HierarchicalState, targets: Tensor) -> Steps:
        return self.network.force(state, shift_right(targets), targets != PAD)

    def _exclude_softly(self, steps: Steps, targets: Tensor) -> Tensor:
        """Return the loss of the first words of earlier phrases, where a phrase has its first word."""
        before = shift_right(targets)
        is_first = (before == PRESENT) | (before == ABSENT)  # (batch, steps)
        first_words = [row[first].tolist() for row, first in zip(targets, is_first, strict=True)]
        excluded = list_earlier_first_words(first_words, self.exclusion.soft_window).to(self.device)
        log_probabilities = self.network.log_probabilities(steps.where(is_first[targets != PAD]))
        return exclusion_loss(log_probabilities, excluded)
