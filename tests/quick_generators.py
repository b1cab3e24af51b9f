"""Small generators that have read a few labelled documents some dozen times, and documents for them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import torch

from keywright.core.documents import Document, LabelledDocument
from keywright.neural.data.examples import make_examples
from keywright.neural.model_folder import save_generator
from keywright.neural.models.generator import find_generator
from keywright.neural.training.recipe import find_profile

SUBJECTS: Final = ("soil moisture", "tidal energy", "graph colouring", "speech coding", "urban noise", "lake ice")
SIZES: Final[Mapping[str, Mapping[str, Any]]] = {
    "one2seq": {"layers": 1},
    "one2set": {"layers": 1, "slots": {"count": 6, "undo_null_weights": True}},
    "exhird": {"hidden": 64, "layers": 1},
    "bart": {"layers": 1},
    "t5": {"layers": 1},
}
"""Smaller than ``tiny``, because the time of a training and of an export grows with the layers."""
_STEPS: Final = 60  # enough to write words instead of marks


def write_corpus(file: Path) -> Path:
    """Write 24 labelled documents; a second keyphrase is chance, so that no generator is always right."""
    records = []
    for number in range(24):
        subject = SUBJECTS[number % 6]
        abstract = f"We study {subject} at a site."
        phrases = [subject, "field survey"] if number < 15 else [subject]
        records.append(
            {"id": f"d{number}", "title": f"A report on {subject}", "abstract": abstract, "keyphrases": phrases}
        )
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def save_quick_generator(name: str, labelled: Sequence[LabelledDocument[Document]], folder: Path) -> None:
    """Write a generator that has learned, in a second, to write some words of the documents."""
    torch.manual_seed(1)
    profile = find_profile(name, "tiny")
    examples = list(make_examples(labelled, profile.limits))
    kind = find_generator(name)
    model = kind.from_config({**profile.config, **SIZES[name]}, kind.files_from(examples, profile.words))
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(_STEPS):
        loss = model.loss(examples)
        (loss.total / loss.tokens).backward()
        optimiser.step()
        optimiser.zero_grad()
    save_generator(model, profile.limits, folder, {"generator": name})
