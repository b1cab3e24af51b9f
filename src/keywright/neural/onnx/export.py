"""Export of a trained generator's folder: the same generator as ONNX files, in a folder of its own.

A generator is two graphs, an encoder and a step of the decoder, over named tensors with a row for each sequence.
"""

import datetime as dt
import importlib
import logging
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor, nn
from transformers import DynamicCache, EncoderDecoderCache

from keywright.core import VERSION
from keywright.core.choices import Precision
from keywright.core.errors import TooLarge, needs_extra
from keywright.neural import model_folder
from keywright.neural.generation import check_writes_keyphrases
from keywright.neural.layers import HierarchicalState, KeysAndValues
from keywright.neural.models.copy_transformer import DecoderMemory, One2Seq
from keywright.neural.models.exhird import ExHiRD, Progress, Writing
from keywright.neural.models.generator import KeyphraseGenerator, SourceBatch
from keywright.neural.models.one2set import One2Set
from keywright.neural.models.pretrained import PieceMemory, PretrainedGenerator
from keywright.neural.onnx.generators import ATTENDED, BEHIND, EXTENDED, MASK, NEXT, WORDS

_OPSET: Final = 20  # version of the operators of ONNX: that of 2023, which onnxruntime 1.23 and later read
FreeAxes: TypeAlias = list[dict[int, Any]]  # for each tensor the axes that may have any length
_SIZES: Final = ((2, 5, 3, 2), (3, 7, 4, 4))
"""Rows, places, words behind the vocabulary and steps of two trials; arbitrary, but different, and above 1, which torch
takes for a constant. An axis that differs between them has any length."""
Tensors: TypeAlias = tuple[Tensor, ...]


@dataclass(frozen=True)
class Graphs:
    """A generator as functions of tensors, by the names of what they read and return."""

    model: KeyphraseGenerator
    encode: Callable[..., Tensors]  # from the tensors of ``inputs``, (rows, places), to those of ``encoded``
    # From words before, (rows,) or (rows, slots), and the tensors of ``state`` to log-probabilities of the next words,
    # then those of ``changed``, the part of the state that a step changes, and of ``also``, for people.
    step: Callable[..., Tensors]
    encoded: tuple[str, ...]
    changed: tuple[str, ...]
    inputs: tuple[str, ...] = (EXTENDED,)
    numbered: tuple[str, ...] = (EXTENDED, BEHIND)  # a step's inputs of the source; with ``encoded`` the first state
    also: tuple[str, ...] = (ATTENDED,)
    slots: int | None = None  # number of a decoder of slots

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
        words = torch.full(numbers.shape[:1], model.begin, device=numbers.device)  # as len() would fix the length
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


