"""Neural generators: trained, calibrated, exported, and asked for the probabilities of named phrases."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeGuard

from keywright.api.extracting import DEPTH
from keywright.api.inputs import DocumentLike, SystemLike, data_of, document_of, load, system_of
from keywright.calibration.calibrators.calibrated import Calibrated, calibrate_phrases
from keywright.calibration.calibrators.calibrating import Calibration, calibrate, recalibrate
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.measuring import CalibrationReport, measure
from keywright.core.choices import Precision
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, MissingData, PartlyDone, UnknownName, needs_extra
from keywright.core.interfaces import Extractor, innermost
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Run
from keywright.core.signatures import parse_parameters
from keywright.datasets.collection import DataSet
from keywright.neural import model_folder
from keywright.neural.model_folder import CALIBRATOR
from keywright.neural.systems.generator_system import GeneratorSystem, TrainedWeights, load_system
from keywright.running import runs
from keywright.running.extraction import Extraction
from keywright.text.languages import ByLanguage

Place: TypeAlias = str | Path | DataSet  # a file, a folder, or a data set or its name


def _find_texts(place: Place) -> Path | DataSet:
    """Return an existing path, or the data set of another name."""
    if not isinstance(place, DataSet) and Path(place).exists():
        return Path(place)
    try:
        return _load_learnable(place)
    except UnknownName as error:
        hint = "name files, folders, or data sets of `keywright datasets list`"
        raise MissingData(f"there is neither a file nor a data set called {place}", hint) from error


def _load_learnable(place: Place) -> DataSet:
    """Return a data set, if its documents may be learned from."""
    data = data_of(place)
    data.check_learnable()
    return data


@dataclass(frozen=True, slots=True)
class TrainedGenerator:
    """A trained generator, its card, notes on what was left out of the data, and failures of unlabelled documents."""

    system: GeneratorSystem
    card: dict[str, Any]
    notes: tuple[str, ...]
    failures: tuple[Failure, ...] = ()


def is_generator(system: object) -> "TypeGuard[GeneratorSystem]":
    """Return whether a system is a neural generator, trained or not."""
    return isinstance(system, GeneratorSystem)


def train_generator(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    untrained: GeneratorSystem,
    datasets: Place | Iterable[Place],
    folder: str | Path,
    profile: str = "small",
    *,
    validation: Place | None = None,
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
        datasets: labelled documents, of one data set or several; with ``{"objective": "denoising"}`` or ``"titles"`` in
            the recipe also files and folders of documents without keyphrases.
        folder: for the generator; a stopped training in it goes on.
        profile: ``tiny``, ``small`` or ``paper``.
        validation: labelled documents by which the best weights are chosen; None takes a part of the others.
        recipe: values that replace those of the profile's recipe, such as ``{"steps": 500}``; texts are parsed.
        seconds: time after which the training stops with a checkpoint; None for no limit.
        device: of torch, such as ``cuda``; None takes a GPU if there is one.
        start: folder whose weights it starts from: of a trained generator, for BART and T5 also of the library
            transformers, for BART also of an encoder of BERT; None for random weights.
        tell: called with news of the training.

    Raises:
        BadParameter: gold that is for reporting only, a folder in use, or a value of the recipe that it does not have.
        EmptyInput: there is nothing to learn from.
        PartlyDone: it stopped before its end; the same call goes on.
    """
    with needs_extra("neural", "training a generator needs torch"):
        from keywright.neural.training import example_sources  # noqa: PLC0415 - heavy
        from keywright.neural.training import recipe as recipes  # noqa: PLC0415 - heavy
        from keywright.neural.training.fitting import fit_generator  # noqa: PLC0415 - heavy
    place = Path(folder)
    model_folder.check_new(place, force=force)
    chosen = recipes.find_profile(untrained.name, profile)
    texts = {name: value for name, value in (recipe or {}).items() if isinstance(value, str)}
    values = {**(recipe or {}), **parse_parameters(recipes.Recipe, texts, "recipe", listing=recipes.RECIPE_PAGE)}
    chosen = replace(chosen, recipe=chosen.recipe.with_values(values))
    chosen.recipe.check_generator(untrained.name)
    several = [datasets] if isinstance(datasets, str | Path | DataSet) else list(datasets)
    guarded = example_sources.GuardedSets.here()
    objective, long_documents = chosen.recipe.objective, chosen.recipe.long_documents
    if objective == "keyphrases":
        held_out: Path | DataSet | None = None if validation is None else data_of(validation)
        places: list[Path | DataSet] = [*map(_load_learnable, several)]
    else:
        held_out = None if validation is None else _find_texts(validation)
        places = [*map(_find_texts, several)]
    sources = example_sources.ExampleSources(tuple(places), held_out, guarded, objective, long_documents)
    data = example_sources.make_training_data(sources, chosen.limits, place / model_folder.TRAINING)
    card, start = {"system": untrained.name, "data": sources.names()}, None if start is None else Path(start)
    news = tell or (lambda _step: None)
    card = fit_generator(
        untrained.name, chosen, data, place, card, tell=news, seconds=seconds, device=device, start=start
    )
    system = replace(untrained, weights=TrainedWeights(place))
    notes = [f"left out or shortened: {data.report}"] if str(data.report) else []
    if chosen.recipe.mixed_precision and card["precision"] == "float32":
        notes.append("trained in single precision: the processor has no products in bfloat16")
    if objective == "keyphrases":
        labelled = sources.validation_documents(data.validation)
        try:
            _save_calibrator(_fit_calibrator(system, labelled, "validation documents")[1], place)
        except BadParameter as error:  # too few documents, or none right
            notes.append(f"without calibrated probabilities: {error.message}")
    if data.missing:
        notes.append(f"not compared with these test sets, which are not on this machine: {', '.join(data.missing)}")
    (place / model_folder.TRAINING / example_sources.EXAMPLES).unlink()
    shutil.rmtree(place / model_folder.CHECKPOINT, ignore_errors=True)
    return TrainedGenerator(system, model_folder.read_generator_card(place), tuple(notes), tuple(sources.failures))


