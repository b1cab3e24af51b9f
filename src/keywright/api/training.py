"""Systems fitted to documents: trained on labelled ones, or adapted to unlabelled ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from keywright.adapting.document_frequencies import AdaptedToUnlabelled, adapt_to_unlabelled
from keywright.adapting.fine_tuning import Gain, adapt_to_labelled
from keywright.api.extracting import read_all
from keywright.api.generators import is_generator, train_generator
from keywright.api.inputs import SystemLike, data_of, system_of
from keywright.api.vocabularies import load_vocabulary
from keywright.calibration.calibration_error import measure_error
from keywright.core.documents import LabelledDocument
from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Analyser, Extractor, Progress
from keywright.core.saving import check_target, read_card, save_system
from keywright.core.signatures import change_part, signature
from keywright.datasets.collection import DataSet
from keywright.extraction.subjects.concept_matches import GoldConcepts, most_lacking
from keywright.extraction.subjects.subject_ranker import SubjectRanker
from keywright.extraction.subjects.subject_training import CUTOFFS, FOLDS, TrainedSubjects, train_subjects
from keywright.extraction.systems.default import Default
from keywright.neural.systems.generator_system import GeneratorSystem
from keywright.running.system_fitting import make_card
from keywright.running.system_fitting import train as fit
from keywright.text.languages import ByLanguage


@dataclass(frozen=True, slots=True)
class Trained:
    """A system fitted on labelled documents.

    Attributes:
        card: its training data and date; with the gain if one was measured.
        saved: whether it was written into a folder.
        gain: change on held-out documents; None for systems that are trained from scratch.
    """

    system: Extractor
    card: Mapping[str, Any]
    saved: bool
    gain: Gain | None = None
    notes: tuple[str, ...] = ()


FEW: Final = 50
"""Documents below which the result is said to be uncertain; arbitrary."""
_NAMED: Final = 3
"""Labels that a note names; arbitrary."""


def train_subject(
    untrained: SubjectRanker,
    data: DataSet,
    analyser: Analyser,
    place: Path | None,
    *,
    force: bool,
    progress: Progress | None,
) -> Trained:
    """Train a ranker of subjects; save it if a folder is named."""
    data.check_learnable()
    if place is not None:
        check_target(place, force=force)
    number = len(data) if progress else 0

    def analysed() -> Any:
        for done, labelled in enumerate(data, 1):
            yield LabelledDocument(analyser.analyse(labelled.document), labelled.gold)
            if progress:
                progress(done, number)

    trained = train_subjects(untrained, analysed())
    notes = _training_notes(trained)
    card = make_card(trained.ranker, data, analyser) | _describe_training(trained) | {"notes": list(notes)}
    if place is not None:
        save_system(trained.ranker, place, card)
        card = read_card(place)
    return Trained(trained.ranker, card, saved=place is not None, notes=notes)


def _describe_training(trained: TrainedSubjects) -> dict[str, Any]:
    """Return what the card says beside system, data and date."""
    vocabulary = trained.ranker.vocabulary
    figures = {name: round(value, 4) for name, value in trained.figures.items()}
    error = measure_error(trained.probabilities, trained.answers)
    return {
        "vocabulary": {
            "sha256": trained.ranker.vocabulary_digest,
            "concepts": len(vocabulary.concepts) if vocabulary and vocabulary.concepts else 0,
            "source": str(vocabulary.card.get("source", "")) if vocabulary else "",
        },
        "documents with subjects": trained.documents,
        "subjects": sum(of_document.number for of_document in trained.subjects),
        "not in the vocabulary": sum(len(of_document.lacking) for of_document in trained.subjects),
        "cross-validated": {"folds": FOLDS, **figures, f"ECE@{CUTOFFS[-1]}": round(error, 4)},
    }


def _training_notes(trained: TrainedSubjects) -> tuple[str, ...]:
    """Return what people should know of the result."""
    notes = []
    if trained.documents < FEW:
        notes.append(
            f"only {trained.documents} documents: ranks and probabilities are uncertain below some {FEW}; compare the"
            " results with those of the default and --vocabulary before you rely on them"
        )
    if without := len(trained.subjects) - trained.documents:
        notes.append(f"{without} of {len(trained.subjects)} documents have no subject in the vocabulary: left out")
    return (*notes, *_note_lacking(trained.subjects))


def _note_lacking(subjects: Sequence[GoldConcepts]) -> tuple[str, ...]:
    """Return a note on keyphrases that are neither labels nor URIs of the vocabulary."""
    lacking, number = (sum(len(each.lacking) for each in subjects), sum(each.number for each in subjects))
    if not lacking:
        return ()
    examples = ", ".join(f"{label!r:.60}" for label in most_lacking(subjects, _NAMED))
    return (f"{lacking} of {number} keyphrases are neither labels nor URIs of the vocabulary, such as {examples}",)


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
        card = make_card(fitted, data, analyser) if place is None else read_card(place)
        return Trained(fitted, card, saved=place is not None)
    if place is not None:
        check_target(place, force=force)
    return _fine_tune_default(untrained, data, analyser, place, anyway=anyway, progress=progress)


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


def _fine_tune_default(
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
    card = make_card(adapted.system, data, analyser)
    card |= {"style": adapted.system.style, "adapted from": signature(untrained)}
    card |= {"gain": adapted.gain.as_json(), "notes": list(adapted.notes)}
    saved = place is not None and (adapted.gain.shown or anyway)
    if place is not None and saved:
        save_system(adapted.system, place, card)
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
        return _train_generator(chosen, dataset, folder, parameters, force=force)
    if isinstance(vocabulary := parameters.get("vocabulary"), str | Path):
        parameters["vocabulary"] = with_vocabulary(chosen, vocabulary).vocabulary
    untrained = change_part(chosen, parameters, chosen.name)
    trained = train_with_notes(untrained, dataset, folder, language, force=force, anyway=anyway)
    if folder is not None and not trained.saved and trained.gain:
        raise PartlyDone(trained.gain.verdict, f"nothing was written to {folder}; anyway=True saves it regardless")
    return trained.system


def _train_generator(
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
    system = change_part(untrained, parameters, untrained.name)
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
        check_target(Path(folder), force=force)
    files = [paths] if isinstance(paths, str | Path) else paths
    count = None if progress is None else (lambda done: progress(done, 0))
    adapted = adapt_to_unlabelled(chosen, read_all(files), ByLanguage(language), count)
    if folder is not None:
        save_system(adapted.system, Path(folder), adapted.card())
    return adapted
