"""Trained generators on disk: weights (safetensors or ONNX), JSON and a card with hashes; loading runs no code."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from keywright.core.atomic_files import check_folder, check_replaceable, write_whole
from keywright.core.errors import BadParameter, BrokenFile, MissingData, TooLarge, needs_extra
from keywright.core.json_values import parse_file
from keywright.neural.data.examples import Limits

if TYPE_CHECKING:
    from keywright.neural.models.generator import KeyphraseGenerator

Values: TypeAlias = Mapping[str, Any]  # values of a file of JSON
WEIGHTS: Final = "model.safetensors"
ENCODER: Final = "encoder.onnx"
STEP: Final = "step.onnx"
CONFIG: Final = "config.json"
CARD: Final = "card.json"
CALIBRATOR: Final = "calibrator.json"
"""Calibrator of the generator's phrases, fitted on the documents of the validation."""
TRAINING: Final = "training"  # folder of checkpoint, log and examples inside the folder of the generator
CHECKPOINT: Final = Path(TRAINING, "checkpoint")  # stays until the calibrator is there
_FORMAT: Final = 1  # version of the layout of the folder
_WHOLE: Final = (frozenset({CONFIG, WEIGHTS}), frozenset({CONFIG, ENCODER, STEP}))
"""Files of a trained, and of an exported generator."""
_PICKLES: Final = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib"})
"""Endings of files that would run code when loaded."""
_TRANSFORMERS: Final = frozenset({"bart", "t5"})
"""Kinds of models of the library transformers that generate keyphrases here."""
_LARGEST_TEXT: Final = 100_000_000  # largest size of a JSON file in bytes; arbitrary, far above any vocabulary
LARGEST_GRAPH: Final = 2**31
"""Largest size of a file of ONNX that has its weights in it, in bytes: the limit of protocol buffers."""
AGAIN: Final = "copy the folder again, or train the generator again"


def save_generator(model: "KeyphraseGenerator", limits: Limits, folder: Path, card: Mapping[str, Any]) -> None:
    """Write a generator into a folder; the card is written last and gains the hashes of the files."""
    from safetensors.torch import save  # noqa: PLC0415 - heavy

    from keywright.neural.models.generator import copy_weights  # noqa: PLC0415 - heavy

    values = {"generator": model.name, "limits": asdict(limits), "config": model.config()}
    write_generator(folder, values, model.files(), {WEIGHTS: save(copy_weights(model), {"format": "pt"})}, card)


def write_generator(
    folder: Path, config: Values, texts: Mapping[str, str], weights: Mapping[str, bytes], card: Values
) -> dict[str, Any]:
    """Write the files of a generator; return its card, which is written last and gains the hashes of the others."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {name: text.encode("utf-8") for name, text in texts.items()}
    contents |= {CONFIG: _encode_json({"format": _FORMAT, **config}), **weights}
    return _write_files(folder, contents, {**card, "sha256": {}})


def _write_files(folder: Path, contents: Mapping[str, bytes], card: Mapping[str, Any]) -> dict[str, Any]:
    """Write files, and last the card with their hashes; return it."""
    for name, content in contents.items():
        write_whole(folder / name, content)
    hashes = {**card["sha256"], **{name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}}
    full = {**card, "sha256": dict(sorted(hashes.items()))}
    write_whole(folder / CARD, _encode_json(full))
    return full


def add_file(folder: Path, name: str, content: bytes, values: Mapping[str, Any]) -> dict[str, Any]:
    """Add a file to a generator's folder, and values to its card; return the card."""
    card = read_generator_card(folder)
    return _write_files(folder, {name: content}, {**card, **values, "sha256": card["sha256"]})


