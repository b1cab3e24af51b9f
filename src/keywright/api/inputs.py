"""Inputs of verbs: names, paths, texts and keywords become systems, documents, data sets, protocols and options."""

import dataclasses
import functools
import itertools
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeAlias, TypedDict, TypeVar

from keywright.api.misnamed_options import check_options, check_system
from keywright.api.vocabularies import vocabulary_of
from keywright.catalogue import CONCEPT_SYSTEMS, SYSTEMS, system_class
from keywright.core import saving
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, UnreadableInput
from keywright.core.interfaces import Extractor
from keywright.core.list_options import ChoiceOptions, GuaranteeOptions
from keywright.core.parameters import changed, make, parameters, parsed, takes_systems
from keywright.datasets.collection import DataSet
from keywright.datasets.collection import load as load_data
from keywright.execution.phrase_filter import PhraseFilter
from keywright.neural.model_folder import is_generator
from keywright.neural.systems.loading import load_system
from keywright.reading.byte_sources import Source, read_source
from keywright.reading.phrase_lists import read_phrases
from keywright.reading.plain import document_of_text
from keywright.text.language_codes import is_language_code

SystemLike: TypeAlias = str | Path | Extractor
"""The name of a system, the folder of a trained system, or a system."""


def document(text: str, name: str = "text", language: str | None = None) -> Document:
    r"""Make a document of a text, with the sections that are recognised in it.

    >>> import keywright as kw
    >>> kw.document("Grid Scheduling\n\nAbstract\nJobs wait in queues.").sections[0].kind.value
    'title'

    Raises:
        EmptyInput: the text has no words.
    """
    return document_of_text(text, name, language=language)


def read(
    path: Source,
    *,
    name: str | None = None,
    type: str | None = None,  # noqa: A002 - what people call it
) -> Document:
    """Read the document in a file, in bytes, or in an open file.

    >>> import keywright as kw
    >>> kw.read("examples/article.pdf").id
    'examples/article.pdf'
    >>> kw.read(b"Tide gauges drift.", name="tides.txt").text
    'Tide gauges drift.'

    Args:
        path: a file's path, bytes, or a file opened in any mode, which is read to its end.
        name: id of the document, whose ending may show the format; None takes the name of the file.
        type: format, such as ``pdf``, ``.html`` or ``text/markdown``; None recognises it from content and name.

    Raises:
        UnreadableInput: the source cannot be read, its format is unknown, or it holds several documents, for which
            there is ``read_all``.
        UnknownName: there is no such type.
    """
    documents = list(itertools.islice(read_source(path, name, type), 2))
    if len(documents) > 1:
        shown = path if isinstance(path, str | Path) else name or "the source"
        raise UnreadableInput(f"{shown} holds several documents", "kw.read_all gives them one by one")
    return documents[0]


def is_folder_name(name: str | Path) -> bool:
    """Return whether a system's name means the folder of a trained system."""
    return str(name) not in {*SYSTEMS.built_in, *CONCEPT_SYSTEMS.built_in} and ("/" in str(name) or Path(name).is_dir())


def system(name: str | Path, **values: Any) -> Extractor:
    """Return a system by name, with parameters, or a trained system from its folder.

    Parameters that take systems accept their names and folders.

    >>> import keywright as kw
    >>> kw.system("kpminer", cutoff=850).cutoff
    850

    Raises:
        UnknownName: there is no such system.
        BadParameter: a parameter is unknown or has a value of another type.
    """
    if is_folder_name(name):
        if values and is_generator(Path(name)):  # with other parameters its calibrator does not fit
            generator = load_system(Path(name))
            return changed(generator, values, generator.name)
        trained = load(name)
        return changed(trained, _with_systems(type(trained), values), trained.name)
    kind = system_class(str(name))
    built: Extractor = make(kind, _with_systems(kind, values), str(name))
    return built


def parametrised(name: str, texts: Mapping[str, str]) -> Extractor:
    """Return a system with parameters from texts, as on a command line.

    Raises:
        BadParameter: a parameter is unknown, or its text is not a value of its type.
    """
    chosen = system(name)
    return changed(chosen, parsed(type(chosen), texts, chosen.name, system), chosen.name)


