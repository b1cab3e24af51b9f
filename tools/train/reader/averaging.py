"""The mean weights of several trainings, which serve at the cost of one.

Wortsman et al., "Model soups", ICML 2022: fine-tunings with one start lie so near that their mean is no worse than they
are, and often better, as an ensemble is.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor


def averaged(files: Sequence[Path], target: Path) -> Mapping[str, Tensor]:
    """Return the mean weights of trainings, and keep them in a file with their recipe and seeds."""
    states = [torch.load(file, weights_only=True) for file in files]
    recipes = [{**state["recipe"], "seed": None} for state in states]
    if any(recipe != recipes[0] for recipe in recipes):
        raise SystemExit(f"{', '.join(file.name for file in files)} differ in more than the seed")
    mean = {name: torch.stack([state["reader"][name] for state in states]).mean(0) for name in states[0]["reader"]}
    recipe: dict[str, Any] = {**recipes[0], "seed": [state["recipe"]["seed"] for state in states]}
    torch.save({"reader": mean, "recipe": recipe}, target)
    return mean
