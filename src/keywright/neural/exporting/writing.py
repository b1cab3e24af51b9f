"""Export of a trained generator's folder: the same generator as ONNX, in a folder of its own."""

import datetime as dt
import importlib
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import TooLarge
from keywright.core.extras import needs_extra
from keywright.core.version import VERSION
from keywright.neural.exporting.onnx_files import encoder_and_step, quantised
from keywright.neural.exporting.settings import exportable
from keywright.neural.generation import check_writes_keyphrases
from keywright.neural.model_folder import (
    ENCODER,
    INT8,
    LARGEST_GRAPH,
    STEP,
    load_generator,
    remove_generator,
    weights_hash,
    write_generator,
)

_BYTES: Final = 4
"""Bytes of a weight."""


def export_generator(folder: Path, target: Path, precision: str) -> dict[str, Any]:
    """Write the generator of a folder as ONNX into another; return its card.

    Args:
        folder: of a trained generator, or of BART or T5 by transformers.
        target: empty, new, or with an earlier export.
        precision: of the weights, ``int8`` or ``float32``.

    Raises:
        BadParameter: the generator is an exported one.
        NotFitted: the generator has not learned to write keyphrases.
        MissingExtra: the extra ``neural`` is not installed.
        TooLarge: weights that one file cannot hold.
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
    graphs, settings = exportable(model)
    contents = dict(zip((ENCODER, STEP), encoder_and_step(graphs), strict=True))
    if precision == INT8:
        contents = {name: quantised(content) for name, content in contents.items()}
    values = {"generator": model.name, "limits": asdict(limits), "config": model.config()}
    left_out = {"sha256", "calibration"}
    card = {
        **{name: value for name, value in trained.items() if name not in left_out},
        "generator": model.name,
        "exported": {
            "precision": precision,
            "from": weights_hash(trained),
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
            "keywright": VERSION,
        },
    }
    remove_generator(target)
    return write_generator(target, {**values, "writes": settings}, model.files(), contents, card)
