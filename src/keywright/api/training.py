"""Systems fitted to documents: trained on labelled ones, or adapted to unlabelled ones."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
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
from keywright.core import VERSION
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Analyser, Extractor, Progress
from keywright.core.saving import check_target, read_card, save_system
from keywright.core.signatures import change_part, signature
from keywright.datasets.collection import DataSet
from keywright.extraction.subjects.described_documents import most_lacking
from keywright.extraction.subjects.subject_ranker import SubjectRanker
from keywright.extraction.subjects.subject_training import CUTOFFS, FOLDS, TrainedSubjects, train_subjects
from keywright.extraction.systems.default import Default
from keywright.text.languages import ByLanguage


@dataclass(frozen=True, slots=True)
class Trained:
    """A system fitted on labelled documents, with its card, and whether it was written into a folder.

    ``gain`` is the change on held-out documents; None for systems that are trained from scratch.
    """

    system: Extractor
    card: Mapping[str, Any]
    saved: bool = False
    gain: Gain | None = None
    notes: tuple[str, ...] = ()


FEW: Final = 50  # documents below which the result is said to be uncertain; arbitrary
_TRAINING: Final = frozenset({"profile", "validation", "recipe", "seconds", "device", "start", "tell"})
"""Keywords of ``train_generator``; others are parameters of the generator."""
_NAMED: Final = 3  # labels that a note names; arbitrary


def _train_subject(untrained: SubjectRanker, data: DataSet, analyser: Analyser, progress: Progress | None) -> Trained:
    data.check_learnable()
    number = len(data) if progress else 0

    def analyse_all() -> Iterator[LabelledDocument[AnalysedDocument]]:
        for done, labelled in enumerate(data, 1):
            yield LabelledDocument(analyser.analyse(labelled.document), labelled.gold)
            if progress:
                progress(done, number)

    trained = train_subjects(untrained, analyse_all())
    vocabulary, notes = trained.ranker.vocabulary, _note_subjects(trained)
    figures = {name: round(value, 4) for name, value in trained.figures.items()}
    error = measure_error(trained.probabilities, trained.answers)
    card = _make_card(trained.ranker, data, analyser) | {
        "vocabulary": {
            "sha256": trained.ranker.vocabulary_digest,
            "concepts": len(vocabulary.concepts) if vocabulary and vocabulary.concepts else 0,
            "source": str(vocabulary.card.get("source", "")) if vocabulary else "",
        },
        "documents with subjects": trained.documents,
        "subjects": sum(of_document.number for of_document in trained.subjects),
        "not in the vocabulary": sum(len(of_document.lacking) for of_document in trained.subjects),
        "cross-validated": {"folds": FOLDS, **figures, f"ECE@{CUTOFFS[-1]}": round(error, 4)},
        "notes": list(notes),
    }
    return Trained(trained.ranker, card, notes=notes)


def _note_subjects(trained: TrainedSubjects) -> tuple[str, ...]:
    subjects, notes = trained.subjects, []
    if trained.documents < FEW:
        notes.append(
            f"only {trained.documents} documents: ranks and probabilities are uncertain below some {FEW}; compare the"
            " results with those of the default and --vocabulary before you rely on them"
        )
    if without := len(subjects) - trained.documents:
        notes.append(f"{without} of {len(subjects)} documents have no subject in the vocabulary: left out")
    if lacking := sum(len(each.lacking) for each in subjects):
        examples = ", ".join(f"{label!r:.60}" for label in most_lacking(subjects, _NAMED))
        of_all = f"{lacking} of {sum(each.number for each in subjects)} keyphrases"
        notes.append(f"{of_all} are neither labels nor URIs of the vocabulary, such as {examples}")
    return tuple(notes)


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
    without a gain, unless ``anyway``. Other systems are trained from scratch, and saved if there is a ``folder``.

    Raises:
        BadParameter: the system cannot be trained, the gold is held out for reporting, the folder is in use, or there
            are too few documents.
    """
    untrained, data = system_of(system), data_of(dataset)
    analyser = ByLanguage.for_needs(untrained.needs, language)
    place = None if folder is None else Path(folder)
    fit: Any = getattr(untrained, "fit", None)
    if not isinstance(untrained, SubjectRanker | Default):
        if fit is None:
            raise BadParameter(f"{untrained.name} cannot be trained", "`keywright systems` lists which can be trained")
        data.check_learnable()
    if place is not None:
        check_target(place, force=force)
    if isinstance(untrained, SubjectRanker):
        trained = _train_subject(untrained, data, analyser, progress)
    elif isinstance(untrained, Default):
        adapted = adapt_to_labelled(untrained, data, analyser, progress)
        card = _make_card(adapted.system, data, analyser)
        card |= {"style": adapted.system.style, "adapted from": signature(untrained)}
        card |= {"gain": adapted.gain.as_json(), "notes": list(adapted.notes)}
        trained = Trained(adapted.system, card, gain=adapted.gain, notes=adapted.notes)
    else:
        fitted = fit(LabelledDocument(analyser.analyse(labelled.document), labelled.gold) for labelled in data)
        trained = Trained(fitted, _make_card(fitted, data, analyser), saved=False)
    if place is not None and (trained.gain is None or trained.gain.shown or anyway):
        save_system(trained.system, place, trained.card)
        return replace(trained, card=read_card(place), saved=True)
    return trained