class _GraphModule(nn.Module):
    """A function of a generator as a module, as which torch exports it."""

    def __init__(self, model: nn.Module, function: Callable[..., tuple[Tensor, ...]]) -> None:
        super().__init__()
        self.model, self._function = model, function

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors of the function."""
        return self._function(*tensors)


def export_graphs(graphs: Graphs) -> tuple[bytes, bytes]:
    """Return the encoder and the step of a generator as ONNX."""
    with _silence_libraries(), torch.no_grad():
        first, second = (_try_graphs(graphs, *sizes) for sizes in _SIZES)

        def export(function: Callable[..., tuple[Tensor, ...]], names: Sequence[str], outputs: Sequence[str]) -> bytes:
            free: FreeAxes = [
                {axis: torch.export.Dim.DYNAMIC for axis, (length, other) in enumerate(pairs) if length != other}
                for pairs in (zip(first[name].shape, second[name].shape, strict=True) for name in names)
            ]
            tensors = [second[name] for name in names]
            return export_module(_GraphModule(graphs.model, function), tensors, free, names, outputs)

        encoder = export(graphs.encode, graphs.inputs, graphs.encoded)
        outputs = ("log_probabilities", *(NEXT + name for name in graphs.changed), *graphs.also)
        return encoder, export(graphs.step, (WORDS, *graphs.state), outputs)


def quantise_weights(content: bytes) -> bytes:
    """Return a graph with matrices of weights as 8-bit integers, but for recurrent units, which onnxruntime lacks."""
    import onnx  # noqa: PLC0415 - heavy

    quantisation = importlib.import_module("onnxruntime.quantization")  # has no types
    model = onnx.load_from_string(content)
    quantisation.quant_utils.add_pre_process_metadata(model)
    with _silence_libraries(), tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "model.onnx"
        # Weights have 7 of the 8 bits: processors without instructions for such products would clip sums of full ones,
        # and numbers would depend on the processor.
        quantisation.quantize_dynamic(model, file, ["MatMul", "Gather"], per_channel=True, reduce_range=True)
        return file.read_bytes()


def _try_graphs(graphs: Graphs, rows: int, places: int, behind: int, steps: int) -> dict[str, Tensor]:
    """Return inputs, words and the state after some steps."""
    state = {
        EXTENDED: torch.ones(rows, places, dtype=torch.long),
        BEHIND: torch.zeros(rows, behind),
        MASK: torch.ones(rows, places, dtype=torch.long),
    }
    state |= zip(graphs.encoded, graphs.encode(*(state[name] for name in graphs.inputs)), strict=True)
    words = torch.ones((rows,) if graphs.slots is None else (rows, graphs.slots), dtype=torch.long)
    for _ in range(steps):
        _, *changed = graphs.step(words, *(state[name] for name in graphs.state))
        state |= zip(graphs.changed, changed, strict=False)  # without what is for people only
    return {**state, WORDS: words}


def export_module(
    module: nn.Module, tensors: Sequence[Tensor], axes: FreeAxes, inputs: Sequence[str], outputs: Sequence[str]
) -> bytes:
    """Return a module, which takes its tensors as ``*inputs``, as ONNX; ``axes`` of each tensor may have any length."""
    from onnxscript import optimizer  # noqa: PLC0415 - heavy

    with _silence_libraries(), torch.no_grad():
        program = torch.onnx.export(
            module.eval(),
            tuple(tensors),
            dynamo=True,
            opset_version=_OPSET,
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_shapes=(tuple(axes),),
            # Its rules take the small number that is added inside of logarithms for zero: only constants are folded.
            optimize=False,
            verbose=False,
        )
    # Its limits would leave the largest matrices to be transposed at every step, and out of the integers.
    optimizer.fold_constants(
        program.model, input_size_limit=model_folder.LARGEST_GRAPH, output_size_limit=model_folder.LARGEST_GRAPH
    )
    optimizer.remove_unused_nodes(program.model)
    # Torch notes lengths behind recurrent units that are those of the trial, where they may be any: onnxruntime infers
    # them itself. Its other notes have the paths and lines of this program, and are larger than small weights.
    model = program.model_proto
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    for part in (model, model.graph, *model.graph.node, *model.graph.input, *model.graph.output):
        del part.metadata_props[:]
        part.ClearField("doc_string")
    content: bytes = model.SerializeToString()
    return content


@contextmanager
def _silence_libraries() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


_BYTES: Final = 4  # bytes of a weight


def export_generator(folder: Path, target: Path, precision: str) -> dict[str, Any]:
    """Write the generator of a folder as ONNX into another; return its card.

    ``folder``: of a trained generator, or of BART or T5 by transformers; ``target``: empty, new, or with an earlier
    export; ``precision``: ``int8`` or ``float32``. Raises BadParameter: an exported one; NotFitted: it has not learned
    to write keyphrases; MissingExtra: ``neural`` is not installed; TooLarge: weights that one file cannot hold.
    """
    for name in ("onnx", "onnxscript", "onnxruntime"):
        with needs_extra("neural", f"export needs {name}"):
            importlib.import_module(name)
    check_writes_keyphrases(folder)
    model, limits, trained = model_folder.load_generator(folder)
    size = _BYTES * sum(weight.numel() for weight in model.parameters())
    if size > model_folder.LARGEST_GRAPH:
        message = f"the weights in {folder} have {size:,} bytes"
        raise TooLarge(message, f"a file of ONNX has at most {model_folder.LARGEST_GRAPH:,}; use the folder as it is")
    graphs, settings = make_graphs(model)
    contents = dict(zip((model_folder.ENCODER, model_folder.STEP), export_graphs(graphs), strict=True))
    if precision == Precision.INT8:
        contents = {name: quantise_weights(content) for name, content in contents.items()}
    values = {"generator": model.name, "limits": asdict(limits), "config": model.config(), "writes": settings}
    date = dt.datetime.now(dt.UTC).date().isoformat()
    origin = {"precision": precision, "from": model_folder.hash_weights(trained), "date": date, "keywright": VERSION}
    card = {name: value for name, value in trained.items() if name not in {"sha256", "calibration"}}
    card |= {"generator": model.name, "exported": origin}
    model_folder.remove_generator(target)
    return model_folder.write_generator(target, values, model.files(), contents, card)
