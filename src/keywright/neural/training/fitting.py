"""A generator fitted to examples, in a folder: its start, training, weights, card, and a plot of the log."""

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from keywright.core import VERSION
from keywright.core.atomic_files import write_whole
from keywright.core.errors import BadParameter, MissingExtra
from keywright.core.pages import LINES, SHADES, Picture, open_figure
from keywright.neural.data.examples import Example
from keywright.neural.model_folder import TRAINING, holds_encoder, load_generator, save_generator
from keywright.neural.models.generator import KeyphraseGenerator, copy_weights, find_generator, load_weights
from keywright.neural.models.one2set import One2Set
from keywright.neural.training.example_sources import TrainingData
from keywright.neural.training.loop import LOG, Step, Training
from keywright.neural.training.recipe import Profile

_START_FILES: Final = "start.json"  # Vocabulary or tokeniser of an unfinished training, and what it was learned from
_HEIGHT: Final = 2.8  # height of the figure in inches; arbitrary
_F1: Final = (("present/F@M", "present, whole list"), ("absent/F@M", "absent, whole list"))


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
    """Train a generator, or resume its training, and write it into a folder beside its checkpoint; return its card.

    ``card``: its first values; ``profile``: its size and recipe, with ``start``, the folder that its weights come from,
    the recipe only; ``tell`` is called with the news; ``seconds``: time after which the training stops, which is a
    ``PartlyDone``, and the same call resumes it; ``device``: of torch, None takes a GPU if there is one.
    """
    place, recipe = folder / TRAINING, profile.recipe
    recipe.check_generator(name)
    if start is None:
        model, origin = make_new_generator(name, profile, data.examples, place, data.fingerprint), ""
    else:
        model = load_start(name, start, profile)
        digest = hashlib.sha256()
        for weight_name, weight in sorted(copy_weights(model).items()):
            digest.update(weight_name.encode())
            digest.update(weight.contiguous().view(torch.uint8).numpy().tobytes())
        origin = digest.hexdigest()
    if isinstance(model, One2Set):
        model.reassign_empty, model.adaptive_empty = recipe.reassign_empty, recipe.adaptive_empty
    model = model.to(torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu")))
    identity = hash_identity(name, profile, data.fingerprint + origin)
    training = Training(model, recipe, data.examples, data.validation, place, identity, tell, seconds)
    progressed = training.run()
    full = {
        **card,
        "generator": name,
        "documents": len(data.examples),
        "validation documents": len(data.validation),
        "preparation": dict(+data.report.counts),
        "profile": describe_profile(profile),
        **({} if recipe.objective == "keyphrases" else {"objective": recipe.objective}),
        **({"started from": origin} if origin else {}),
        "weights": sum(weight.numel() for weight in model.parameters()),
        "precision": "bfloat16" if training.is_mixed else "float32",
        "steps": progressed.steps,
        "best step": progressed.best_step,
        "seconds": round(progressed.seconds),
        "core seconds": round(progressed.core_seconds),
        "validations": progressed.validations,
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "keywright": VERSION,
    }
    save_generator(model, profile.limits, folder, full)
    with contextlib.suppress(MissingExtra):  # without matplotlib there is no plot
        log = [json.loads(line) for line in (place / LOG).read_text(encoding="utf-8").splitlines()]
        write_whole(place / "curve.svg", draw_curve(log, name).svg().encode("utf-8"))
    return full


def hash_identity(name: str, profile: Profile, data: str) -> str:
    """Return a hash of everything that a training depends on."""
    return hashlib.sha256(json.dumps([name, describe_profile(profile), data]).encode()).hexdigest()


def describe_profile(profile: Profile) -> dict[str, Any]:
    """Return a profile as JSON values, as cards have it."""
    parts = {"limits": asdict(profile.limits), "words": profile.words, "config": dict(profile.config)}
    record: dict[str, Any] = json.loads(json.dumps({**parts, "recipe": profile.recipe.as_json()}))  # lists for tuples
    return record


def make_new_generator(
    name: str, profile: Profile, examples: Sequence[Example], folder: Path, data: str
) -> KeyphraseGenerator:
    """Return a generator with random weights, and a vocabulary learned once for the identity ``data``."""
    kind, file = find_generator(name), folder / _START_FILES
    identity = json.dumps([name, profile.words, data])
    stored = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if stored.get("identity") != identity:
        stored = {"identity": identity, "files": kind.files_from(examples, profile.words)}
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(stored).encode("utf-8"))
    torch.manual_seed(profile.recipe.seed)
    return kind.from_config({**profile.config, **profile.recipe.network_values()}, stored["files"])


def load_start(name: str, start: Path, profile: Profile) -> KeyphraseGenerator:
    """Return a generator with the weights of a folder; random ones where the folder has none.

    It may hold the same kind of generator, or one with the same network (``one2set`` from ``one2seq``), BART and T5 by
    transformers, or for BART an encoder of BERT, beside a decoder with the layers of the profile; parts that options of
    the recipe add are random. Raises BadParameter: another kind; BrokenFile, MissingData, UnsupportedFormat: it cannot
    be read.
    """
    recipe = profile.recipe
    torch.manual_seed(recipe.seed)
    if not holds_encoder(start):
        source, _, _ = load_generator(start)
    elif name == "bart":
        from keywright.neural.models.bart_t5 import read_encoder  # noqa: PLC0415 - heavy

        source = read_encoder(start, profile.config)
    else:
        raise BadParameter(f"{name} cannot start from an encoder of BERT", f"expected a folder of {name}, or bart")
    source.train()
    if source.name != name and {source.name, name} != {"one2seq", "one2set"}:
        raise BadParameter(f"{name} cannot start from {source.name}", f"expected a folder of {name}")
    config = {**source.config(), **recipe.network_values()}
    if source.name == name and config == source.config():
        return source
    if source.name != name:
        config.pop("slots", None)
    model, shared = find_generator(name).from_config(config, source.files()), copy_weights(source)
    load_weights(model, {key: shared.get(key, weight) for key, weight in copy_weights(model).items()})
    return model


def draw_curve(lines: Sequence[Mapping[str, Any]], name: str) -> Picture:
    """Draw the loss of a target word over the steps of a log, beside it F1 of the validations if they have it."""
    steps = [line for line in lines if "loss" in line]
    validated = {line["step"]: line["validation"] for line in lines if "validation" in line}
    has_scores = all(_F1[0][0] in values for values in validated.values())
    with open_figure(_HEIGHT, columns=1 + has_scores) as (drawn, panels):
        losses, *others = panels if has_scores else (panels,)
        losses.plot([line["step"] for line in steps], [line["loss"] for line in steps], LINES[0], color=SHADES[1])
        losses.plot(list(validated), [values["loss"] for values in validated.values()], "o-", color=SHADES[0])
        losses.set_ylabel("loss of a word (○ validation)")
        for scores in others:
            for style, (measure, label) in zip(LINES, _F1, strict=False):
                values = [each[measure] for each in validated.values()]
                scores.plot(list(validated), values, f"o{style}", color=SHADES[0], label=label)
            scores.set_ylabel("F1 of the validation")
            scores.legend(frameon=False)
        for axes in (losses, *others):
            axes.set_xlabel("steps")
            axes.set_ylim(bottom=0)
    return Picture(f"Training of {name}", "training", drawn)
