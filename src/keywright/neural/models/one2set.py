"""One2Set: keyphrases as a set, each written by a slot of its own (SetTrans).

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021. Every slot has a learned
control code; all slots are decoded at once and do not see each other. The first half of the slots is for present
keyphrases, the second for absent ones, and each half has its own assignment of keyphrases to slots. Slots without a
keyphrase learn to write the empty mark, with a small weight.

``undo_null_weights`` is ours: the weights teach the model that an empty slot counts a fifth or a tenth, so that its
probabilities are those of another distribution; adding the logarithm of the weights' inverse to the empty mark's logit
undoes it at decoding, without training again.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeAlias

import torch
from torch import Tensor

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import Example, Words
from keywright.neural.data.source_batch import SourceBatch, padded
from keywright.neural.data.vocabulary import BEGIN, END, NULL, PAD, Vocabulary
from keywright.neural.decoding.phrases import GeneratedPhrase, Written, phrase_of, tokens_of
from keywright.neural.decoding.sequences import restricted
from keywright.neural.decoding.settings import Decoding
from keywright.neural.decoding.slot_phrases import SlotPhrases
from keywright.neural.layers.transformer import DecoderMemory
from keywright.neural.models.generator import KeyphraseGenerator, Loss
from keywright.neural.models.network import CopyTransformer, Size
from keywright.neural.training.assignment import assigned
from keywright.neural.training.empty_slots import EmptySlots, document_weights, with_keyphrases

Decoded: TypeAlias = tuple[Tensor, Tensor, DecoderMemory]
"""States, copy attention and memory after some steps."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots; the values are those of the paper.

    Attributes:
        count: number of slots, even: the first half is for present keyphrases.
        steps: words of a slot, the end among them.
        assigned_by: first words of a slot that the assignment looks at.
        present_null: weight of the empty mark in the present half; 0 to 1.
        absent_null: weight of the empty mark in the absent half; 0 to 1.
        undo_null_weights: whether decoding corrects the empty mark's probability for these weights.
    """

    count: int = 20
    steps: int = 6
    assigned_by: int = 2
    present_null: float = 0.2
    absent_null: float = 0.1
    undo_null_weights: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.count < 2 or self.count % 2 or not 1 <= self.assigned_by <= self.steps:  # noqa: PLR2004 - two halves
            message = f"{self.count} slots of {self.steps} steps, assigned by {self.assigned_by}"
            raise BadParameter(message, "expected an even number of slots, assigned by at most all steps")
        if not (0 < self.present_null <= 1 and 0 < self.absent_null <= 1):
            message = f"weights {self.present_null:g} and {self.absent_null:g} of empty slots"
            raise BadParameter(message, "expected weights above 0, up to 1")


class One2Set(KeyphraseGenerator):
    """A Transformer with copying whose decoder has slots."""

    name: ClassVar[str] = "one2set"

    def __init__(self, vocabulary: Vocabulary, size: Size, slots: Slots = Slots()) -> None:
        super().__init__()
        self.vocabulary, self.slots = vocabulary, slots
        self.empty_slots = EmptySlots()
        self.phrases = SlotPhrases(vocabulary, slots.count)
        self.network = CopyTransformer(len(vocabulary), size)
        self.codes = torch.nn.Parameter(torch.empty(slots.count, size.width).uniform_(-0.1, 0.1))

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases in the slots that they are assigned to."""
        source = SourceBatch.of(self.vocabulary, [example.source for example in examples]).to(self.device)
        targets, counted = self._assigned(source, self._targets(examples, source))
        decoded = self._decoded(source, targets)
        log_probabilities = self._values(decoded, targets)
        weights = self._weights(targets) * counted[:, :, None]
        if self.training and self.empty_slots.adaptive:
            weights = weights * self._document_weights(decoded, targets, log_probabilities.detach())
        return Loss(-(log_probabilities * weights).sum(), int((targets != PAD).sum()))

    @torch.inference_mode()
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of the slots that are not empty, those with the highest mean probability first.

        Slots are always decoded greedily: they do not see each other, so that beams and samples change each alone.
        Slots that must write have the probability of their first word beside that of being empty.
        """
        source = SourceBatch.of(self.vocabulary, sources).to(self.device)
        words, values = self._greedy(source, decoding)
        return [
            self.phrases.phrases([Written(*map(tuple, slot)) for slot in zip(row, value, strict=True)], unknown)
            for row, value, unknown in zip(words.tolist(), values.tolist(), source.unknown, strict=True)
        ]

    def score(self, sources: Sequence[Words], phrases: Sequence[Sequence[Words]]) -> list[list[GeneratedPhrase]]:
        """Return phrases with their probabilities in the slot that likes each best.

        A phrase longer than a slot is scored by the words that fit, its end is unknown.
        """
        return [self._scored(source, listed) if listed else [] for source, listed in zip(sources, phrases, strict=True)]

    def obstacle(self, source: Words, phrase: Words) -> str:
        """Return why the model can never write a phrase for a source; empty if it can."""
        return self.vocabulary.obstacle(source, phrase, self.slots.steps)

    def files(self) -> dict[str, str]:
        """Return the vocabulary."""
        return {"vocabulary.json": self.vocabulary.as_json()}

    def config(self) -> dict[str, Any]:
        """Return the sizes of network and slots."""
        return {**asdict(self.network.size), "slots": asdict(self.slots)}

    def _targets(self, examples: Sequence[Example], source: SourceBatch) -> Tensor:
        """Return the words of each keyphrase and empty slots, present half first, (batch, slots, steps)."""
        half, steps = self.slots.count // 2, self.slots.steps
        rows = []
        for example, unknown in zip(examples, source.unknown, strict=True):
            for phrases in (example.present, example.absent):
                short = [phrase for phrase in phrases if len(phrase) < steps][:half]
                written = [[*self.vocabulary.encoded(phrase, unknown), END] for phrase in short]
                rows += written + [[NULL]] * (half - len(written))
        return padded(rows, steps).reshape(len(examples), self.slots.count, steps).to(self.device)

    @torch.no_grad()
    def _assigned(self, source: SourceBatch, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Return targets in the order of their slots, and true for slots whose losses count, (batch, slots).

        Each half is assigned by what the model would write now.
        """
        training = self.training
        self.eval()
        memory = self.network.encode(source)
        log_probabilities = self._first_steps(memory)
        half, costly = self.slots.count // 2, (targets != PAD) & (targets != NULL)
        halves = slice(half), slice(half, None)
        pairs = [(log_probabilities[:, part], targets[:, part], costly[:, part]) for part in halves]
        targets = torch.cat([assigned(*pair) for pair in pairs], 1)
        counted = torch.ones_like(targets[:, :, 0], dtype=torch.bool)
        if training and self.empty_slots.reassigned:
            written, filled = self._first_steps(memory, never=NULL).argmax(-1), targets[:, :, 0] != NULL
            parts = [with_keyphrases(targets[:, part], written[:, part], PAD, filled[:, part]) for part in halves]
            targets, counted = (torch.cat(columns, 1) for columns in zip(*parts, strict=True))
        self.train(training)
        return targets, counted

    def _first_steps(self, memory: DecoderMemory, never: int | None = None) -> Tensor:
        """Return log-probabilities of all words at the first steps of greedy decoding, (batch, slots, steps, words).

        The word ``never`` has none.
        """
        words = torch.full((len(memory.mask), self.slots.count, 1), BEGIN, device=self.device)
        every = []
        for _ in range(self.slots.assigned_by):
            states, attention, memory = self.network.decode(memory, words, self.codes)
            every.append(self.network.log_probabilities(states, attention, memory))
            if never is not None:
                every[-1][:, :, never] = -torch.inf
            words = every[-1].argmax(-1)[..., None]
        return torch.stack(every, 2)

    def _decoded(self, source: SourceBatch, targets: Tensor) -> Decoded:
        """Return states, attention and memory of the steps that write targets after the true words before them."""
        begin = torch.full_like(targets[:, :, :1], BEGIN)
        inputs = torch.cat([begin, targets[:, :, :-1]], 2)
        return self.network.decode(self.network.encode(source), inputs, self.codes)

    def _values(self, decoded: Decoded, targets: Tensor) -> Tensor:
        """Return the log-probabilities of targets, 0 for padding, (batch, slots, steps)."""
        return self.network.target_log_probabilities(*decoded, targets.flatten(1)).reshape_as(targets)

    @torch.no_grad()
    def _document_weights(self, decoded: Decoded, targets: Tensor, log_probabilities: Tensor) -> Tensor:
        """Return ``document_weights`` for the empty marks and 1 for other words, (batch, slots, steps)."""
        filled = targets[:, :, 0] != NULL
        marks = torch.full_like(targets, PAD)
        marks[:, :, 0] = torch.where(filled, NULL, PAD)
        empty = self._values(decoded, marks)[:, :, 0]
        weights = document_weights(log_probabilities[:, :, 0], empty, filled)
        return torch.where(targets == NULL, weights[:, None, None], 1.0)

    def _weights(self, targets: Tensor) -> Tensor:
        """Return the weight of each target word: small for the empty mark, else 1."""
        return torch.where(targets == NULL, self.null_weights()[None, :, None], 1.0)

    def null_weights(self) -> Tensor:
        """Return the weight of the empty mark in each slot, (slots,)."""
        half = self.slots.count // 2
        weights = [self.slots.present_null] * half + [self.slots.absent_null] * half
        return torch.tensor(weights, device=self.device)

    def _greedy(self, source: SourceBatch, decoding: Decoding) -> tuple[Tensor, Tensor]:
        """Return the likeliest words and their log-probabilities, each (batch, slots, steps)."""
        memory, slots = self.network.encode(source), self.slots.count
        current = torch.full((len(source.words), slots, 1), BEGIN, device=self.device)
        constraint = self.phrases.present_only(source.rows()) if decoding.present_only else None
        words, values = [], []
        for step in range(self.slots.steps):
            states, attention, memory = self.network.decode(memory, current, self.codes)
            every = self.network.log_probabilities(states, attention, memory)
            if self.slots.undo_null_weights and not step:
                every[:, :, NULL] -= self.null_weights().log()
                every = every.log_softmax(-1)
            choices = every.flatten(0, 1)  # (batch x slots, words)
            if decoding.fill_slots and not step:
                choices = choices.clone()
                choices[:, NULL] = -torch.inf
            word = restricted(choices, constraint).argmax(-1).unflatten(0, every.shape[:2]).to(self.device)
            if constraint is not None:
                constraint.step(word.flatten().tolist())
            words.append(word)
            values.append(every.gather(-1, word[..., None]).squeeze(-1))
            current = word[..., None]
        return torch.stack(words, 2), torch.stack(values, 2)

    def _scored(self, source: Words, phrases: Sequence[Words]) -> list[GeneratedPhrase]:
        """Return the phrases of one source with their probabilities in their best slots."""
        slots, steps = self.slots.count, self.slots.steps
        batch = SourceBatch.of(self.vocabulary, [source] * len(phrases)).to(self.device)
        rows = [[*self.vocabulary.encoded(phrase, batch.unknown[0]), END][:steps] for phrase in phrases]
        targets = padded(rows, steps).to(self.device)[:, None].expand(-1, slots, -1).contiguous()
        values = self._values(self._decoded(batch, targets), targets)
        best = (values * (targets != PAD)).sum(-1).argmax(-1).tolist()
        scored = []
        for row, (phrase, slot) in enumerate(zip(phrases, best, strict=True)):
            log_probabilities = values[row, slot].tolist()
            tokens = tokens_of(phrase[:steps], log_probabilities[: len(phrase)])
            scored.append(phrase_of(tokens, log_probabilities[len(phrase)] if len(phrase) < steps else None, slot=slot))
        return scored
