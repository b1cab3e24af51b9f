"""Keyphrases of documents, and runs of systems over data sets."""

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, Unpack, overload

from keywright.api import inputs
from keywright.api.inputs import DocumentLike, SystemLike, document_of
from keywright.api.options import (
    apply_choices,
    check_keywords,
    drift_warner,
    limit_system,
    limits_length,
    phrase_filter_of,
)
from keywright.catalogue import SYSTEMS
from keywright.core.atomic_files import check_file
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Progress
from keywright.core.options import AUTO, Length, ListKeywords
from keywright.core.predictions import Failure, Outcome, Prediction, Predictions, Run
from keywright.datasets.collection import DataSet
from keywright.reading.sources import find_sources
from keywright.reading.sources import read_documents as in_sources
from keywright.running import runs
from keywright.running.engines import Serial
from keywright.running.engines import engine as executor
from keywright.running.extraction import Extraction, check_ready
from keywright.running.file_extraction import DistinctIds, extract_strictly, map_documents
from keywright.text.languages import ByLanguage


def read_all(paths: str | Path | Iterable[str | Path]) -> Iterator[Document | Failure]:
    """Yield the documents in files and folders, or in one, and a failure for each file that cannot be read.

    >>> import keywright as kw
    >>> [document.id for document in kw.read_all(["examples/note.txt", "examples/article.md"])]
    ['examples/note.txt', 'examples/article.md']
    """
    return in_sources(find_sources(paths, None, sys.stdin.buffer))


def prepare(
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    **options: Unpack[ListKeywords],
) -> Extraction:
    """Return the work of ``extract`` on each document, checked before the first.

    >>> import keywright as kw
    >>> extraction = kw.prepare("kpminer", top=2)
    >>> extraction.prediction(kw.read("examples/article.txt")).texts
    ('soil moisture', 'growing seasons')

    Raises:
        CannotGuarantee: the documents of calibration do not allow a guarantee.
        NotFitted, NeedsUnmet: the system cannot run as it is.
    """
    check_keywords({"top": top, "language": language, "explain": explain, **options})
    extractor = apply_choices(inputs.system_of(system), options)
    phrase_filter = phrase_filter_of(options)
    extractor = limit_system(extractor, top, options)
    analyser = ByLanguage.for_needs(extractor.needs, language)
    if is_guaranteed := limits_length(options):  # it holds for the list that it was made for, whatever repeats in it
        top = AUTO if top is None else top
    extraction = Extraction(analyser, extractor, top, explain, phrase_filter, merge=not is_guaranteed)
    check_ready(extraction)
    return extraction


_last = threading.local()  # the last call with one document in this thread, and its extraction


def _prepare_call(system: SystemLike, *arguments: Any, **options: Any) -> Extraction:
    """Return the work of a call with one document: that of an equal call before, if names and numbers say all of it."""
    plain = (name in {"style", "quality"} or isinstance(value, int | float | None) for name, value in options.items())
    if not isinstance(system, str) or system not in SYSTEMS.built_in or not all(plain):
        return prepare(system, *arguments, **options)
    call = repr((system, arguments, options, *(item for item in os.environ.items() if "KEYWRIGHT_" in item[0])))
    if getattr(_last, "call", "") != call:
        _last.call, _last.extraction = call, prepare(system, *arguments, **options)
    return _last.extraction  # type: ignore[no-any-return]  # what prepare returned


Errors: TypeAlias = Literal["keep", "raise"]
"""Treatment of documents that fail: a ``Failure`` in their place, or an error."""


class ExtractKeywords(ListKeywords, total=False):
    """Keywords of ``extract``: all options, and the treatment of documents that fail."""

    explain: bool
    errors: Errors