_SHOWN: Final = ("ece", "brier")  # measures on a generator's card


def _measures_for_card(report: CalibrationReport) -> dict[str, float]:
    return {name: report.values[name].value for name in _SHOWN if name in report.values}


def _fit_calibrator(
    system: GeneratorSystem, labelled: Sequence[LabelledDocument[Document]], data: str
) -> tuple[Run, Calibration]:
    """Return a generator's keyphrases of documents that it was not trained on, and a calibrator fitted on them."""
    extraction = Extraction(ByLanguage(None), system, top=DEPTH, meta=False)
    run = runs.run_in_memory(extraction, [each.document for each in labelled])
    return run, calibrate(run, labelled, data=data)


def _save_calibrator(fitted: Calibration, folder: Path, **values: Any) -> dict[str, Any]:
    """Add a calibrator to the folder of its generator, and measures and other values to the card; return the card."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / CALIBRATOR
        fitted.calibrator.write(file)
        content = file.read_bytes()
    calibration = {**values, **_measures_for_card(fitted.after)}
    return model_folder.add_file(folder, CALIBRATOR, content, {"calibration": calibration})


@dataclass(frozen=True, slots=True)
class ExportedGenerator:
    """The card of an exported generator, with what the export changed, and notes on its probabilities, for people.

    ``uncalibrated``: why documents were named and no calibrator could be fitted on them; else empty.
    """

    card: dict[str, Any]
    notes: tuple[str, ...] = ()
    uncalibrated: str = ""

    @property
    def calibrated(self) -> bool:
        """True if a calibrator was fitted."""
        return "calibration" in self.card


def export(
    folder: str | Path,
    output: str | Path,
    precision: str = "int8",
    *,
    calibrate_on: Place | None = None,
    force: bool = False,
) -> Extractor:
    """Write a trained generator as ONNX into another folder, which needs the extra ``onnx`` instead of torch.

    The new folder can be passed anywhere a system name is accepted. Phrases are decoded greedily. 8-bit integers shift
    confidences, so that the probabilities of the trained generator are not kept: they are fitted again on the labelled
    documents of ``calibrate_on``, or there are none.

    >>> import keywright as kw
    >>> kw.export("generator", "served").name
    'one2seq'

    Args:
        folder: of a trained generator.
        output: new or empty folder, or that of an earlier export with ``force``.
        precision: ``int8``, smaller and faster, or ``float32``, the same probabilities.
        calibrate_on: labelled documents that the generator was not trained on, 20 at least.

    Raises:
        BadParameter: the generator is an exported one, or the documents are too few or held out for reporting.
        PartlyDone: the export is whole, but no calibrator could be fitted on the documents.
        TooLarge: weights that one file of ONNX cannot hold.
    """
    exported = export_with_notes(folder, output, precision, calibrate_on, force=force)
    if exported.uncalibrated:
        hint = "the folder can be used without; name more documents with --calibrate-on (calibrate_on=...)"
        raise PartlyDone(exported.uncalibrated, hint)
    return load(output)


def export_with_notes(
    folder: str | Path, output: str | Path, precision: str, calibrate_on: Place | None, *, force: bool
) -> ExportedGenerator:
    """Export a generator as ``export`` does; return its card and notes."""
    source, place = Path(folder), Path(output)
    if precision not in list(Precision):
        raise BadParameter(f"precision {precision!r}", f"expected {' or '.join(Precision)}")
    model_folder.check_generator_folder(source)
    model_folder.check_export_place(place, source, force=force)
    data = None if calibrate_on is None else data_of(calibrate_on)
    if data is not None:
        data.check_learnable("calibrate on another split")
    with needs_extra("neural", "export needs torch"):
        from keywright.neural.onnx.export import export_generator  # noqa: PLC0415 - heavy
    card = export_generator(source, place, precision)
    had = Calibrator.read(source / CALIBRATOR) if (source / CALIBRATOR).is_file() else None
    if data is None:
        hint = "name labelled documents with --calibrate-on (calibrate_on=...)"
        lost = "the calibrator of the trained generator was left out" if had else "there is no calibrator"
        return ExportedGenerator(card, (f"without calibrated probabilities: {lost}; {hint}",))
    labelled = list(data)
    try:
        run, fitted = _fit_calibrator(load_system(place), labelled, data.signature)
    except BadParameter as error:  # too few documents, or none right
        return ExportedGenerator(card, uncalibrated=f"without calibrated probabilities: {error.message}")
    before = None
    if had is not None:  # the probabilities that the calibrator of the other weights would have given
        assumed = replace(had, card=replace(had.card, system=run.system))
        before = _measures_for_card(measure(recalibrate(run, labelled, assumed)[0]))
    values = {
        "data": data.signature,
        "documents": fitted.calibrator.card.documents,
        "confidences": None if fitted.before is None else _measures_for_card(fitted.before),
        "probabilities before export": before,
    }
    return ExportedGenerator(_save_calibrator(fitted, place, **values), fitted.notes)


def phrase_probabilities(
    document: DocumentLike, phrases: Iterable[str], system: SystemLike
) -> tuple[Keyphrase | Failure, ...]:
    """Return phrases with the probabilities that a trained generator gives them, in their order.

    Each phrase is scored by itself, as the first that the generator would write (teacher forcing). A long document is
    cut, or with ``windows="all"`` read in windows, of which a phrase has the probabilities of the best.

    >>> import keywright as kw
    >>> scored = kw.phrase_probabilities("Soil moisture in rain gardens.", ["soil moisture", "?"], "generator")
    >>> [type(each).__name__ for each in scored]
    ['Keyphrase', 'Failure']
    >>> scored[0].generation.tokens
    ('soil', 'moisture')

    Args:
        document: as for ``extract``.
        phrases: any phrases; as in training, signs and acronyms in parentheses are not scored.
        system: a trained generator, or its folder.

    Returns:
        For each phrase a keyphrase: ``generation`` has the log-probability of each token and of the end, ``score`` is
        their geometric mean without the end, and ``probability`` the calibrated one, if the folder has a calibrator
        that judges phrases by their own confidence. It was fitted on generated phrases; others are mostly less likely
        than any of these. A phrase without words, or one that the generator can never write, is a ``Failure``.
    """
    if isinstance(phrases, str):
        raise BadParameter(f"phrases is the text {phrases!r:.60}", "pass a list, also for one phrase")
    named = list(phrases)
    if odd := [each for each in named if not isinstance(each, str)]:
        raise BadParameter(f"a phrase is of type {type(odd[0]).__name__}", "expected texts")
    extractor, read = system_of(system), document_of(document)
    generator = innermost(extractor)
    if not is_generator(generator):
        message = f"{generator.name} gives no probabilities to phrases that are named"
        raise BadParameter(message, "expected a trained generator, such as a folder of `keywright train one2seq`")
    scored = generator.score(read, named)
    return tuple(calibrate_phrases(scored, extractor.calibrator, read) if isinstance(extractor, Calibrated) else scored)
