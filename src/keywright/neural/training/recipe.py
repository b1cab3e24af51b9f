"""Recipes: optimiser, schedule, length and validation of a training."""

import enum
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import torch
from torch import nn

from keywright.core.errors import BadParameter
from keywright.core.parameters import changed
from keywright.neural.training.options import OPTIONS, Objective, TrainingOptions
from keywright.neural.training.sm3 import SM3

RECIPE_PAGE: Final = "docs/how-to/train-a-generator.md"
"""Page with the names of all values."""


class Optimiser(enum.StrEnum):
    """Adam (Kingma and Ba 2015), AdamW (Loshchilov and Hutter 2019), SM3 (Anil et al. 2019), or Adafactor.

    The steps of Adafactor (Shazeer and Stern 2018) are relative to the size of the weights, as T5 needs it, whose
    embeddings begin a hundred times larger than its queries.
    """

    ADAM = "adam"
    ADAMW = "adamw"
    SM3 = "sm3"
    ADAFACTOR = "adafactor"


class Schedule(enum.StrEnum):
    """Learning rate after the warm-up.

    Halved whenever a validation is not better; falling to 0 along a line or a cosine; or constant.
    """

    HALVING = "halving"
    LINEAR = "linear"
    COSINE = "cosine"
    CONSTANT = "constant"


class ChosenBy(enum.StrEnum):
    """Measure by which the best weights are chosen."""

    F1 = "present/F@M"
    LOSS = "loss"

    def better(self, values: Mapping[str, float], best: float | None) -> float | None:
        """Return a validation's value, higher is better, if it is better than the best so far."""
        value = -values[self.value] if self is ChosenBy.LOSS else values[self.value]
        return value if best is None or value > best else None


@dataclass(frozen=True, slots=True)
class Recipe(TrainingOptions):
    """How a generator is trained; the options have names only.

    Attributes:
        batch: documents of a step.
        steps: number of steps at most.
        optimiser: rule of the updates.
        learning_rate: largest learning rate.
        betas: decay of Adam's means.
        epsilon: added to Adam's divisor.
        weight_decay: of AdamW.
        warmup: steps in which the learning rate grows to its largest.
        warmup_power: the rate grows with this power of the step.
        schedule: learning rate after the warm-up.
        clip: largest norm of the gradient.
        validate_every: steps between validations.
        chosen_by: measure by which a validation is better than another: F1 of the whole list of present keyphrases,
            or the loss.
        patience: validations without a better one after which training ends.
        mixed_precision: whether products are computed in bfloat16.
        seed: of the weights, the order of the documents, and dropout.
    """

    batch: int = 12
    steps: int = 800_000
    optimiser: Optimiser = Optimiser.ADAM
    learning_rate: float = 1e-4
    betas: tuple[float, float] = (0.9, 0.998)
    epsilon: float = 1e-9
    weight_decay: float = 0.0
    warmup: int = 0
    warmup_power: float = 1.0
    schedule: Schedule = Schedule.HALVING
    clip: float = 1.0
    validate_every: int = 8_000
    chosen_by: ChosenBy = ChosenBy.LOSS
    patience: int = 4
    mixed_precision: bool = False
    seed: int = 27

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name in ("batch", "steps", "validate_every", "patience"):
            if getattr(self, name) < 1:
                raise BadParameter(f"{name} {getattr(self, name)}", "expected a number from 1")
        if not 0 < self.learning_rate < math.inf or self.clip <= 0 or self.warmup < 0:
            message = f"learning_rate {self.learning_rate:g}, clip {self.clip:g}, warmup {self.warmup}"
            raise BadParameter(message, "expected numbers above 0")
        self.check_options()
        if self.objective is Objective.DENOISING and self.chosen_by is not ChosenBy.LOSS:
            message = f"weights chosen by {self.chosen_by} with objective denoising, which has no keyphrases"
            raise BadParameter(message, "leave out chosen_by: they are chosen by the loss")

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """Return the recipe with some values replaced; denoising chooses weights by the loss.

        Raises:
            BadParameter: there is no such value, or it has another type or range.
        """
        denoising = values.get("objective") == Objective.DENOISING
        return changed(self, {**({"chosen_by": ChosenBy.LOSS} if denoising else {}), **values}, "recipe", RECIPE_PAGE)

    def as_json(self) -> dict[str, Any]:
        """Return the values by name, without the options that have their defaults.

        Checkpoints are known by these values: an option that does not change a training leaves its own resumable.
        """
        options = self.changed_options()
        return {name: value for name, value in asdict(self).items() if name not in OPTIONS or name in options}

    def optimiser_of(self, model: nn.Module) -> torch.optim.Optimizer:
        """Return the optimiser for a model's weights."""
        weights = [weight for weight in model.parameters() if weight.requires_grad]
        if self.optimiser == Optimiser.SM3:
            return SM3(weights, self.learning_rate)
        if self.optimiser == Optimiser.ADAFACTOR:
            return torch.optim.Adafactor(weights, self.learning_rate, weight_decay=self.weight_decay)
        if self.optimiser == Optimiser.ADAMW:
            return torch.optim.AdamW(weights, self.learning_rate, self.betas, self.epsilon, self.weight_decay)
        return torch.optim.Adam(weights, self.learning_rate, self.betas, self.epsilon)

    def rate(self, step: int, halvings: int = 0) -> float:
        """Return the learning rate of a step, from 0, after some halvings."""
        growth = min(1.0, ((step + 1) / self.warmup) ** self.warmup_power) if self.warmup else 1.0
        left = 1 - min(1.0, max(0, step - self.warmup) / max(1, self.steps - self.warmup))
        match self.schedule:
            case Schedule.HALVING:
                factor = max(0.5**halvings, _SMALLEST_SHARE)
            case Schedule.LINEAR:
                factor = left
            case Schedule.COSINE:
                factor = (1 - math.cos(math.pi * left)) / 2
            case Schedule.CONSTANT:
                factor = 1.0
        return self.learning_rate * growth * factor


_SMALLEST_SHARE: Final = 0.01
"""Least share of the learning rate that halvings leave: Chen et al. 2020 stop at 1e-5 of 1e-3."""