@overload
def extract(
    documents: DocumentLike,
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    **options: Unpack[ExtractKeywords],
) -> Prediction: ...
@overload
def extract(
    documents: Iterator[DocumentLike],
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    **options: Unpack[ExtractKeywords],
) -> Iterator[Outcome]: ...
@overload
def extract(
    documents: Any,
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    **options: Unpack[ExtractKeywords],
) -> Predictions: ...
def extract(
    documents: Any,
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    errors: Errors = "keep",
    **options: Unpack[ListKeywords],
) -> Prediction | Predictions | Iterator[Outcome]:
    """Extract keyphrases: one prediction for a document, a list for a list or column, a stream for an iterator.

    >>> import keywright as kw
    >>> kw.extract("A grid scheduler assigns jobs to machines. The grid scheduler is fair.", top=1).texts
    ('grid scheduler',)

    Args:
        documents: a text, a file (``Path``), a document, or a record (a dict with ``text``, or ``title`` and
            ``abstract``); or a list, array, Series or iterator of these. An iterator is read at most 64 documents
            ahead, one document ahead where it or the system is slow, and gives an iterator.
        explain: whether keyphrases come with their ``evidence``, and with ``grounds``, the same for people.
        errors: ``keep`` puts a ``Failure`` in the place of each document of a collection that cannot be done;
            ``raise`` stops at the first. A single document always raises.
        options: which of the system's phrases are shown, such as ``min_probability=0.5``, or ``min_precision=0.4``
            for a calibrated system: see ``keywright.core.options``.
    """
    if errors not in ("keep", "raise"):
        raise BadParameter(f"errors = {errors!r}", "expected 'keep' or 'raise'")
    if inputs.is_document(documents) or inputs.is_missing(documents):
        return _prepare_call(system, top, language, explain=explain, **options).prediction(document_of(documents))
    items, is_sized = inputs.named_items(documents)
    extraction = prepare(system, top, language, explain=explain, **options)
    if errors == "keep":
        outcomes = map_documents(Serial(), extraction, (inputs.read_item(item, name) for name, item in items))
    else:
        outcomes = extract_strictly(extraction, (document_of(item, name) for name, item in items))
    stream = map(drift_warner(extraction.extractor), outcomes)
    return Predictions(map(DistinctIds(), stream)) if is_sized else stream


def extract_each(
    extraction: Extraction, documents: Iterable[Document | Failure], engine: str | None = None, jobs: int | None = None
) -> Iterator[Outcome]:
    """Yield a prediction or a failure for each document, in order.

    >>> import keywright as kw
    >>> documents = kw.read_all(["examples/note.txt", "examples/nothing.txt"])
    >>> [type(outcome).__name__ for outcome in kw.extract_each(kw.prepare(), documents)]
    ['Prediction', 'Failure']
    """
    return map(drift_warner(extraction.extractor), map_documents(executor(engine, jobs), extraction, documents))


DEPTH: Final = 50  # keyphrases per document in a run: the deepest cutoff of the protocols


def prepare_run(
    system: SystemLike, top: Length = DEPTH, language: str | None = None, **options: Unpack[ListKeywords]
) -> Extraction:
    """Prepare lists that are scored: as the system ranks, without documents' other data."""
    return replace(prepare(system, top, language, **options), meta=False, merge=False)


def run(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: SystemLike,
    dataset: str | Path | DataSet,
    top: Length = DEPTH,
    output: str | Path | None = None,
    *,
    language: str | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[ListKeywords],
) -> Run:
    """Predict keyphrases of all documents of a data set, ``top`` of each.

    If there is an ``output``, finished parts are kept beside it until it is written: after an interruption the same
    call resumes.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl", top=1)
    >>> run.predictions[0].texts
    ('leaks',)
    """
    if output is not None:
        how: Any = {"language": language, "engine": engine, "jobs": jobs, "progress": progress, **options}
        return write_run(system, dataset, output, top, keep=True, **how).run
    extraction, data = prepare_run(system, top, language, **options), inputs.data_of(dataset)
    documents, workers = data.documents(), executor(engine, jobs)
    return runs.run_in_memory(extraction, documents, data.name, executor=workers, progress=progress)


def write_run(
    system: SystemLike, dataset: str | Path | DataSet, output: str | Path, top: Length = DEPTH, **how: Any
) -> runs.WrittenRun:
    """Write a run of any size into a file, arguments as for ``run``; predictions are in memory only with ``keep``."""
    engine, jobs, progress, keep = (how.pop(name, None) for name in ("engine", "jobs", "progress", "keep"))
    extraction, data = prepare_run(system, top, **how), inputs.data_of(dataset)
    check_file(Path(output), [dataset])
    work = runs.RunWork(extraction, executor(engine, jobs), progress, bool(keep))
    return work.write(Path(output), data.documents, data.name)
