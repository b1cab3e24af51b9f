"""A generator fitted to labelled documents, in a folder: examples, vocabulary, training, weights and card."""

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import torch

from keywright.core.atomic_files import write_whole
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import EmptyInput, MissingExtra
from keywright.core.version import VERSION
from keywright.neural.data.decontamination import overlapping
from keywright.neural.data.examples import Example, Preparation, Words, examples_of
from keywright.neural.model_folder import save_generator
from keywright.neural.models.one2set import One2Set
from keywright.neural.training.curve import read_log, training_curve
from keywright.neural.training.empty_slots import EmptySlots
from keywright.neural.training.loop import LOG, Step, Training
from keywright.neural.training.profiles import Profile
from keywright.neural.training.start import fingerprint, new_generator, started_generator

TRAINING: Final = "training"
"""Folder of checkpoint and log inside the folder of the generator."""
_VALIDATION_SHARE: Final = 0.05
"""Share of the training data that is used for validation; arbitrary."""
_MOST_VALIDATION: Final = 500
"""Documents of the validation at most; arbitrary."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Examples for training and validation.

    Attributes:
        validation_documents: those of the validation, with their gold.
        report: what was left out or shortened, and how often.
        overlaps: guarded document of each document that was left out, by id.
        fingerprint: SHA-256 over all examples.
    """

    examples: Sequence[Example]
    validation: Sequence[Example]
    validation_documents: Sequence[LabelledDocument[Document]]
    report: Preparation
    overlaps: Mapping[str, str]
    fingerprint: str


def training_data(
    labelled: Collection[LabelledDocument[Document]],
    profile: Profile,
    guarded: Mapping[str, Words],
    validation: Collection[LabelledDocument[Document]] | None = None,
) -> TrainingData:
    """Return the examples of labelled documents, without those that are in a test set.

    Args:
        labelled: documents to learn from; read twice.
        profile: whose limits the examples have.
        guarded: words of each document of the test sets, by name.
        validation: labelled documents for validation; a part of the others when None.

    Raises:
        EmptyInput: no example is left.
    """
    report = Preparation()
    every = list(examples_of(labelled, profile.limits, report))
    overlaps = overlapping(every, guarded)
    report.counts["documents that are in a test set"] = len(overlaps)
    clean = [example for example in every if example.id not in overlaps]
    if validation is None:
        examples, held_out = _split(clean)
    else:
        examples, held_out = clean, list(examples_of(validation, profile.limits))
    if not examples or not held_out:
        hint = "expected documents with text and keyphrases"
        raise EmptyInput(f"nothing to learn from: {report}" if len(labelled) else "there are no documents", hint)
    ids = {example.id for example in held_out}
    documents = [each for each in (labelled if validation is None else validation) if each.id in ids]
    digest = hashlib.sha256(repr((examples, held_out)).encode("utf-8", "surrogatepass")).hexdigest()
    return TrainingData(examples, held_out, documents, report, overlaps, digest)


def _split(examples: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """Return examples for training and validation, chosen by the hashes of their ids; one has all if it is alone."""
    count = min(_MOST_VALIDATION, max(1, round(_VALIDATION_SHARE * len(examples))))
    ordered = sorted(examples, key=lambda example: hashlib.sha256(example.id.encode("utf-8", "replace")).digest())
    held_out = {example.id for example in ordered[:count]}
    training = [example for example in examples if example.id not in held_out]
    return training or list(examples), ordered[:count]


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
    full = {
        **card,
        "generator": name,
        "documents": len(data.examples),
        "validation documents": len(data.validation),
        "preparation": dict(+data.report.counts),
        "profile": profile_record(profile),
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
