"""ExHiRD: a decoder of phrases and words that does not begin them alike.

Chen, Chan, Li and King, ACL 2020: a phrase is ``<p_start>`` or ``<a_start>``, words and ``;``; ``<eos>`` ends the list.
Tokens that may not follow get log-probability minus infinity, and the others keep theirs. A first word is not used
again soon (section 3.4): hard exclusion when phrases are written (ExHiRD-h), soft in training (ExHiRD-s).
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

import torch
from torch import Tensor, nn

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import (
    ABSENT,
    BEGIN,
    END,
    NULL,
    PAD,
    PRESENT,
    PRESENT_END,
    SEPARATOR,
    UNKNOWN,
    Example,
    Vocabulary,
    Words,
    find_phrase,
    stem_words,
)
from keywright.neural.decoding.phrases import LONGEST_LIST, GeneratedPhrase, WordSequences, make_phrase
from keywright.neural.layers import (
    SMALLEST,
    CopyMixture,
    HierarchicalDecoder,
    HierarchicalState,
    RecurrentEncoder,
    choose_rows,
)
from keywright.neural.models.generator import ListGenerator, Loss, SourceBatch, pad_rows, shift_right

Marked: TypeAlias = tuple[int, Words]  # a phrase and the number of its start mark
_RANGE = 0.1  # weights are drawn evenly from -.1 to .1; Chen et al. 2020, section 4.3


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

    def mask(self, log_probabilities: Tensor, limits: ListLimits) -> Tensor:
        """Return log-probabilities, (rows, words), with minus infinity where a token may not follow."""
        is_full = self.phrases >= limits.phrases
        starts = torch.where(self.phrases == 0, _FIRST_START, torch.where(is_full, _LIST_FULL, _START))
        words = torch.where(self.tokens > limits.words, _PHRASE_FULL, _WORD)
        kinds = torch.where(self.tokens == 0, starts, torch.where(self.tokens == 1, _FIRST_WORD, words))
        # 0 where a token may follow and minus infinity elsewhere, (kinds, words).
        table = log_probabilities.new_zeros(len(_ONLY) + len(_NEVER), log_probabilities.shape[1])
        for kind, tokens in _ONLY.items():
            table[kind] = -torch.inf
            table[kind, list(tokens)] = 0
        for kind, tokens in _NEVER.items():
            table[kind, list(tokens)] = -torch.inf
        # Rows at other places exclude padding, which may follow nowhere, so that all rows have as many columns.
        excluded = torch.where((self.tokens == 1)[:, None], self.first_words, PAD)
        return (log_probabilities + table[kinds]).scatter(1, excluded, -torch.inf)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Exclusion of first words, by numbers from 0; the values are those of ExHiRD-h."""

    # Phrases whose first words may not begin the next, 0 for none, in the paper 1, and 4 for Inspec.
    hard_window: int = 1
    soft_weight: float = 0.0  # weight of the loss of first words of ``soft_window`` earlier phrases, in the paper 1
    soft_window: int = 4

    def __post_init__(self) -> None:
        if min(self.hard_window, self.soft_weight, self.soft_window) < 0:
            message = f"windows {self.hard_window} and {self.soft_window}, weight {self.soft_weight:g}"
            raise BadParameter(message, "expected numbers from 0")


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
    # 1 - P, which single precision would round to 0 near 1 if it were not computed from log P itself. The small number
    # changes exact zeros only, as in the published generators.
    remaining = -torch.expm1(log_probabilities.float().gather(1, excluded))
    return -torch.where(excluded != PAD, remaining.clamp_min(SMALLEST).log(), 0.0).sum()


