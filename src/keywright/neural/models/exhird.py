"""ExHiRD: keyphrases one after the other, by a decoder of phrases and words that does not begin them alike.

Chen, Chan, Li and King, "Exclusive Hierarchical Decoding for Deep Keyphrase Generation", ACL 2020. The target is
``<p_start> word word ; <a_start> word ; ... <eos>``.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, TypeAlias

import torch
from torch import Tensor

from keywright.neural.data.examples import Example, Words, first_occurrence, stems_of
from keywright.neural.data.source_batch import SourceBatch, padded
from keywright.neural.data.vocabulary import (
    ABSENT,
    BEGIN,
    END,
    PAD,
    PRESENT,
    SEPARATOR,
    Vocabulary,
)
from keywright.neural.decoding.grammar import PUBLISHED_LIMITS, ListLimits, Progress
from keywright.neural.decoding.phrases import GeneratedPhrase, merged, phrase_of, tokens_of
from keywright.neural.decoding.sequences import Stepper, sequences
from keywright.neural.decoding.settings import Decoding
from keywright.neural.decoding.word_sequences import WordSequences
from keywright.neural.layers.hierarchical import HierarchicalState
from keywright.neural.models.exclusion import HARD, Exclusion, earlier_first_words, exclusion_loss
from keywright.neural.models.exhird_network import ExHiRDSize, HierarchicalNetwork, Steps
from keywright.neural.models.generator import KeyphraseGenerator, Loss

Marked: TypeAlias = tuple[int, Words]
"""A phrase and the number of its start mark."""


@dataclass(frozen=True, eq=False)
class Writing:
    """State of rows that are writing: the decoder's, and where each is in its list."""

    decoder: HierarchicalState
    progress: Progress


