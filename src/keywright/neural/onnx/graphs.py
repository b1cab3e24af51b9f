"""Generators as two graphs, an encoder and a step of the decoder, over named tensors with a row for each sequence."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache

from keywright.neural.layers import HierarchicalState, KeysAndValues
from keywright.neural.models.copy_transformer import DecoderMemory, One2Seq
from keywright.neural.models.exhird import ExHiRD, Progress, Writing
from keywright.neural.models.generator import KeyphraseGenerator, SourceBatch
from keywright.neural.models.one2set import One2Set
from keywright.neural.models.pretrained import PieceMemory, PretrainedGenerator
from keywright.neural.onnx.generators import ATTENDED, BEHIND, EXTENDED, MASK

Tensors: TypeAlias = tuple[Tensor, ...]


@dataclass(frozen=True)
class Graphs:
    """A generator as functions of tensors, by the names of what they read and return.

    Attributes:
        encode: from the tensors of ``inputs`` to those of ``encoded``.
        step: from words before, (rows,) or (rows, slots), and those of ``state`` to log-probabilities of the next
            words, then those of ``changed``.
        inputs: of the encoder, (rows, places) each.
        numbered: inputs of a step that come from the numbers of the source; with ``encoded`` they are the first state.
        changed: names of the part of the state that a step changes.
        also: names of what a step returns for people, behind the others.
        slots: number of a decoder of slots.
    """

    model: KeyphraseGenerator
    encode: Callable[..., Tensors]
    step: Callable[..., Tensors]
    encoded: tuple[str, ...]
    changed: tuple[str, ...]
    inputs: tuple[str, ...] = (EXTENDED,)
    numbered: tuple[str, ...] = (EXTENDED, BEHIND)
    also: tuple[str, ...] = (ATTENDED,)
    slots: int | None = None

    @property
    def state(self) -> tuple[str, ...]:
        """Names of the whole state."""
        return self.numbered + self.encoded


def make_graphs(model: KeyphraseGenerator) -> tuple[Graphs, dict[str, Any]]:
    """Return the graphs of a generator, and its settings."""
    match model:
        case One2Set():
            return _draw_copying(model), {"kind": "slots", **asdict(model.slot_settings())}
        case One2Seq() | ExHiRD():
            graphs = _draw_copying(model) if isinstance(model, One2Seq) else _draw_hierarchical(model)
            return graphs, {"kind": "words", "marked": model.sequences.marked, "start_marks": model.start_marks}
        case PretrainedGenerator(sequences=sequences):
            settings = {"kind": "pieces", **asdict(sequences.marks), "positions": sequences.positions}
            return _draw_pieces(model), settings
        case _:
            raise TypeError(f"a {model.name} has no graphs")


def _name_layers(layers: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a state that has keys and values of the source and of the steps, and those of the steps."""
    parts = [f"{part}_{layer}" for layer in range(layers) for part in ("keys", "values")]
    past = tuple(f"past_{part}" for part in parts)
    return (*(f"source_{part}" for part in parts), *past), past


def _pair_tensors(tensors: Sequence[Tensor]) -> tuple[KeysAndValues, ...]:
    return tuple(zip(tensors[::2], tensors[1::2], strict=True))


def _draw_copying(model: One2Seq | One2Set) -> Graphs:
    """Return the graphs of a Transformer with copying; a plain decoder has one slot."""
    network, (encoded, changed) = model.network, _name_layers(model.network.size.layers)
    slots, codes = (model.slots.count, model.codes) if isinstance(model, One2Set) else (1, None)

    def encode(extended: Tensor) -> Tensors:
        """Return keys and values of the source, (rows, heads, places, width), and none of steps."""
        memory = network.encode(SourceBatch.of(extended, (), network.words))
        source = [tensor for pair in memory.source for tensor in pair]
        rows, heads, _, width = source[0].shape
        return (*source, *(tensor.new_zeros((rows, slots, heads, 0, width)) for tensor in source))

    def step(words: Tensor, extended: Tensor, behind: Tensor, *tensors: Tensor) -> Tensors:
        source, past = tensors[: len(changed)], [tensor.flatten(0, 1) for tensor in tensors[len(changed) :]]
        numbered = SourceBatch.of(extended, (), network.words)
        rows, steps = torch.arange(extended.shape[0]), past[0].shape[2]
        memory = DecoderMemory(
            _pair_tensors(source), numbered.mask, extended, behind.shape[1], rows, _pair_tensors(past), steps=steps
        )
        states, attention, memory = network.decode(memory, words.reshape(-1, slots, 1), codes)
        log_probabilities = network.log_probabilities(states, attention, memory)
        together = [tensor.unflatten(0, (-1, slots)) for pair in memory.past for tensor in pair]
        assert memory.attended is not None, "a step attends"  # noqa: S101 - for the type checker
        if codes is not None:
            return log_probabilities, *together, memory.attended
        return log_probabilities.squeeze(1), *together, memory.attended.squeeze(1)

    return Graphs(model, encode, step, encoded, changed, slots=None if codes is None else slots)


