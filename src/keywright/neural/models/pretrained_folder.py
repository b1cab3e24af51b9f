"""A local folder of a model of transformers: config.json, tokenizer.json and weights as safetensors.

Everything in it is read as data: no pickle, no code of the folder, and nothing is downloaded.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import PreTrainedModel

from keywright.core.errors import BrokenFile, MissingData, TooLarge, UnsupportedFormat, list_names
from keywright.neural.data.subwords import Subwords

_WEIGHTS: Final = "model.safetensors"
_SHARDS: Final = "model.safetensors.index.json"
_PICKLES: Final = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_SLOW: Final = ("vocab.json", "merges.txt", "spiece.model", "sentencepiece.bpe.model")
"""Files of tokenisers that only transformers itself can read."""
_OUTPUT: Final = "lm_head.weight"
_ZERO: Final = "final_logits_bias"
"""Bias of BART's output that is always zero, and left out of some folders."""
_UNUSED: Final = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
"""Weights of the published T5 that no version of the network uses."""
_MOST_BYTES: Final = 64 * 2**20
"""Largest file of JSON that is read; arbitrary."""


def read_config(folder: Path, kind: str) -> dict[str, Any]:
    """Return the values of ``config.json``.

    Args:
        folder: that transformers wrote.
        kind: the ``model_type`` that is expected, such as ``bart``.

    Raises:
        BrokenFile: it is not JSON, or not an object.
        MissingData: the folder or the file does not exist.
        UnsupportedFormat: a model of another kind.
    """
    if not folder.is_dir():
        raise MissingData(f"no folder {folder}", "give the folder of a model of transformers")
    config = _read_json(folder, "config.json")
    if (actual := config.get("model_type")) != kind:
        raise UnsupportedFormat(f"{folder} holds a model of type {actual!r}", f"expected {kind!r}")
    return config


def read_subwords(folder: Path) -> Subwords:
    """Return the tokeniser of ``tokenizer.json``.

    Raises:
        BrokenFile: the file is damaged.
        MissingData: the file does not exist.
        UnsupportedFormat: the folder has a tokeniser in another format.
    """
    if not (folder / "tokenizer.json").is_file() and (others := [name for name in _SLOW if (folder / name).is_file()]):
        raise UnsupportedFormat(
            f"{folder} has its tokeniser as {' and '.join(others)}, expected tokenizer.json",
            "write it with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)",
        )
    return Subwords.from_json(_read_text(folder, "tokenizer.json"))


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Return the weights of ``model.safetensors``, or of the shards that its index names.

    Raises:
        BrokenFile: a file is damaged.
        MissingData: there are no weights, or a shard is missing.
        UnsupportedFormat: the weights are pickled.
    """
    if (folder / _WEIGHTS).is_file():
        return _read_tensors(folder / _WEIGHTS)
    if (folder / _SHARDS).is_file():
        names = _read_json(folder, _SHARDS).get("weight_map")
        if not isinstance(names, dict) or any(name != Path(str(name)).name for name in names.values()):
            raise BrokenFile(f"{folder / _SHARDS} does not name files of its folder", "copy the folder again")
        shards = (_read_tensors(folder / name) for name in sorted(set(names.values())))
        return {name: tensor for shard in shards for name, tensor in shard.items()}
    if pickles := sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern)):
        raise UnsupportedFormat(
            f"{folder} has its weights as a pickle ({pickles[0]}), which can run any code; expected {_WEIGHTS}",
            "where you trust it, write it again with transformers: MODEL.from_pretrained(FOLDER).save_pretrained(NEW)",
        )
    raise MissingData(f"{folder} has no {_WEIGHTS}", "copy the folder again")


def fill_network(network: PreTrainedModel, weights: Mapping[str, Tensor], folder: Path) -> None:
    """Give a network the weights of a folder, which may lack copies of the embeddings and zero biases.

    Raises:
        BrokenFile: weights are missing, belong to another network, or have other shapes than the config gives.
    """
    expected = network.state_dict(keep_vars=True)
    if expected.keys().isdisjoint(weights):  # the folder of a network without output names no part "model"
        weights = {f"{network.base_model_prefix}.{name}": tensor for name, tensor in weights.items()}
    values = {name: tensor for name, tensor in weights.items() if name != _UNUSED}
    embedding = network.get_input_embeddings().weight
    copies = [name for name, tensor in expected.items() if tensor is embedding]
    if present := sorted((name for name in copies if name in values), key=_OUTPUT.__eq__):
        shared = values[present[0]]
        if not torch.equal(values.get(_OUTPUT, shared), shared):
            untie_output(network)
        values = {**dict.fromkeys(copies, shared), **values}
    if _ZERO in expected:
        values.setdefault(_ZERO, torch.zeros_like(expected[_ZERO]))
    wrong = [f"{name} missing" for name in expected.keys() - values.keys()]
    wrong += [f"{name} unknown" for name in values.keys() - expected.keys()]
    shapes = {
        name: (tuple(values[name].shape), tuple(expected[name].shape)) for name in expected.keys() & values.keys()
    }
    wrong += [f"{name} {actual} instead of {shape}" for name, (actual, shape) in shapes.items() if actual != shape]
    if wrong:
        message = f"the weights of {folder} do not fit its config: {list_names(sorted(wrong))}"
        raise BrokenFile(message, "copy config.json and the weights of one model")
    network.load_state_dict(values)


def untie_output(network: PreTrainedModel) -> None:
    """Give the output weights of its own."""
    output = network.get_output_embeddings()
    output.weight = nn.Parameter(output.weight.detach().clone())


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except FileNotFoundError as error:
        raise MissingData(f"no file {path}, which the index of the weights names", "copy the folder again") from error
    except (SafetensorError, OSError) as error:
        raise BrokenFile(f"the weights {path} cannot be read: {error}", "copy the file again") from error
    return tensors


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    text = _read_text(folder, name)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{folder / name} is not valid JSON: {error}", "copy the file again") from error
    if not isinstance(value, dict):
        raise BrokenFile(f"{folder / name} is not a JSON object", "copy the file again")
    return value


def _read_text(folder: Path, name: str) -> str:
    path = folder / name
    if not path.is_file():
        raise MissingData(f"{folder} has no {name}", "expected config.json, tokenizer.json and model.safetensors")
    if path.stat().st_size > _MOST_BYTES:
        raise TooLarge(f"{path} has {path.stat().st_size:,} bytes", f"at most {_MOST_BYTES:,} are read")
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{path} is not UTF-8: {error}", "copy the file again") from error