class ExHiRD(KeyphraseGenerator, Stepper[Writing]):
    """A recurrent network with copying whose decoder has a level of phrases and a level of words."""

    name: ClassVar[str] = "exhird"
    begin, end = BEGIN, END

    def __init__(
        self,
        vocabulary: Vocabulary,
        size: ExHiRDSize,
        exclusion: Exclusion = HARD,
        limits: ListLimits = PUBLISHED_LIMITS,
    ) -> None:
        super().__init__()
        self.vocabulary, self.exclusion, self.limits = vocabulary, exclusion, limits
        self.sequences = WordSequences(vocabulary, marked=True)
        self.network = HierarchicalNetwork(len(vocabulary), size)

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases in the order of the examples, and soft exclusion."""
        source = SourceBatch.of(self.vocabulary, [example.source for example in examples]).to(self.device)
        marked = [_marked(example) for example in examples]
        targets = self._targets(marked, source.unknown)
        steps = self._forced(self.network.encode(source), targets)
        written = targets[targets != PAD]
        total = -self.network.target_log_probabilities(steps, written).sum()
        if self.exclusion.soft_weight and self.exclusion.soft_window:
            total = total + self.exclusion.soft_weight * self._soft_exclusion(steps, targets)
        return Loss(total, len(written))

    @torch.inference_mode()
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source; those of several sequences are merged, most frequent first.

        ``decoding.longest`` counts words and delimiters; the start marks of phrases come on top.
        """
        source = SourceBatch.of(self.vocabulary, sources).to(self.device)
        progress = Progress.start(len(sources), self.exclusion.hard_window, self.device)
        state = Writing(self.network.encode(source), progress)
        constraint = self.sequences.present_only(source.rows()) if decoding.present_only else None
        room = replace(decoding, longest=decoding.longest + self.limits.phrases)
        written = sequences(self, state, len(sources), room, constraint)
        lists = [
            [self.sequences.phrases(each, unknown) for each in row]
            for row, unknown in zip(written, source.unknown, strict=True)
        ]
        return [row[0] if len(row) == 1 else merged(row) for row in lists]

    def score(self, sources: Sequence[Words], phrases: Sequence[Sequence[Words]]) -> list[list[GeneratedPhrase]]:
        """Return phrases with the probabilities of each as the first of its source, after its true start mark.

        The mark is that of a present keyphrase if the stems of the phrase occur in the source.
        """
        pairs = [(row, phrase) for row, listed in enumerate(phrases) for phrase in listed]
        if not pairs:
            return [[] for _ in sources]
        source = SourceBatch.of(self.vocabulary, sources).to(self.device)
        rows = torch.tensor([row for row, _ in pairs], device=self.device)
        marked = [[(_mark(sources[row], phrase), phrase)] for row, phrase in pairs]
        targets = self._targets(marked, [source.unknown[row] for row, _ in pairs])
        steps = self._forced(self.network.encode(source).rows(rows), targets)
        values = iter(self.network.target_log_probabilities(steps, targets[targets != PAD]).tolist())
        scored = iter([_scored(phrase, values) for _, phrase in pairs])
        return [[next(scored) for _ in listed] for listed in phrases]

    def obstacle(self, source: Words, phrase: Words) -> str:
        """Return why the model can never write a phrase for a source; empty if it can."""
        return self.vocabulary.obstacle(source, phrase, self.limits.words)

    def step(self, state: Writing, words: Tensor) -> tuple[Tensor, Writing]:
        """Return log-probabilities of the next word, (rows, words), minus infinity if excluded, and the new state."""
        words = words.to(self.device)
        steps, decoder = self.network.decode(state.decoder, words)
        progress = state.progress.after(words)
        return progress.masked(self.network.log_probabilities(steps), self.limits), Writing(decoder, progress)

    def rows(self, state: Writing, rows: Tensor) -> Writing:
        """Return the state of some rows."""
        rows = rows.to(self.device)
        return Writing(state.decoder.rows(rows), state.progress.rows(rows))

    def files(self) -> dict[str, str]:
        """Return the vocabulary."""
        return {"vocabulary.json": self.vocabulary.as_json()}

    def config(self) -> dict[str, Any]:
        """Return the size of the network, the exclusion and the limits of lists."""
        return {
            **asdict(self.network.size),
            "exclusion": asdict(self.exclusion),
            "limits": asdict(self.limits),
        }

    def _targets(self, lists: Sequence[Sequence[Marked]], unknown: Sequence[Words]) -> Tensor:
        """Return target numbers of lists of phrases with their start marks, (lists, steps)."""
        rows = []
        for marked, words in zip(lists, unknown, strict=True):
            phrases = ([mark, *self.vocabulary.encoded(phrase, words), SEPARATOR] for mark, phrase in marked)
            rows.append([*itertools.chain.from_iterable(phrases), END])
        return padded(rows).to(self.device)

    def _forced(self, state: HierarchicalState, targets: Tensor) -> Steps:
        """Return the steps that write the targets, each after the true words before it."""
        return self.network.forced(state, _before(targets), targets != PAD)

    def _soft_exclusion(self, steps: Steps, targets: Tensor) -> Tensor:
        """Return the loss of the first words of earlier phrases, where a phrase has its first word."""
        before = _before(targets)
        is_first = (before == PRESENT) | (before == ABSENT)  # (batch, steps)
        first_words = [row[first].tolist() for row, first in zip(targets, is_first, strict=True)]
        excluded = earlier_first_words(first_words, self.exclusion.soft_window).to(self.device)
        log_probabilities = self.network.log_probabilities(steps.where(is_first[targets != PAD]))
        return exclusion_loss(log_probabilities, excluded)


def _before(targets: Tensor) -> Tensor:
    """Return the word before each target, (rows, steps)."""
    return torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)


def _marked(example: Example) -> list[Marked]:
    """Return the keyphrases of an example with their start marks."""
    return [*((PRESENT, phrase) for phrase in example.present), *((ABSENT, phrase) for phrase in example.absent)]


def _mark(source: Words, phrase: Words) -> int:
    """Return the start mark that the phrase would have in training."""
    return ABSENT if first_occurrence(stems_of(source), stems_of(phrase)) is None else PRESENT


def _scored(phrase: Words, values: Iterator[float]) -> GeneratedPhrase:
    """Return a phrase with the next log-probabilities: of its start mark, its words, ``;`` and, unused, ``<eos>``."""
    start, *words = itertools.islice(values, len(phrase) + 1)
    end, _ = next(values), next(values)
    return phrase_of(tokens_of(phrase, words), end=end, start=start)
