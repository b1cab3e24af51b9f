"""State of a training: optimisers, checkpoints as safetensors and JSON, and memory that batches leave."""

import ctypes
import functools
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from keywright.core.errors import BrokenFile
from keywright.neural.models.generator import copy_weights, load_weights
from keywright.neural.training.recipe import Recipe

_WEIGHTS: Final = "weights.safetensors"
_BEST: Final = "best.safetensors"
_OPTIMISER: Final = "optimiser.safetensors"
_STATE: Final = "state.json"
_RANDOM: Final = "random"
_RANDOM_GPU: Final = "random of the GPU"


def make_optimiser(recipe: Recipe, model: nn.Module) -> Optimizer:
    """Return the optimiser of a recipe for a model's weights."""
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    adam = weights, recipe.learning_rate, recipe.betas, recipe.epsilon
    match recipe.optimiser:
        case "sm3":
            return SM3(weights, recipe.learning_rate)
        case "adafactor":
            return torch.optim.Adafactor(weights, recipe.learning_rate, weight_decay=recipe.weight_decay)
        case "adamw":
            return torch.optim.AdamW(*adam, recipe.weight_decay)
        case "adam":
            return torch.optim.Adam(*adam)


class SM3(Optimizer):
    """Update weights by gradient / sqrt(accumulated squares), with one accumulator per index of each axis.

    SM3-II of Anil, Gupta, Koren and Singer 2019 (Memory-Efficient Adaptive Optimization), without momentum.
    """

    def __init__(self, weights: Iterable[Tensor], lr: float, epsilon: float = 1e-30) -> None:
        super().__init__(weights, {"lr": lr, "epsilon": epsilon})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Make one step."""
        value = None if closure is None else closure()
        for group in self.param_groups:
            for weight in (weight for weight in group["params"] if weight.grad is not None):
                state, gradient, shape = self.state[weight], weight.grad, weight.shape or (1,)
                axes = range(len(shape))
                if not state:
                    state.update({f"axis_{axis}": weight.new_zeros(length) for axis, length in enumerate(shape)})
                # Each accumulator broadcasts along its own axis.
                covers = [state[f"axis_{axis}"].reshape([-1 if each == axis else 1 for each in axes]) for axis in axes]
                sums = functools.reduce(torch.minimum, covers) + gradient.reshape(shape).square()
                for axis in axes:
                    others = [other for other in axes if other != axis]
                    state[f"axis_{axis}"].copy_(sums.amax(others) if others else sums)
                divisor = sums.sqrt().add_(group["epsilon"]).reshape(weight.shape)
                weight.addcdiv_(gradient, divisor, value=-group["lr"])
        return value


@dataclass(slots=True)
class TrainingProgress:
    """How far a training is."""

    recipe: str  # identity of everything that the training depends on; another one cannot go on from here
    steps: int = 0
    halvings: int = 0
    best: float | None = None  # largest value of a validation; None before the first
    best_step: int = 0
    waited: int = 0  # validations since the best one
    seconds: float = 0.0  # spent on steps
    core_seconds: float = 0.0  # processor time of steps
    validations: list[dict[str, float]] = field(default_factory=list)


def save_checkpoint(
    folder: Path, progressed: TrainingProgress, model: nn.Module, best: dict[str, Tensor], optimiser: Optimizer
) -> None:
    """Write a checkpoint; the earlier one is there until the new one is whole."""
    state = optimiser.state_dict()
    moments = {
        f"{number}/{name}": torch.as_tensor(value).contiguous().clone()
        for number, values in state["state"].items()
        for name, value in values.items()
    }
    moments[_RANDOM] = torch.get_rng_state()
    if torch.cuda.is_available():
        moments[_RANDOM_GPU] = torch.cuda.get_rng_state()
    values = {"progress": asdict(progressed), "groups": state["param_groups"]}
    new, old = (folder.with_name(f"{folder.name}.{suffix}") for suffix in ("new", "old"))
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name, tensors in ((_WEIGHTS, copy_weights(model)), (_BEST, best), (_OPTIMISER, moments)):
        save_file(tensors, new / name)
    (new / _STATE).write_text(json.dumps(values), encoding="utf-8")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def load_checkpoint(
    folder: Path, model: nn.Module, optimiser: Optimizer
) -> tuple[TrainingProgress, dict[str, Tensor]] | None:
    """Restore the training; return progress and best weights, None without one. Damaged ones are ``BrokenFile``."""
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
        return TrainingProgress(**values["progress"]), load_file(place / _BEST)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        hint = "remove the folder to train from the beginning"
        raise BrokenFile(f"the checkpoint in {place} cannot be read: {error}", hint) from error


# Parameters of ``mallopt`` (malloc.h): free bytes at the end of the heap to give back, and arrays mapped one by one.
_KEEPING: Final = {-1: 2**31 - 1, -4: 0}  # the largest number that it takes, and nothing mapped
_USUAL: Final = {-1: 128 * 1024, -4: 65_536}  # values of glibc before anybody sets them


def has_bfloat16(device: torch.device) -> bool:
    """Return whether a device multiplies bfloat16; processors that do not take forty times as long for it."""
    # Older versions of torch do not say it.
    tell: Any = getattr(torch.cpu, "get_capabilities", dict)
    return device.type != "cpu" or any(has for name, has in tell().items() if name.endswith("bf16"))


@contextmanager
def keep_freed_memory() -> Iterator[None]:
    """Keep freed memory in the process while the block runs (glibc), which saves a tenth of a training."""
    try:
        for parameter, value in _KEEPING.items():
            _call_library("mallopt", parameter, value)
        yield
    finally:
        for parameter, value in _USUAL.items():
            _call_library("mallopt", parameter, value)
        give_back_freed_memory()


def give_back_freed_memory() -> None:
    """Give freed memory back: batches differ in length, and a process would grow for hours. It takes .1 s."""
    _call_library("malloc_trim", 0)


def _call_library(name: str, *values: int) -> None:
    """Call a function of the C library where it has one of this name: others of Linux than glibc have none."""
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*values)