def _encode_json(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def is_generator(folder: Path) -> bool:
    """Return whether a folder holds a generator, damaged or not, or a model of transformers that generates."""
    if not (folder / CONFIG).is_file():
        return False
    values = _read_config(folder)
    return values is None or "generator" in values or find_transformers_type(folder) is not None


def find_transformers_type(folder: Path) -> str | None:
    """Return the name of the generator for a folder of the library transformers; None for other folders."""
    kind = None if (folder / CARD).is_file() else (_read_config(folder) or {}).get("model_type")
    return kind if isinstance(kind, str) and kind in _TRANSFORMERS else None


def holds_encoder(folder: Path) -> bool:
    """Return whether a folder of the library transformers holds an encoder of BERT, which BART can start from."""
    return (_read_config(folder) or {}).get("model_type") == "bert"


def _read_config(folder: Path) -> dict[str, Any] | None:
    """Return the values of a folder's config; None if it cannot be read, which loading reports."""
    try:
        values = json.loads((folder / CONFIG).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def load_generator(folder: Path) -> tuple["KeyphraseGenerator", Limits, dict[str, Any]]:
    """Return the generator of a folder, its limits and its card.

    Raises BadParameter: it is an exported one; MissingData: there is none; MissingExtra: ``neural`` is not installed;
    BrokenFile: a file is damaged, missing, or does not fit, or one could run code.
    """
    if (name := find_transformers_type(folder)) is not None:
        with needs_extra("neural", "generators need torch and transformers"):
            from keywright.neural.models.bart_t5 import KINDS, read_folder  # noqa: PLC0415 - heavy
        return read_folder(KINDS[name], folder).eval(), Limits(), read_generator_card(folder)
    if is_exported(folder):
        raise BadParameter(f"{folder} holds an exported generator", "name the folder that it was exported from")
    card = read_generator_card(folder)
    contents = read_checked_files(folder, card)
    values, weights = parse_file(contents.pop(CONFIG), folder / CONFIG, AGAIN), contents.pop(WEIGHTS)
    texts = {name: content.decode("utf-8") for name, content in contents.items()}
    with needs_extra("neural", "generators need torch"):
        from safetensors import SafetensorError  # noqa: PLC0415 - heavy
        from safetensors.torch import load  # noqa: PLC0415 - heavy

        from keywright.neural.models.generator import find_generator, load_weights  # noqa: PLC0415 - heavy
    try:
        limits = Limits(**values["limits"])
        model = find_generator(values["generator"]).from_config(values["config"], texts)
        load_weights(model, load(weights))
    except (KeyError, TypeError, ValueError, RuntimeError, SafetensorError) as error:
        message = f"config and weights in {folder} do not fit: {error}"
        raise BrokenFile(f"{message:.300}", AGAIN) from error
    return model.eval(), limits, card


def read_generator_card(folder: Path) -> dict[str, Any]:
    """Return the card of a generator; of a model of transformers its kind and the hash of its weights.

    Raises MissingData: there is no generator; BrokenFile: the card is damaged, or a file could run code.
    """
    if (name := find_transformers_type(folder)) is not None:
        digest = hashlib.sha256()
        for path in sorted(folder.glob("*.safetensors")):
            digest.update(path.read_bytes())
        return {"generator": name, "sha256": {WEIGHTS: digest.hexdigest()}}
    check_generator_folder(folder)
    if not (folder / CARD).is_file():
        raise BrokenFile(f"{folder / CARD} is missing", AGAIN)
    card = parse_file((folder / CARD).read_bytes(), folder / CARD, AGAIN)
    _read_hashes(card, folder)
    return card


def is_exported(folder: Path) -> bool:
    """Return whether the generator of a folder is an exported one, which runs without torch."""
    return find_transformers_type(folder) is None and ENCODER in read_generator_card(folder)["sha256"]


def hash_weights(card: Mapping[str, Any]) -> str:
    """Return the hash of the weights that a card describes; of two files the hash of their hashes."""
    hashes = card["sha256"]
    if WEIGHTS in hashes:
        return str(hashes[WEIGHTS])
    return hashlib.sha256(f"{hashes[ENCODER]} {hashes[STEP]}".encode()).hexdigest()


def check_generator_folder(folder: Path) -> None:
    """Check that a folder has a generator, and no file that could run code."""
    check_folder(folder)
    if not is_generator(folder):
        raise MissingData(f"no trained generator in {folder}", "`keywright train one2seq DATASET -o DIR` makes one")
    pickles = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in _PICKLES)
    if pickles:
        message = f"{folder} has {pickles[0]}, a kind of file that can run code when it is loaded"
        raise BrokenFile(message, "only safetensors and JSON are read: remove the file if it is not needed")


def read_checked_files(folder: Path, card: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the contents of the files that the card names, checked by their hashes.

    Raises BrokenFile: a file is missing, or another than the card describes; TooLarge: a file is above its limit.
    """
    contents = {}
    for name, expected in _read_hashes(card, folder).items():
        path = folder / name
        if path.parent != folder or not path.is_file():
            raise BrokenFile(f"{path} is missing", AGAIN)
        largest = LARGEST_GRAPH if name in {ENCODER, STEP} else _LARGEST_TEXT
        if name != WEIGHTS and path.stat().st_size > largest:
            raise TooLarge(f"{path} has {path.stat().st_size:,} bytes", f"expected at most {largest:,}")
        contents[name] = path.read_bytes()
        if hashlib.sha256(contents[name]).hexdigest() != expected:
            raise BrokenFile(f"{path} is not the file that its card describes", AGAIN)
    return contents


def _read_hashes(card: Mapping[str, Any], folder: Path) -> dict[str, str]:
    hashes = card.get("sha256")
    if not isinstance(hashes, dict) or not any(whole <= hashes.keys() for whole in _WHOLE):
        raise BrokenFile(f"{folder / CARD} does not name the files of a generator", AGAIN)
    return hashes


def check_new(folder: Path, *, force: bool) -> None:
    """Check that a generator can be trained in a folder without losing files; ``force`` replaces a finished one."""
    check_folder(folder)
    if not folder.is_dir() or (folder / CHECKPOINT).exists():
        return
    if all(path.name == TRAINING and path.is_dir() for path in folder.iterdir()):
        return
    check_replaceable(folder, "a generator", is_generator, force=force)


def check_export_place(folder: Path, source: Path, *, force: bool) -> None:
    """Check that a generator can be exported into a folder: a new one, an empty one, or, with ``force``, an export."""
    if folder.is_dir() and folder.resolve() == source.resolve():
        raise BadParameter(f"{folder} holds the generator itself", "name a new folder, or an empty one")
    check_replaceable(folder, "an exported generator", lambda at: is_generator(at) and is_exported(at), force=force)


def remove_generator(folder: Path) -> None:
    """Remove the files that a generator's card names, if there is one in the folder."""
    if (folder / CARD).is_file():
        hashes = read_generator_card(folder)["sha256"]
        # The card goes first: without it, what an interruption leaves behind is not taken for a whole generator.
        for name in (CARD, *hashes):
            (folder / Path(name).name).unlink(missing_ok=True)
