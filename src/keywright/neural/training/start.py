"""The generator that a training starts from: new, or with the weights of a folder."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import torch

from keywright.core.atomic_files import write_whole
from keywright.core.errors import BadParameter
from keywright.neural.data.examples import Example
from keywright.neural.model_folder import load_generator
from keywright.neural.models.catalogue import Files, kind_of
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.training.profiles import Profile
from keywright.neural.weights import load_weights, weights_of

_FILES: Final = "start.json"
"""Vocabulary or tokeniser of an unfinished training, and what it was learned from."""


def new_generator(
    name: str, profile: Profile, examples: Sequence[Example], folder: Path, data: str
) -> KeyphraseGenerator:
    """Return a generator with random weights, whose vocabulary or tokeniser is learned from examples.

    The vocabulary is kept in the folder and used again when the training is resumed: tokenisers may break ties in
    another way the next time.

    Args:
        name: of the generator.
        profile: its size and seed.
        examples: to learn the vocabulary from.
        folder: of the training.
        data: identity of the examples.
    """
    kind = kind_of(name)
    identity = json.dumps([name, profile.words, data])
    files = _kept(folder / _FILES, identity, lambda: kind.files(examples, profile.words))
    torch.manual_seed(profile.recipe.seed)
    return kind.make(profile.config, files)


def _kept(file: Path, identity: str, make: Callable[[], Files]) -> Files:
    """Return texts that were kept for this identity, or make and keep them."""
    if file.is_file():
        values = json.loads(file.read_text(encoding="utf-8"))
        if values["identity"] == identity:
            return dict(values["files"])
    files = make()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps({"identity": identity, "files": dict(files)}).encode("utf-8"))
    return files


def started_generator(name: str, start: Path, seed: int) -> KeyphraseGenerator:
    """Return a generator with the weights of a folder; random ones where the folder has none.

    A folder that ``keywright train`` wrote may hold the same kind of generator, or one with the same network:
    ``one2set`` can start from ``one2seq``. BART and T5 also start from a folder of the library transformers.

    Raises:
        BadParameter: the folder holds another kind of generator.
        BrokenFile, MissingData, UnsupportedFormat: the folder cannot be read.
    """
    kind = kind_of(name)
    torch.manual_seed(seed)
    source, _, _ = load_generator(start)
    source.train()
    if source.name == name:
        return source
    if {source.name, name} != {"one2seq", "one2set"}:
        raise BadParameter(f"{name} cannot start from {source.name}", f"expected a folder of {name}")
    config = {key: value for key, value in source.config().items() if key != "slots"}
    model = kind.make(config, source.files())
    shared = weights_of(source)
    load_weights(model, {key: shared.get(key, weight) for key, weight in weights_of(model).items()})
    return model


def fingerprint(model: KeyphraseGenerator) -> str:
    """Return a SHA-256 over the weights."""
    digest = hashlib.sha256()
    for name, weight in sorted(weights_of(model).items()):
        digest.update(name.encode())
        digest.update(weight.contiguous().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