def _make_card(fitted: Extractor, data: DataSet, analyser: Analyser) -> dict[str, Any]:
    return {
        "system": signature(fitted),
        "data": data.signature,
        "documents": len(data),
        "analyser": signature(analyser),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "keywright": VERSION,
    }


def with_vocabulary(untrained: Extractor, folder: str | Path) -> SubjectRanker:
    """Return a system that ranks the concepts of a vocabulary, with its index in a folder, else ``BadParameter``."""
    if not isinstance(untrained, SubjectRanker):
        hint = "leave --vocabulary out: `keywright extract --vocabulary DIR` restricts any system"
        raise BadParameter(f"a vocabulary for {untrained.name}, which is trained without one", hint)
    return replace(untrained, vocabulary=load_vocabulary(folder), model=None)


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
        BadParameter: the system cannot be trained, the gold is held out for reporting, or the folder is in use.
        PartlyDone: there is no gain, so nothing was saved.
    """
    chosen = system_of(system)
    if is_generator(chosen):
        if folder is None:
            message = f"{chosen.name} needs a folder to train in"
            raise BadParameter(message, "name one: its checkpoints are kept there")
        training = {name: parameters.pop(name) for name in _TRAINING & parameters.keys()}
        untrained_generator = change_part(chosen, parameters, chosen.name)
        return train_generator(untrained_generator, dataset, folder, force=force, **training).system
    if isinstance(vocabulary := parameters.get("vocabulary"), str | Path):
        parameters["vocabulary"] = with_vocabulary(chosen, vocabulary).vocabulary
    untrained = change_part(chosen, parameters, chosen.name)
    trained = train_with_notes(untrained, dataset, folder, language, force=force, anyway=anyway)
    if folder is not None and not trained.saved and trained.gain:
        raise PartlyDone(trained.gain.verdict, f"nothing was written to {folder}; anyway=True saves it regardless")
    return trained.system


def adapt(
    paths: str | Path | Iterable[str | Path],
    folder: str | Path | None = None,
    system: SystemLike = "default",
    language: str | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> AdaptedToUnlabelled:
    """Add document frequencies of unlabelled documents to those of ``default`` or an adapted system.

    >>> import keywright as kw
    >>> kw.adapt("examples/documents.jsonl").documents
    3

    Raises:
        BadParameter: another system, or the folder is in use.
        EmptyInput: fewer than two different documents can be read.
    """
    chosen = system_of(system)
    if not isinstance(chosen, Default):
        raise BadParameter(f"{chosen.name} cannot be adapted to unlabelled documents", "only `default` can")
    if folder is not None:
        check_target(Path(folder), force=force)
    count = None if progress is None else (lambda done: progress(done, 0))
    adapted = adapt_to_unlabelled(chosen, read_all(paths), ByLanguage(language), count)
    if folder is not None:
        save_system(adapted.system, Path(folder), adapted.card())
    return adapted
