"""One2Set: keyphrases as a set, each written by a slot of its own (SetTrans).

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021. All slots are decoded at once
and do not see each other; the first half is for present keyphrases, the second for absent ones. The cost of a keyphrase
in a slot (section 4.3) is minus the sum of the probabilities of its first words there, and the assignment with the
least sum is found exactly. Other slots learn to write the empty mark, with a small weight. Xie et al., "WR-One2Set:
Towards Well-Calibrated Keyphrase Generation", EMNLP 2022: an empty slot that would write a keyphrase is not taught to
be empty, and losses of empty slots count less while a document's keyphrases lose against the empty mark.
``undo_null_weights`` is ours: the logarithm of the weights' inverse, added to the empty mark's logit in decoding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keywright.core.errors import BadParameter, needs_extra
from keywright.neural.data.examples import BEGIN, END, NULL, PAD, Example, Vocabulary, Words
from keywright.neural.decoding.greedy import SlotSettings, Values, write_slots
from keywright.neural.decoding.phrases import Decoding, GeneratedPhrase, SlotPhrases, make_phrase
from keywright.neural.decoding.sequences import find_attended
from keywright.neural.models.copy_transformer import CopyTransformer, DecoderMemory, Size
from keywright.neural.models.generator import Loss, SourceBatch, WordGenerator, pad_rows, shift_right


def assign_keyphrases(log_probabilities: Tensor, targets: Tensor, costly: Tensor) -> Tensor:
    """Return targets in the order of the slots that they are assigned to, (batch, slots, words).

    ``log_probabilities``: at the first steps, (batch, slots, steps, words); ``costly``: not padding and the empty mark.
    """
    with needs_extra("neural", "the assignment of keyphrases to slots needs scipy"):
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy

    steps = log_probabilities.shape[2]
    first = targets[:, :, :steps]
    # Row: a slot, column: a keyphrase; each cell gathers the probabilities of the keyphrase's words in the slot.
    places = first[:, None].expand(-1, targets.shape[1], -1, -1).transpose(2, 3)  # (batch, slots, steps, keyphrases)
    probabilities = log_probabilities.gather(-1, places).exp()
    gains = (probabilities * costly[:, None, :, :steps].transpose(2, 3)).sum(2)  # (batch, slots, keyphrases)
    orders = [linear_sum_assignment(-gain)[1] for gain in gains.float().cpu().numpy()]
    order = torch.from_numpy(np.stack(orders)).to(targets.device)
    return targets.gather(1, order[:, :, None].expand_as(targets))


def fill_empty_slots(targets: Tensor, written: Tensor, padding: int, filled: Tensor) -> tuple[Tensor, Tensor]:
    """Return targets in which empty slots have taken keyphrases, and the slots whose losses count, (batch, slots).

    An empty slot that would write the first words of one keyphrase takes it if no ``filled`` slot would write that.
    Where one would, or where several keyphrases begin so, the slot stays empty and its loss does not count.
    ``targets``: (batch, slots, words), of one half; ``written``: first words that each slot writes if it may not stay
    empty, (batch, slots, steps); ``padding`` behind a short keyphrase, where any word is right.
    """
    first = targets[:, None, :, : written.shape[2]]
    right = (written[:, :, None] == first) | (first == padding)
    same = right.all(-1) & filled[:, None]  # (batch, slots, keyphrases)
    matches = same & ~filled[:, :, None]
    covered = (same & filled[:, :, None]).any(1)  # (batch, keyphrases)
    takes = (matches.sum(-1) == 1) & (matches & ~covered[:, None]).any(-1)
    chosen = matches.int().argmax(-1)[:, :, None].expand_as(targets)
    changed = targets.gather(1, chosen).where(takes[:, :, None], targets)
    return changed, takes | ~matches.any(-1)


def weigh_documents(keyphrases: Tensor, empty: Tensor, filled: Tensor) -> Tensor:
    """Return the weight of each document's empty slots, 0 to 1, (batch,); 1 for a document without keyphrases.

    It is the mean over ``filled`` slots of min(1, P(first word of the keyphrase) / P(empty mark)), from (batch, slots).
    """
    ratios = (keyphrases - empty).clamp(max=0).exp().where(filled, 0.0)
    return (ratios.sum(1) / filled.sum(1).clamp(min=1)).where(filled.any(1), 1.0)


Decoded: TypeAlias = tuple[Tensor, Tensor, DecoderMemory]  # States, copy attention and memory after some steps


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots; the values are those of the paper."""

    count: int = 20  # even: the first half is for present keyphrases
    steps: int = 6  # words of a slot, the end among them
    assigned_by: int = 2  # words that the assignment looks at
    present_null: float = 0.2  # weight of the empty mark in each half; above 0, up to 1
    absent_null: float = 0.1
    undo_null_weights: bool = False  # whether decoding corrects the empty mark's probability for these weights

    def __post_init__(self) -> None:
        if self.count < 2 or self.count % 2 or not 1 <= self.assigned_by <= self.steps:  # noqa: PLR2004 - two halves
            message = f"{self.count} slots of {self.steps} steps, assigned by {self.assigned_by}"
            raise BadParameter(message, "expected an even number of slots, assigned by at most all steps")
        if not (0 < self.present_null <= 1 and 0 < self.absent_null <= 1):
            message = f"weights {self.present_null:g} and {self.absent_null:g} of empty slots"
            raise BadParameter(message, "expected weights above 0, up to 1")


