"""Export of a trained generator's folder: the same generator as ONNX files, in a folder of its own."""

import datetime as dt
import importlib
import logging
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor, nn

from keywright.core import VERSION
from keywright.core.errors import TooLarge, needs_extra
from keywright.neural.generation import check_writes_keyphrases
from keywright.neural.model_folder import (
    ENCODER,
    INT8,
    LARGEST_GRAPH,
    STEP,
    hash_weights,
    load_generator,
    remove_generator,
    write_generator,
)
from keywright.neural.onnx.generators import BEHIND, EXTENDED, MASK, NEXT, WORDS
from keywright.neural.onnx.graphs import Graphs, make_graphs

_OPSET: Final = 20  # version of the operators of ONNX: that of 2023, which onnxruntime 1.23 and later read
FreeAxes: TypeAlias = list[dict[int, Any]]  # for each tensor the axes that may have any length
_SIZES: Final = ((2, 5, 3, 2), (3, 7, 4, 4))
"""Rows, places, words behind the vocabulary and steps of two trials; arbitrary, but different, and above 1, which torch
takes for a constant. An axis that differs between them has any length."""


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
    module: nn.Module,
    tensors: Sequence[Tensor],
    axes: FreeAxes,
    inputs: Sequence[str],
    outputs: Sequence[str],
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
    optimizer.fold_constants(program.model, input_size_limit=LARGEST_GRAPH, output_size_limit=LARGEST_GRAPH)
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
    model, limits, trained = load_generator(folder)
    size = _BYTES * sum(weight.numel() for weight in model.parameters())
    if size > LARGEST_GRAPH:
        message = f"the weights in {folder} have {size:,} bytes"
        raise TooLarge(message, f"a file of ONNX has at most {LARGEST_GRAPH:,}; use the folder as it is")
    graphs, settings = make_graphs(model)
    contents = dict(zip((ENCODER, STEP), export_graphs(graphs), strict=True))
    if precision == INT8:
        contents = {name: quantise_weights(content) for name, content in contents.items()}
    values = {"generator": model.name, "limits": asdict(limits), "config": model.config(), "writes": settings}
    date = dt.datetime.now(dt.UTC).date().isoformat()
    origin = {"precision": precision, "from": hash_weights(trained), "date": date, "keywright": VERSION}
    card = {name: value for name, value in trained.items() if name not in {"sha256", "calibration"}}
    remove_generator(target)
    return write_generator(
        target, values, model.files(), contents, card | {"generator": model.name, "exported": origin}
    )
