"""A generator fitted to examples, in a folder: vocabulary, training, weights and card."""

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from keywright.core.atomic_files import write_whole
from keywright.core.errors import MissingExtra
from keywright.core.version import VERSION
from keywright.neural.model_folder import save_generator
from keywright.neural.models.one2set import One2Set
from keywright.neural.training.curve import read_log, training_curve
from keywright.neural.training.empty_slots import EmptySlots
from keywright.neural.training.examples_folder import TrainingData
from keywright.neural.training.loop import LOG, Step, Training
from keywright.neural.training.options import Objective
from keywright.neural.training.profiles import Profile
from keywright.neural.training.start import fingerprint, new_generator, started_generator

TRAINING: Final = "training"
"""Folder of checkpoint, log and examples inside the folder of the generator."""


def fit_generator(  # noqa: PLR0913 - a training is made of these
    name: str,
    profile: Profile,
    data: TrainingData,
    folder: Path,
    card: Mapping[str, Any],
    *,
    tell: Callable[[Step], None] = lambda _step: None,
    seconds: float | None = None,
    device: str | None = None,
    start: Path | None = None,
) -> dict[str, Any]:
    """Train a generator, or resume its training, and write it into a folder; return its card.

    Args:
        name: of the generator.
        profile: its size and recipe; with ``start`` the recipe only.
        data: what it learns from.
        folder: for the generator.
        card: values that its card has first.
        tell: called with the news.
        seconds: time after which the training stops; None for no limit.
        device: of torch; None takes a GPU if there is one.
        start: folder whose weights the training starts from; None for random ones.

    Raises:
        PartlyDone: the training stopped before its end; the same call resumes it.
    """
    place = folder / TRAINING
    profile.recipe.check_generator(name)
    if start is None:
        model, origin = new_generator(name, profile, data.examples, place, data.fingerprint), ""
    else:
        model = started_generator(name, start, profile.recipe.seed)
        origin = fingerprint(model)
    if isinstance(model, One2Set):
        model.empty_slots = EmptySlots(profile.recipe.reassign_empty, profile.recipe.adaptive_empty)
    model = model.to(torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu")))
    identity = identity_of(name, profile, data.fingerprint + origin)
    training = Training(
        model=model,
        recipe=profile.recipe,
        examples=data.examples,
        validation=data.validation,
        folder=place,
        identity=identity,
        tell=tell,
        seconds=seconds,
    )
    progressed = training.run()
    objective = profile.recipe.objective
    full = {
        **card,
        "generator": name,
        "documents": len(data.examples),
        "validation documents": len(data.validation),
        "preparation": dict(+data.report.counts),
        "profile": profile_record(profile),
        **({} if objective is Objective.KEYPHRASES else {"objective": objective.value}),
        **({"started from": origin} if origin else {}),
        "weights": sum(weight.numel() for weight in model.parameters()),
        "steps": progressed.steps,
        "best step": progressed.best_step,
        "seconds": round(progressed.seconds),
        "validations": progressed.validations,
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "keywright": VERSION,
    }
    save_generator(model, profile.limits, folder, full)
    _plot(place, name)
    training.finish()
    return full


def _plot(folder: Path, name: str) -> None:
    """Draw the log beside it, where matplotlib is installed."""
    with contextlib.suppress(MissingExtra):
        picture = training_curve(read_log(folder / LOG), name)
        write_whole(folder / "curve.svg", picture.svg().encode("utf-8"))


def identity_of(name: str, profile: Profile, data: str) -> str:
    """Return a hash of everything that a training depends on."""
    return hashlib.sha256(json.dumps([name, profile_record(profile), data]).encode()).hexdigest()


def profile_record(profile: Profile) -> dict[str, Any]:
    """Return a profile as JSON values, as cards have it."""
    values = {
        "limits": asdict(profile.limits),
        "words": profile.words,
        "config": dict(profile.config),
        "recipe": profile.recipe.as_json(),
    }
    record: dict[str, Any] = json.loads(json.dumps(values))  # lists for tuples
    return record