class One2Set(WordGenerator):
    """A Transformer with copying whose decoder has slots, which Xie et al.'s two remedies may train."""

    name: ClassVar[str] = "one2set"
    size_type = Size
    parts: ClassVar[Mapping[str, type[Any]]] = {"slots": Slots}

    def __init__(self, vocabulary: Vocabulary, size: Size, slots: Slots = Slots()) -> None:
        super().__init__()
        self.vocabulary, self.slots, self.longest_phrase = vocabulary, slots, slots.steps
        self.reassign_empty = self.adaptive_empty = False
        self.phrases = SlotPhrases(vocabulary, slots.count)
        self.network = CopyTransformer(len(vocabulary), size)
        self.codes = torch.nn.Parameter(torch.empty(slots.count, size.width).uniform_(-0.1, 0.1))

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases in the slots that they are assigned to."""
        source = self.read_batch([example.source for example in examples])
        targets, counted = self._assign(source, self._encode_targets(examples, source))
        decoded = self._decode(source, targets)
        log_probabilities = self._score_targets(decoded, targets)
        weights = torch.where(targets == NULL, self.null_weights()[None, :, None], 1.0) * counted[:, :, None]
        if self.training and self.adaptive_empty:
            with torch.no_grad():
                filled, marks = targets[:, :, 0] != NULL, torch.full_like(targets, PAD)
                marks[:, :, 0] = torch.where(filled, NULL, PAD)
                empty = self._score_targets(decoded, marks)[:, :, 0]
                of_document = weigh_documents(log_probabilities.detach()[:, :, 0], empty, filled)
                weights = weights * torch.where(targets == NULL, of_document[:, None, None], 1.0)
        return Loss(-(log_probabilities * weights).sum(), int((targets != PAD).sum()))

    @torch.inference_mode()
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of the slots that are not empty, those with the highest mean probability first."""

        def step(memory: DecoderMemory, words: NDArray[np.int64]) -> tuple[Values, DecoderMemory]:
            current = torch.from_numpy(words).to(self.device)[..., None]
            states, attention, memory = self.network.decode(memory, current, self.codes)
            every = self.network.log_probabilities(states, attention, memory)
            if self.slots.undo_null_weights and memory.steps == 1:
                every[:, :, NULL] -= self.null_weights().log()
                every = every.log_softmax(-1)
            return every.cpu().numpy(), memory

        source = self.read_batch(sources)
        constraint = self.phrases.present_only(source.rows()) if decoding.present_only else None
        memory, settings = self.network.encode(source), SlotSettings(self.slots.count, self.slots.steps)
        written = write_slots(
            step, memory, len(sources), settings, constraint, filled=decoding.fill_slots, find_attended=find_attended
        )
        return [self.phrases.phrases(slots, unknown) for slots, unknown in zip(written, source.unknown, strict=True)]

    def score(self, source: Words, phrases: Sequence[Words]) -> list[GeneratedPhrase]:
        """Return phrases with their probabilities in the best slot; the end of one that does not fit is unknown."""
        slots, steps = self.slots.count, self.slots.steps
        batch = self.read_batch([source] * len(phrases))
        pairs = zip(phrases, batch.unknown, strict=True)
        rows = [[*self.vocabulary.encode(phrase, unknown), END][:steps] for phrase, unknown in pairs]
        targets = pad_rows(rows, steps).to(self.device)[:, None].expand(-1, slots, -1).contiguous()
        values = self._score_targets(self._decode(batch, targets), targets)
        best = (values * (targets != PAD)).sum(-1).argmax(-1).tolist()
        scored = []
        for row, (phrase, slot) in enumerate(zip(phrases, best, strict=True)):
            log_probabilities = values[row, slot].tolist()
            end = log_probabilities[len(phrase)] if len(phrase) < steps else None
            scored.append(make_phrase(zip(phrase, log_probabilities, strict=False), end, slot=slot))
        return scored

    def null_weights(self) -> Tensor:
        """Return the weight of the empty mark in each slot, (slots,)."""
        half = self.slots.count // 2
        return torch.tensor([self.slots.present_null] * half + [self.slots.absent_null] * half, device=self.device)

    def slot_settings(self) -> SlotSettings:
        """Return the settings of decoding."""
        weights = self.null_weights().tolist() if self.slots.undo_null_weights else None
        return SlotSettings(self.slots.count, self.slots.steps, weights)

    def _encode_targets(self, examples: Sequence[Example], source: SourceBatch) -> Tensor:
        """Return the words of each keyphrase and empty slots, present half first, (batch, slots, steps)."""
        half, steps = self.slots.count // 2, self.slots.steps
        rows = []
        for example, unknown in zip(examples, source.unknown, strict=True):
            for phrases in (example.present, example.absent):
                short = [phrase for phrase in phrases if len(phrase) < steps][:half]
                written = [[*self.vocabulary.encode(phrase, unknown), END] for phrase in short]
                rows += written + [[NULL]] * (half - len(written))
        return pad_rows(rows, steps).reshape(len(examples), self.slots.count, steps).to(self.device)

    @torch.no_grad()
    def _assign(self, source: SourceBatch, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Return targets in the order of their slots, by halves, and the slots whose losses count, (batch, slots)."""
        training = self.training
        self.eval()
        memory = self.network.encode(source)
        log_probabilities = self._first_steps(memory)
        half, costly = self.slots.count // 2, (targets != PAD) & (targets != NULL)
        halves = slice(half), slice(half, None)
        columns = log_probabilities, targets, costly
        targets = torch.cat([assign_keyphrases(*(column[:, part] for column in columns)) for part in halves], 1)
        counted = torch.ones_like(targets[:, :, 0], dtype=torch.bool)
        if training and self.reassign_empty:
            written, filled = self._first_steps(memory, never=NULL).argmax(-1), targets[:, :, 0] != NULL
            parts = [fill_empty_slots(targets[:, part], written[:, part], PAD, filled[:, part]) for part in halves]
            targets, counted = (torch.cat(columns, 1) for columns in zip(*parts, strict=True))
        self.train(training)
        return targets, counted

    def _first_steps(self, memory: DecoderMemory, never: int | None = None) -> Tensor:
        """Return log-probabilities of all words at the first steps of greedy decoding, (batch, slots, steps, words)."""
        words = torch.full((len(memory.mask), self.slots.count, 1), BEGIN, device=self.device)
        every = []
        for _ in range(self.slots.assigned_by):
            states, attention, memory = self.network.decode(memory, words, self.codes)
            every.append(self.network.log_probabilities(states, attention, memory))
            if never is not None:
                every[-1][:, :, never] = -torch.inf
            words = every[-1].argmax(-1)[..., None]
        return torch.stack(every, 2)

    def _decode(self, source: SourceBatch, targets: Tensor) -> Decoded:
        return self.network.decode(self.network.encode(source), shift_right(targets), self.codes)

    def _score_targets(self, decoded: Decoded, targets: Tensor) -> Tensor:
        """Return the log-probabilities of targets, 0 for padding, (batch, slots, steps)."""
        return self.network.target_log_probabilities(*decoded, targets.flatten(1)).reshape_as(targets)
