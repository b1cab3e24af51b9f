"""Systems fitted to documents: trained on labelled ones, or adapted to unlabelled ones."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from keywright.adapting.document_frequencies import AdaptedToUnlabelled, adapt_to_unlabelled
from keywright.adapting.fine_tuning import adapt_to_labelled
from keywright.api.extracting import read_all
from keywright.api.generator_training import is_generator, train_generator
from keywright.api.inputs import SystemLike, data_of, system_of
from keywright.api.subject_training import train_subject
from keywright.api.training_results import Trained
from keywright.api.vocabularies import load_vocabulary
from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Analyser, Extractor, Progress
from keywright.core.parameters import changed
from keywright.core.saving import check_place, read_card, save
from keywright.core.signatures import signature
from keywright.datasets.collection import DataSet
from keywright.execution.system_fitting import card_of
from keywright.execution.system_fitting import train as fit
from keywright.neural.systems.generator_system import GeneratorSystem
from keywright.subjects.ranker import SubjectRanker
from keywright.systems.default import Default
from keywright.text.languages import ByLanguage


def train_with_notes(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: SystemLike,
    dataset: str | Path | DataSet,
    folder: str | Path | None = None,
    language: str | None = None,
    *,
    force: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Trained:
    """Fit a system on labelled documents; return it with its card, gain and notes.

    The default extractor fine-tunes the shipped model, and the gain is measured on held-out documents; it is not saved
    without a gain, unless ``anyway``. Other systems are trained from scratch.

    Args:
        system: a name, the folder of a trained system, or a system itself.
        dataset: labelled documents.
        folder: where to save it; None for nowhere.
        language: ISO 639-1 code for all documents; None for each document's own.
        force: whether to replace a trained system in the folder.
        anyway: whether to save it without a gain.
        progress: called with the number of documents read, and of all.

    Raises:
        BadParameter: the system cannot be trained, the gold is held out for reporting, the folder is in use, or there
            are too few documents.
    """
    untrained, data = system_of(system), data_of(dataset)
    analyser = ByLanguage(language, tagged="tags" in untrained.needs)
    place = None if folder is None else Path(folder)
    if isinstance(untrained, SubjectRanker):
        return train_subject(untrained, data, analyser, place, force=force, progress=progress)
    if not isinstance(untrained, Default):
        fitted = fit(untrained, data, analyser, place, force=force)
        card = card_of(fitted, data, analyser) if place is None else read_card(place)
        return Trained(fitted, card, saved=place is not None)
    if place is not None:
        check_place(place, force=force)
    return _adapted(untrained, data, analyser, place, anyway=anyway, progress=progress)


def with_vocabulary(untrained: Extractor, folder: str | Path) -> SubjectRanker:
    """Return a system that learns to rank the concepts of a vocabulary, with the index in a folder.

    Raises:
        BadParameter: it is another system.
        UnreadableInput, BrokenFile: there is no index, or it is damaged.
    """
    if not isinstance(untrained, SubjectRanker):
        hint = "leave --vocabulary out: `keywright extract --vocabulary DIR` restricts any system"
        raise BadParameter(f"a vocabulary for {untrained.name}, which is trained without one", hint)
    return replace(untrained, vocabulary=load_vocabulary(folder), model=None)


def _adapted(
    untrained: Default,
    data: DataSet,
    analyser: Analyser,
    place: Path | None,
    *,
    anyway: bool,
    progress: Progress | None,
) -> Trained:
    """Adapt the default extractor; save it if there is a gain."""
    adapted = adapt_to_labelled(untrained, data, analyser, progress)
    card = card_of(adapted.system, data, analyser)
    card |= {"style": adapted.system.style, "adapted from": signature(untrained)}
    card |= {"gain": adapted.gain.as_json(), "notes": list(adapted.notes)}
    saved = place is not None and (adapted.gain.shown or anyway)
    if place is not None and saved:
        save(adapted.system, place, card)
        card = read_card(place)
    return Trained(adapted.system, card, saved, adapted.gain, adapted.notes)


def train(
    system: str | Extractor,
    dataset: str | Path | DataSet,
    folder: str | Path | None = None,
    language: str | None = None,
    *,
    force: bool = False,
    anyway: bool = False,
    **parameters: Any,
) -> Extractor:
    """Fit a system on labelled documents, and save it if a folder is named.

    The default extractor fine-tunes the shipped model; it is saved only if held-out documents show a gain, or with
    ``anyway``. Neural generators also take ``profile``, ``recipe``, ``validation``, ``seconds``, ``device`` and
    ``start``. ``subject`` takes ``vocabulary``, an index of concepts or its folder, of which keyphrases are labels or
    URIs.

    >>> import keywright as kw
    >>> kw.train("nb", "examples/abstracts.jsonl", longest=2).longest
    2

    Raises:
        BadParameter: the system cannot be trained, the gold is held out for reporting, the folder is in use, or a
            parameter is unknown.
        PartlyDone: there is no gain, so nothing was saved.
    """
    chosen = system_of(system)
    if is_generator(chosen):
        return _trained_generator(chosen, dataset, folder, parameters, force=force)
    if isinstance(vocabulary := parameters.get("vocabulary"), str | Path):
        parameters["vocabulary"] = with_vocabulary(chosen, vocabulary).vocabulary
    untrained = changed(chosen, parameters, chosen.name)
    trained = train_with_notes(untrained, dataset, folder, language, force=force, anyway=anyway)
    if folder is not None and not trained.saved and trained.gain:
        raise PartlyDone(trained.gain.verdict, f"nothing was written to {folder}; anyway=True saves it regardless")
    return trained.system


def _trained_generator(
    untrained: GeneratorSystem,
    dataset: str | Path | DataSet,
    folder: str | Path | None,
    options: Mapping[str, Any],
    *,
    force: bool,
) -> Extractor:
    """Train a generator with options of ``train_generator``; others are parameters of the system."""
    if folder is None:
        raise BadParameter(f"{untrained.name} needs a folder to train in", "name one: its checkpoints are kept there")
    names = {"profile", "validation", "recipe", "seconds", "device", "start", "tell"}
    parameters = {name: value for name, value in options.items() if name not in names}
    training = {name: value for name, value in options.items() if name in names}
    system = changed(untrained, parameters, untrained.name)
    return train_generator(system, dataset, folder, force=force, **training).system


def adapt(
    paths: str | Path | Iterable[str | Path],
    folder: str | Path | None = None,
    system: SystemLike = "default",
    language: str | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> AdaptedToUnlabelled:
    """Add document frequencies of unlabelled documents to those of the default extractor.

    >>> import keywright as kw
    >>> kw.adapt("examples/documents.jsonl").documents
    3

    Args:
        paths: files and folders, in any supported format.
        folder: where to save it; None for nowhere.
        system: ``default``, or the folder of an adapted system.
        language: ISO 639-1 code for all documents; None for each document's own.
        force: whether to replace a trained system in the folder.
        progress: called with the number of documents done, and 0.

    Raises:
        BadParameter: another system, or the folder is in use.
        EmptyInput: fewer than two different documents can be read.
    """
    chosen = system_of(system)
    if not isinstance(chosen, Default):
        raise BadParameter(f"{chosen.name} cannot be adapted to unlabelled documents", "only `default` can")
    if folder is not None:
        check_place(Path(folder), force=force)
    files = [paths] if isinstance(paths, str | Path) else paths
    count = None if progress is None else (lambda done: progress(done, 0))
    adapted = adapt_to_unlabelled(chosen, read_all(files), ByLanguage(language), count)
    if folder is not None:
        save(adapted.system, Path(folder), adapted.card())
    return adapted