def _with_systems(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    taking = {parameter.name for parameter in parameters(kind) if takes_systems(parameter)}
    return {name: _systems(value) if name in taking else value for name, value in values.items()}


def _systems(value: Any) -> Any:
    """Return a system for a name, a tuple of systems for a sequence of names."""
    return tuple(map(_systems, value)) if isinstance(value, list | tuple) else system_of(value)


def load(folder: str | Path) -> Extractor:
    """Load a trained system from the folder that ``train`` wrote.

    >>> import keywright as kw
    >>> trained = kw.train("nb", "examples/abstracts.jsonl", "mine")
    >>> kw.load("mine").name
    'nb'

    Raises:
        MissingData: there is no such folder.
        BrokenFile: it is damaged, or needs code that is not installed.
    """
    if is_generator(Path(folder)):
        from keywright.calibration.calibrators.trained_generators import (  # noqa: PLC0415 - most extraction does without
            calibrated_generator,
        )

        return calibrated_generator(Path(folder))
    loaded: Extractor = saving.load(Path(folder), SYSTEMS.packages())
    return loaded


def system_of(system_like: SystemLike) -> Extractor:
    """Return a system from its name or folder; a system unchanged."""
    check_system(system_like)
    return system(system_like) if isinstance(system_like, (str, Path)) else system_like


def dataset(name: str | Path) -> DataSet:
    """Return labelled documents: a collection or split by name, such as ``inspec/test``, or a JSON Lines file.

    >>> import keywright as kw
    >>> [labelled.id for labelled in kw.dataset("examples/abstracts.jsonl")][:2]
    ['leaks', 'sourdough']

    Raises:
        UnknownName: there is no such collection.
        MissingData: it is not on this machine; the hint is the command that fetches it.
    """
    return load_data(str(name))


def data_of(data: str | Path | DataSet) -> DataSet:
    """Return a data set from its name or file; a data set unchanged.

    Raises:
        BadParameter: a value of another type.
        UnknownName, MissingData: as for ``dataset``.
    """
    if not isinstance(data, str | Path | DataSet):
        hint = "expected a name of `keywright datasets list`, a JSON Lines file, or a data set from `kw.dataset`"
        raise BadParameter(f"a value of type {type(data).__name__} is not a data set", hint)
    return data if isinstance(data, DataSet) else dataset(data)


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def renamed(old: str, new: str) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Return a decorator that passes the keyword ``old`` on as ``new``, with a ``DeprecationWarning``."""

    def decorate(verb: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @functools.wraps(verb)
        def call(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> Result:
            if old in keywords:
                warnings.warn(f"{verb.__name__}: {old} is now called {new}", DeprecationWarning, stacklevel=2)
                keywords[new] = keywords.pop(old)
            return verb(*arguments, **keywords)

        return call

    return decorate


class GuaranteeKeywords(TypedDict, total=False):
    """Keywords for ``GuaranteeOptions``."""

    min_precision: float | None
    confidence_level: float | None
    min_recall: float | None
    abstain_below: float
    best_f1: bool


class ListKeywords(GuaranteeKeywords, total=False):
    """Keywords for all options of ``core.list_options``; phrases come from a file or any iterable."""

    style: str | None
    expect: float | None
    quality: str | None
    min_probability: float | None
    diversity: float
    stop_phrases: str | Path | Iterable[str] | None
    vocabulary: str | Path | Iterable[str] | None
    only_vocabulary: bool
    label_language: str | None
    broader: bool
    min_words: int
    min_characters: int
    expand_acronyms: bool
    absent: bool


_GUARANTEES: Final = frozenset(field.name for field in dataclasses.fields(GuaranteeOptions))
_CHOICES: Final = frozenset(field.name for field in dataclasses.fields(ChoiceOptions))


def choosing(extractor: Extractor, keywords: ListKeywords) -> Extractor:
    """Return the system with the style, the number of keyphrases and the quality that keywords declare.

    Raises:
        BadParameter: the system has no such parameter, or the value is not one of its values.
    """
    values = {name: value for name, value in keywords.items() if name in _CHOICES and value is not None}
    return changed(extractor, values, extractor.name) if values else extractor


def phrase_filter_of(keywords: ListKeywords) -> PhraseFilter:
    """Return the filter that keywords describe, files of phrases read.

    Raises:
        BadParameter: an unknown option, or a value out of range.
        UnreadableInput: a file of phrases is missing, empty, or not a list of phrases; or a folder is not an index.
    """
    check_options(keywords, ListKeywords.__annotations__)
    values: dict[str, Any] = {name: value for name, value in keywords.items() if name not in _GUARANTEES | _CHOICES}
    stopped = values.get("stop_phrases")
    values["stop_phrases"] = read_phrases(stopped) if isinstance(stopped, (str, Path)) else tuple(stopped or ())
    values["vocabulary"] = vocabulary_of(values.get("vocabulary"))
    if (code := values.get("label_language")) is not None and not is_language_code(str(code)):
        raise BadParameter(f"label language {code!r:.20}", "expected an ISO 639-1 code, such as en")
    phrase_filter: PhraseFilter = make(PhraseFilter, values, "extract")
    limits = guarantees_of(keywords).changed
    if phrase_filter.absent and limits:
        raise BadParameter(f"{limits[0]} together with absent", "a calibrator covers the phrases of the text only")
    guaranteed = [name for name in limits if name in {"min_precision", "min_recall"}]
    if guaranteed and not phrase_filter.passes_all:
        message = f"{guaranteed[0]} together with other options that choose phrases"
        raise BadParameter(message, "guarantees hold for whole lists: leave out the other options, or the guarantee")
    return phrase_filter


def guarantees_of(keywords: GuaranteeKeywords) -> GuaranteeOptions:
    """Return the options for guarantees that keywords describe; others are ignored.

    Raises:
        BadParameter: a value of another type, or options that do not go together.
    """
    values = {name: value for name, value in keywords.items() if name in _GUARANTEES}
    return make(GuaranteeOptions, values, "extract")