_LEVELS: Final = ("phrase", "phrase_scores", "word", "attentional")
_PROGRESS: Final = ("phrases", "tokens", "first_words")


def _draw_hierarchical(model: ExHiRD) -> Graphs:
    """Return the graphs of a decoder with two levels; grammar and exclusion are part of its step."""

    def list_states(writing: Writing) -> list[Tensor]:
        levels = [getattr(writing.decoder, name) for name in _LEVELS]
        return levels + [getattr(writing.progress, name) for name in _PROGRESS]

    def encode(extended: Tensor) -> Tensors:
        """Return the encoder's states, those of both levels, and the progress of empty lists."""
        writing = model.start(SourceBatch.of(extended, (), model.network.words))
        # Several tensors begin alike; a graph has one output for each.
        return tuple(tensor.clone() for tensor in (writing.decoder.source, *list_states(writing)))

    def step(words: Tensor, extended: Tensor, behind: Tensor, source: Tensor, *tensors: Tensor) -> Tensors:
        numbered = SourceBatch.of(extended, (), model.network.words)
        levels = dict(zip(_LEVELS, tensors[: len(_LEVELS)], strict=True))
        decoder = HierarchicalState(source, numbered.mask, extended, behind.shape[1], **levels)
        writing = Writing(decoder, Progress(*tensors[len(_LEVELS) :]))
        log_probabilities, writing = model.step(writing, words)
        assert writing.attended is not None, "a step attends"  # noqa: S101 - for the type checker
        return log_probabilities, *list_states(writing), writing.attended

    return Graphs(model, encode, step, ("source", *_LEVELS, *_PROGRESS), (*_LEVELS, *_PROGRESS))


_COPY_KEYS: Final = "copy_keys"  # name of what a head that copies compares with


def _draw_pieces(model: PretrainedGenerator) -> Graphs:
    """Return the graphs of a network of transformers; a source has numbers of pieces and a mask."""
    config, copying = model.network.config, model.copying  # names of transformers differ for BART and T5
    encoded, changed = _name_layers(getattr(config, "decoder_layers", None) or config.num_decoder_layers)
    inputs: tuple[str, ...] = (EXTENDED, MASK)
    numbered, encoded = (inputs[1:], encoded) if copying is None else (inputs, (_COPY_KEYS, *encoded))

    def list_tensors(memory: PieceMemory) -> tuple[list[Tensor], list[Tensor]]:
        """Return keys and values of the steps so far, and of the source, for each layer."""
        cache = memory.cache
        caches = () if cache is None else (cache.self_attention_cache, cache.cross_attention_cache)
        past, source = ([tensor for layer in each.layers for tensor in (layer.keys, layer.values)] for each in caches)
        return past, source

    def encode(numbers: Tensor, mask: Tensor) -> Tensors:
        """Return keys and values of the source, (rows, heads, places, width), and none of steps."""
        states = model.network.get_encoder()(input_ids=numbers, attention_mask=mask).last_hidden_state
        # The library projects the source's keys and values in the first step; the rest of that step is not exported.
        words = torch.full((len(numbers),), model.begin, device=numbers.device)
        rows, keys = torch.arange(words.shape[0]), None if copying is None else copying.key(states)
        _, memory = model.step(PieceMemory(states, mask, rows, numbers=numbers, keys=keys), words)
        past, source = list_tensors(memory)
        return (*([] if keys is None else [keys]), *source, *(tensor[:, :, :0] for tensor in past))

    def step(words: Tensor, *state: Tensor) -> Tensors:
        named, tensors = dict(zip((*numbered, *encoded), state, strict=True)), state[-2 * len(changed) :]
        source, past = tensors[: len(changed)], tensors[len(changed) :]
        cache = EncoderDecoderCache(*(DynamicCache(_pair_tensors(tensors)) for tensors in (past, source)))
        # The states of the source are in the cache; the library looks at the size of this only.
        mask, rows = named[MASK], torch.arange(words.shape[0])
        states = source[0].new_zeros((*mask.shape, 1))
        memory = PieceMemory(states, mask, rows, cache, named.get(EXTENDED), named.get(_COPY_KEYS))
        log_probabilities, memory = model.step(memory, words)
        return (log_probabilities, *list_tensors(memory)[0])

    return Graphs(model, encode, step, encoded, changed, inputs, numbered, also=())
