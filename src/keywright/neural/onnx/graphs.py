"""Generators as two graphs, an encoder and a step of the decoder, over named tensors with a row for each sequence."""

import abc
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final, Generic, TypeVar

import torch
from torch import Tensor, nn
from transformers import DynamicCache, EncoderDecoderCache

from keywright.neural.layers import HierarchicalState, KeysAndValues
from keywright.neural.models.copy_transformer import DecoderMemory, One2Seq
from keywright.neural.models.exclusive_lists import Progress
from keywright.neural.models.exhird import ExHiRD, Writing
from keywright.neural.models.generator import KeyphraseGenerator, ListGenerator, SourceBatch
from keywright.neural.models.one2set import One2Set
from keywright.neural.models.pretrained import PieceMemory, PretrainedGenerator
from keywright.neural.onnx.generators import ATTENDED, BEHIND, EXTENDED, MASK

Model = TypeVar("Model", bound=KeyphraseGenerator)


class Graphs(abc.ABC, Generic[Model]):
    """A generator as functions of tensors, by the names of what they read and return.

    Attributes:
        inputs: of the encoder, (rows, places) each.
        numbered: inputs of a step that come from the numbers of the source; with ``encoded`` they are the first state.
        changed: names of the part of the state that a step changes.
        also: names of what a step returns for people, behind the others.
    """

    inputs: tuple[str, ...] = (EXTENDED,)
    numbered: tuple[str, ...] = (EXTENDED, BEHIND)
    encoded: tuple[str, ...]
    changed: tuple[str, ...]
    also: tuple[str, ...] = (ATTENDED,)

    def __init__(self, model: Model) -> None:
        self.model = model

    def _name_layers(self, layers: int) -> None:
        """Set the names of a state that has keys and values of the source and of the steps so far."""
        parts = [f"{part}_{layer}" for layer in range(layers) for part in ("keys", "values")]
        self.changed = tuple(f"past_{part}" for part in parts)
        self.encoded = (*(f"source_{part}" for part in parts), *self.changed)

    @property
    def state(self) -> tuple[str, ...]:
        """Names of the whole state."""
        return self.numbered + self.encoded

    @abc.abstractmethod
    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors of ``encoded``."""

    @abc.abstractmethod
    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities of the next words, then tensors of ``changed``; words: (rows,) or (rows, slots)."""

    def words(self, rows: int) -> Tensor:
        """Return words to try a step with."""
        return torch.ones(rows, dtype=torch.long)


