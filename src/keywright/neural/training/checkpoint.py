"""Checkpoints: all that a training needs to go on exactly where it stopped, as safetensors and JSON."""

import json
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from keywright.core.errors import BrokenFile
from keywright.neural.weights import load_weights, weights_of

_WEIGHTS: Final = "weights.safetensors"
_BEST: Final = "best.safetensors"
_OPTIMISER: Final = "optimiser.safetensors"
_STATE: Final = "state.json"
_RANDOM: Final = "random"
_RANDOM_GPU: Final = "random of the GPU"


@dataclass(slots=True)
class Progressed:
    """How far a training is.

    Attributes:
        recipe: identity of everything that the training depends on; another one cannot go on from here.
        steps: steps made.
        halvings: how often the learning rate was halved.
        best: largest value of a validation; None before the first.
        best_step: steps made by then.
        waited: validations since the best one.
        seconds: time spent on steps.
    """

    recipe: str
    steps: int = 0
    halvings: int = 0
    best: float | None = None
    best_step: int = 0
    waited: int = 0
    seconds: float = 0.0
    validations: list[dict[str, float]] = field(default_factory=list)


def save_checkpoint(
    folder: Path, progressed: Progressed, model: nn.Module, best: dict[str, Tensor], optimiser: torch.optim.Optimizer
) -> None:
    """Write a checkpoint; the earlier one is there until the new one is whole."""
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    state = optimiser.state_dict()
    moments = {
        f"{number}/{name}": torch.as_tensor(value).contiguous().clone()
        for number, values in state["state"].items()
        for name, value in values.items()
    }
    random = {_RANDOM: torch.get_rng_state()}
    if torch.cuda.is_available():
        random[_RANDOM_GPU] = torch.cuda.get_rng_state()
    save_file(weights_of(model), new / _WEIGHTS)
    save_file(best, new / _BEST)
    save_file(moments | random, new / _OPTIMISER)
    values = {"progress": asdict(progressed), "groups": state["param_groups"]}
    (new / _STATE).write_text(json.dumps(values), encoding="utf-8")
    old = folder.with_name(f"{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def load_checkpoint(
    folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer
) -> tuple[Progressed, dict[str, Tensor]] | None:
    """Restore weights, optimiser and random numbers; return the progress and the best weights, None without one.

    Raises:
        BrokenFile: a file is damaged or does not fit the model.
    """
    place = next((each for each in (folder, folder.with_name(f"{folder.name}.old")) if (each / _STATE).is_file()), None)
    if place is None:
        return None
    try:
        values: dict[str, Any] = json.loads((place / _STATE).read_text(encoding="utf-8"))
        load_weights(model, load_file(place / _WEIGHTS))
        saved = load_file(place / _OPTIMISER)
        torch.set_rng_state(saved.pop(_RANDOM))
        if (gpu := saved.pop(_RANDOM_GPU, None)) is not None and torch.cuda.is_available():
            torch.cuda.set_rng_state(gpu)
        moments: dict[int, dict[str, Tensor]] = {}
        for name, value in saved.items():
            number, _, key = name.partition("/")
            moments.setdefault(int(number), {})[key] = value
        optimiser.load_state_dict({"state": moments, "param_groups": values["groups"]})
        return Progressed(**values["progress"]), load_file(place / _BEST)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        hint = "remove the folder to train from the beginning"
        raise BrokenFile(f"the checkpoint in {place} cannot be read: {error}", hint) from error
