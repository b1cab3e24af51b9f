"""Small generators that have read a few labelled documents some dozen times."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from keywright.core.documents import Document, LabelledDocument
from keywright.neural.data.examples import make_examples
from keywright.neural.model_folder import save_generator
from keywright.neural.models.catalogue import kind_of
from keywright.neural.training.recipe import ProfileName, find_profile

_STEPS = 60
"""Enough to write words instead of marks."""


def save_quick_generator(
    name: str, labelled: Sequence[LabelledDocument[Document]], folder: Path, **config: Any
) -> None:
    """Write a generator of the size ``tiny`` that has learned, in a second, to write some of their words.

    ``config`` replaces values of the size.
    """
    torch.manual_seed(1)
    profile = find_profile(name, ProfileName.TINY)
    examples = list(make_examples(labelled, profile.limits))
    kind = kind_of(name)
    model = kind.make({**profile.config, **config}, kind.files(examples, profile.words))
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(_STEPS):
        loss = model.loss(examples)
        (loss.total / loss.tokens).backward()
        optimiser.step()
        optimiser.zero_grad()
    save_generator(model, profile.limits, folder, {"generator": name})
