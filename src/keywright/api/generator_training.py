"""Training of neural generators: data, profile and folder become a trained generator."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

from keywright.api.generator_calibration import GeneratorCalibration
from keywright.api.inputs import data_of
from keywright.api.training_texts import learnable, text_place
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.extras import needs_extra
from keywright.core.parameters import parsed
from keywright.core.predictions import Failure
from keywright.datasets.collection import DataSet
from keywright.neural.model_folder import check_new, read_generator_card
from keywright.neural.systems.generator_system import GeneratorSystem, TrainedWeights


@dataclass(frozen=True, slots=True)
class TrainedGenerator:
    """A trained generator.

    Attributes:
        system: the generator as a system.
        card: its data, profile, validations and hashes.
        notes: what was left out of the data, for people.
        failures: unlabelled documents that could not be read.
    """

    system: GeneratorSystem
    card: dict[str, Any]
    notes: tuple[str, ...]
    failures: tuple[Failure, ...] = ()


def is_generator(system: object) -> "TypeGuard[GeneratorSystem]":
    """Return whether a system is a neural generator, trained or not."""
    return isinstance(system, GeneratorSystem)


def train_generator(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    untrained: GeneratorSystem,
    datasets: str | Path | DataSet | Iterable[str | Path | DataSet],
    folder: str | Path,
    profile: str = "small",
    *,
    validation: str | Path | DataSet | None = None,
    recipe: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    device: str | None = None,
    start: str | Path | None = None,
    force: bool = False,
    tell: Callable[[Any], None] | None = None,
) -> TrainedGenerator:
    """Train a generator on labelled documents, or go on with its training; see ``keywright.neural.training``.

    Args:
        untrained: such as ``kw.system("one2seq")``.
        datasets: labelled documents, of one data set or several; with ``{"objective": "denoising"}`` in the recipe
            also files and folders of documents without keyphrases.
        folder: for the generator; a stopped training in it goes on.
        profile: ``tiny``, ``small`` or ``paper``.
        validation: labelled documents by which the best weights are chosen; None takes a part of the others.
        recipe: values that replace those of the profile's recipe, such as ``{"steps": 500}``; texts are parsed.
        seconds: time after which the training stops with a checkpoint; None for no limit.
        device: of torch, such as ``cuda``; None takes a GPU if there is one.
        start: folder whose weights it starts from: of a trained generator, for BART and T5 also of the library
            transformers; None for random weights.
        force: whether to replace a trained generator in the folder.
        tell: called with news of the training.

    Raises:
        BadParameter: gold that is for reporting only, a folder in use, or a value of the recipe that it does not have.
        EmptyInput: there is nothing to learn from.
        MissingExtra: the extra ``neural`` is not installed.
        PartlyDone: it stopped before its end; the same call goes on.
    """
    with needs_extra("neural", "training a generator needs torch"):
        from keywright.neural.data.guarded import GuardedSets  # noqa: PLC0415 - heavy
        from keywright.neural.training.example_sources import TrainingSources  # noqa: PLC0415 - heavy
        from keywright.neural.training.examples_folder import remove_examples, training_data  # noqa: PLC0415 - heavy
        from keywright.neural.training.fitting import TRAINING, fit_generator  # noqa: PLC0415 - heavy
        from keywright.neural.training.options import Objective  # noqa: PLC0415 - heavy
        from keywright.neural.training.profiles import profile_of  # noqa: PLC0415 - heavy
        from keywright.neural.training.recipe import RECIPE_PAGE, Recipe  # noqa: PLC0415 - heavy
        from keywright.neural.training.unlabelled import TextSources  # noqa: PLC0415 - heavy
    place = Path(folder)
    check_new(place, force=force)
    chosen = profile_of(untrained.name, profile)
    texts = {name: value for name, value in (recipe or {}).items() if isinstance(value, str)}
    values = {**(recipe or {}), **parsed(Recipe, texts, "recipe", listing=RECIPE_PAGE)}
    chosen = replace(chosen, recipe=chosen.recipe.with_values(values))
    chosen.recipe.check_generator(untrained.name)
    several = [datasets] if isinstance(datasets, str | Path | DataSet) else list(datasets)
    sources: TextSources | TrainingSources
    if chosen.recipe.objective is Objective.DENOISING:
        held_out = None if validation is None else text_place(validation)
        sources = TextSources(tuple(map(text_place, several)), held_out, GuardedSets.here())
    else:
        data_set = None if validation is None else data_of(validation)
        sources = TrainingSources(tuple(map(learnable, several)), data_set, GuardedSets.here())
    data = training_data(sources, chosen.limits, place / TRAINING)
    fit_generator(
        untrained.name,
        chosen,
        data,
        place,
        {"system": untrained.name, "data": sources.names()},
        tell=tell or (lambda _step: None),
        seconds=seconds,
        device=device,
        start=None if start is None else Path(start),
    )
    system = replace(untrained, weights=TrainedWeights(place))
    failures: Sequence[Failure] = ()
    if isinstance(sources, TextSources):
        card, note, failures = read_generator_card(place), "", sources.failures
    else:
        card, note = _calibrated(system, sources.validation_documents(data.validation), place)
    notes = [f"left out or shortened: {data.report}" if str(data.report) else "", note]
    if data.missing:
        notes.append(f"not compared with these test sets, which are not on this machine: {', '.join(data.missing)}")
    remove_examples(place / TRAINING)
    return TrainedGenerator(system, card, tuple(filter(None, notes)), tuple(failures))


def _calibrated(
    system: GeneratorSystem, labelled: Sequence[LabelledDocument[Document]], folder: Path
) -> tuple[dict[str, Any], str]:
    """Fit a calibrator on the documents of the validation and add it to the folder; return the card and a note."""
    try:
        calibration = GeneratorCalibration.of(system, labelled, "validation documents")
    except BadParameter as error:  # too few documents, or none right
        return read_generator_card(folder), f"without calibrated probabilities: {error.message}"
    return calibration.save(folder, calibration.after), ""