@dataclass(frozen=True, slots=True)
class ExHiRDSize:
    """Size of the network; the values are those of the paper."""

    embedding: int = 100  # width of embeddings
    hidden: int = 300  # even width of states, half of an encoder's reads backwards
    layers: int = 2  # layers of the encoder
    dropout: float = 0.0  # 0 to below 1

    def __post_init__(self) -> None:
        if min(self.embedding, self.hidden, self.layers) < 1 or self.hidden % 2 or not 0 <= self.dropout < 1:
            message = f"embedding {self.embedding}, hidden {self.hidden}, layers {self.layers}, dropout {self.dropout}"
            raise BadParameter(message, "expected numbers from 1, an even hidden width, dropout from 0 to below 1")


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps of a decoder at which there is a word to write, of all rows one after the other."""

    states: Tensor  # (steps, hidden)
    attention: Tensor  # on each step's source, (steps, source)
    extended: Tensor  # numbers of the words of each step's source, (steps, source)
    extra: int


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

    def force(self, state: HierarchicalState, words: Tensor, wanted: Tensor) -> Steps:
        """Return the ``wanted`` steps after the true ``words`` before them, (rows, steps) both."""
        embedded, begins = self.read_words(words)
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
        return self.copying.log_probabilities(*self._find_parts(steps), steps.extra)

    def target_log_probabilities(self, steps: Steps, targets: Tensor) -> Tensor:
        """Return the log-probabilities of target words, (steps,)."""
        return self.copying.target_log_probabilities(*self._find_parts(steps), targets)

    def read_words(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return embedded words, (..., embedding), and where a phrase begins; every phrase begins alike."""
        begins = (words == BEGIN) | (words == SEPARATOR)
        read = torch.where(begins, BEGIN, torch.where(words < self.words, words, UNKNOWN))
        return self.dropout(self.embedding(read)), begins

    def _find_parts(self, steps: Steps) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return what the mixture needs: states, logits of the vocabulary, attention, and numbers of words."""
        states = self.dropout(steps.states)
        # Padding is excluded in the bias rather than in the logits, of which that would make a second copy.
        bias = self.output.bias.index_fill(0, torch.tensor([PAD], device=states.device), -torch.inf)
        return states, nn.functional.linear(states, self.output.weight, bias), steps.attention, steps.extended


@dataclass(frozen=True, eq=False)
class Writing:
    """State of rows that are writing: the decoder's, where each is in its list, and its most ``attended`` word."""

    decoder: HierarchicalState
    progress: Progress
    attended: Tensor | None = None

    def rows(self, rows: Tensor) -> "Writing":
        """Return the state of some rows, which may repeat, (rows,)."""
        rows = rows.to(self.progress.phrases.device)
        return Writing(choose_rows(self.decoder, rows), choose_rows(self.progress, rows))


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
        exclusion: Exclusion = Exclusion(),
        limits: ListLimits = ListLimits(),
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
            # The loss of the first words of earlier phrases, where a phrase has its first word.
            before = shift_right(targets)
            is_first = (before == PRESENT) | (before == ABSENT)  # (batch, steps)
            first_words = [row[first].tolist() for row, first in zip(targets, is_first, strict=True)]
            excluded = list_earlier_first_words(first_words, self.exclusion.soft_window).to(self.device)
            log_probabilities = self.network.log_probabilities(choose_rows(steps, is_first[targets != PAD]))
            total = total + self.exclusion.soft_weight * exclusion_loss(log_probabilities, excluded)
        return Loss(total, len(written))

    def start(self, source: SourceBatch, exclusion_window: int | None = None) -> Writing:
        """Return the state before the first word."""
        window = self.exclusion.hard_window if exclusion_window is None else exclusion_window
        return Writing(self.network.encode(source), Progress.start(source.words.shape[0], window, self.device))

    def score(self, source: Words, phrases: Sequence[Words]) -> list[GeneratedPhrase]:
        """Return phrases with their probabilities as the first of the source, after the mark that is true for them."""
        batch, stems = self.read_batch([source]), stem_words(source)
        marked = [(ABSENT if find_phrase(stems, stem_words(phrase)) is None else PRESENT, phrase) for phrase in phrases]
        targets = self._encode_targets([[each] for each in marked], batch.unknown * len(phrases))
        rows = torch.zeros(len(phrases), dtype=torch.long, device=self.device)
        steps = self._force(choose_rows(self.network.encode(batch), rows), targets)
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
        attention, decoder = self.network.decoder(state.decoder, *self.network.read_words(words))
        steps = Steps(decoder.attentional, attention, decoder.extended, decoder.extra)
        progress = state.progress.after(words)
        attended = steps.extended.gather(1, attention.argmax(-1, keepdim=True)).squeeze(1)
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