class GraphModule(nn.Module):
    """A function of a generator as a module, as which torch exports it."""

    def __init__(self, model: KeyphraseGenerator, function: Callable[..., tuple[Tensor, ...]]) -> None:
        super().__init__()
        self.model, self._function = model, function

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors of the function."""
        return self._function(*tensors)


class CopyGraphs(Graphs[One2Seq | One2Set]):
    """Graphs of a Transformer with copying; a plain decoder has one slot."""

    def __init__(self, model: One2Seq | One2Set) -> None:
        super().__init__(model)
        self._name_layers(model.network.size.layers)
        self._slots = model.slots.count if isinstance(model, One2Set) else 1
        self._codes = model.codes if isinstance(model, One2Set) else None

    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return keys and values of the source, (rows, heads, places, width), and none of steps."""
        (extended,) = inputs
        memory = self.model.network.encode(SourceBatch.of(extended, (), self.model.network.words))
        source = [tensor for pair in memory.source for tensor in pair]
        rows, heads, _, width = source[0].shape
        nothing = [tensor.new_zeros((rows, self._slots, heads, 0, width)) for tensor in source]
        return (*source, *nothing)

    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities and the keys and values with those of this step."""
        extended, behind, *tensors = state
        source, past = tensors[: len(self.changed)], [tensor.flatten(0, 1) for tensor in tensors[len(self.changed) :]]
        numbered = SourceBatch.of(extended, (), self.model.network.words)
        rows, steps = torch.arange(extended.shape[0]), past[0].shape[2]
        memory = DecoderMemory(
            _pair_tensors(source), numbered.mask, extended, behind.shape[1], rows, _pair_tensors(past), steps=steps
        )
        states, attention, memory = self.model.network.decode(memory, words.reshape(-1, self._slots, 1), self._codes)
        log_probabilities = self.model.network.log_probabilities(states, attention, memory)
        together = [tensor.unflatten(0, (-1, self._slots)) for pair in memory.past for tensor in pair]
        assert memory.attended is not None, "a step attends"  # noqa: S101 - for the type checker
        if self._codes is not None:
            return log_probabilities, *together, memory.attended
        return log_probabilities.squeeze(1), *together, memory.attended.squeeze(1)

    def words(self, rows: int) -> Tensor:
        """Return words to try a step with, (rows,), or (rows, slots) for a decoder of slots."""
        words = super().words(rows)
        return words if self._codes is None else words[:, None].expand(-1, self._slots).contiguous()


def _pair_tensors(tensors: Sequence[Tensor]) -> tuple[KeysAndValues, ...]:
    return tuple(zip(tensors[::2], tensors[1::2], strict=True))


_LEVELS: Final = ("phrase", "phrase_scores", "word", "attentional")
_PROGRESS: Final = ("phrases", "tokens", "first_words")


class HierarchicalGraphs(Graphs[ExHiRD]):
    """Graphs of a decoder with two levels; grammar and exclusion are part of its step."""

    encoded = ("source", *_LEVELS, *_PROGRESS)
    changed = (*_LEVELS, *_PROGRESS)

    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the encoder's states, those of both levels, and the progress of empty lists."""
        (extended,) = inputs
        writing = self.model.start(SourceBatch.of(extended, (), self.model.network.words))
        # Several tensors begin alike; a graph has one output for each.
        return tuple(tensor.clone() for tensor in (writing.decoder.source, *_list_states(writing)))

    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities, and both levels and the progress after the words."""
        extended, behind, source, *tensors = state
        numbered = SourceBatch.of(extended, (), self.model.network.words)
        levels = dict(zip(_LEVELS, tensors[: len(_LEVELS)], strict=True))
        decoder = HierarchicalState(source, numbered.mask, extended, behind.shape[1], **levels)
        writing = Writing(decoder, Progress(*tensors[len(_LEVELS) :]))
        log_probabilities, writing = self.model.step(writing, words)
        assert writing.attended is not None, "a step attends"  # noqa: S101 - for the type checker
        return log_probabilities, *_list_states(writing), writing.attended


def _list_states(writing: Writing) -> list[Tensor]:
    levels = [getattr(writing.decoder, name) for name in _LEVELS]
    return levels + [getattr(writing.progress, name) for name in _PROGRESS]


class PieceGraphs(Graphs[PretrainedGenerator]):
    """Graphs of a network of transformers; a source has numbers of pieces and a mask."""

    inputs = (EXTENDED, MASK)
    numbered: tuple[str, ...] = (MASK,)
    also = ()

    def __init__(self, model: PretrainedGenerator) -> None:
        super().__init__(model)
        config = model.network.config  # names of transformers differ for BART and T5
        self._name_layers(getattr(config, "decoder_layers", None) or config.num_decoder_layers)
        if model.copying is not None:
            self.numbered, self.encoded = self.inputs, (_COPY_KEYS, *self.encoded)

    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return keys and values of the source, (rows, heads, places, width), and none of steps."""
        numbers, mask = inputs
        states = self.model.network.get_encoder()(input_ids=numbers, attention_mask=mask).last_hidden_state
        # The library projects the source's keys and values in the first step; the rest of that step is not exported.
        words = torch.full((len(numbers),), self.model.begin, device=numbers.device)
        copying, rows = self.model.copying, torch.arange(words.shape[0])
        keys = None if copying is None else copying.key(states)
        _, memory = self.model.step(PieceMemory(states, mask, rows, numbers=numbers, keys=keys), words)
        past, source = _list_tensors(memory)
        return (*([] if keys is None else [keys]), *source, *(tensor[:, :, :0] for tensor in past))

    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities and the keys and values with those of this step."""
        named, tensors = dict(zip(self.state, state, strict=True)), state[-2 * len(self.changed) :]
        mask, numbers, keys = named[MASK], named.get(EXTENDED), named.get(_COPY_KEYS)
        source, past = tensors[: len(self.changed)], tensors[len(self.changed) :]
        cache = EncoderDecoderCache(*(DynamicCache(_pair_tensors(tensors)) for tensors in (past, source)))
        # The states of the source are in the cache; the library looks at the size of this only.
        states = source[0].new_zeros((*mask.shape, 1))
        rows = torch.arange(words.shape[0])
        log_probabilities, memory = self.model.step(PieceMemory(states, mask, rows, cache, numbers, keys), words)
        return (log_probabilities, *_list_tensors(memory)[0])


_COPY_KEYS: Final = "copy_keys"  # name of what a head that copies compares with


def _list_tensors(memory: PieceMemory) -> tuple[list[Tensor], list[Tensor]]:
    """Return keys and values of the steps so far, and of the source, for each layer."""
    caches = () if memory.cache is None else (memory.cache.self_attention_cache, memory.cache.cross_attention_cache)
    past, source = ([tensor for layer in cache.layers for tensor in (layer.keys, layer.values)] for cache in caches)
    return past, source


def make_graphs(model: KeyphraseGenerator) -> tuple[Graphs[Any], dict[str, Any]]:
    """Return the graphs of a generator, and its settings."""
    match model:
        case One2Seq():
            return CopyGraphs(model), _describe_lists(model)
        case One2Set():
            return CopyGraphs(model), {"kind": "slots", **asdict(model.slot_settings())}
        case ExHiRD():
            return HierarchicalGraphs(model), _describe_lists(model)
        case PretrainedGenerator(sequences=sequences):
            settings = {"kind": "pieces", **asdict(sequences.marks), "positions": sequences.positions}
            return PieceGraphs(model), settings
        case _:
            raise TypeError(f"a {model.name} has no graphs")


def _describe_lists(model: ListGenerator[Any]) -> dict[str, Any]:
    return {"kind": "words", "marked": model.sequences.marked, "start_marks": model.start_marks}
