"""Keyphrases of documents, files and inputs of any size, and runs of systems over data sets."""

import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, Literal, TypeAlias, TypedDict, Unpack, cast, overload

from keywright.api.inputs import (
    DocumentLike,
    ListKeywords,
    SystemLike,
    apply_choices,
    data_of,
    document_of,
    is_document,
    is_missing,
    named_items,
    phrase_filter_of,
    read_item,
    system_of,
)
from keywright.api.options import check_top
from keywright.api.probabilities import drift_warner, inner_system, limited
from keywright.core.atomic_files import check_file
from keywright.core.compact_ids import IdSet
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Progress, Result
from keywright.core.predictions import Failure, Prediction, Predictions, Run
from keywright.core.records import FinishedRecord
from keywright.core.signatures import short_signature
from keywright.datasets.collection import DataSet
from keywright.reading.formats import format_named
from keywright.reading.record_lines import ArrivingInput
from keywright.reading.sources import Unread, find_sources
from keywright.reading.sources import read_documents as in_sources
from keywright.reading.tables.files import NamedTables
from keywright.reading.tables.rows import TableColumns
from keywright.running import runs as collection_runs
from keywright.running.batches import extract_strictly, map_documents
from keywright.running.engines import Serial
from keywright.running.engines import engine as executor
from keywright.running.extraction import AsRecord, Extraction, Outcome, check_ready
from keywright.running.file_extraction import (
    DistinctIds,
    FromFiles,
    Shard,
    drop_document,
    keep_document,
    map_files,
    read_documents,
    select_remaining,
)
from keywright.running.ledger import PartLedger
from keywright.running.part_inputs import Inputs
from keywright.running.parts import PartsReport, PartWork, ResultFiles, list_settings, run_parts
from keywright.running.runs import RunWork, WrittenRun
from keywright.text.languages import ByLanguage


def read_all(paths: Iterable[str | Path]) -> Iterator[Document | Failure]:
    """Yield the documents in files and folders, and a failure for each file that cannot be read.

    >>> import keywright as kw
    >>> [document.id for document in kw.read_all(["examples/note.txt", "examples/article.md"])]
    ['examples/note.txt', 'examples/article.md']
    """
    return in_sources(find_sources(paths, None, sys.stdin.buffer))


def prepare(
    system: SystemLike = "default",
    top: int | None = None,
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
        UnreadableInput: a file of phrases is missing, empty, or not a list of phrases.
        UnknownName, BadParameter: no such system, or an option out of range.
        CannotGuarantee: the documents of calibration do not allow a guarantee.
        NotFitted, NeedsUnmet: the system cannot run as it is.
    """
    check_top(top)
    extractor = apply_choices(system_of(system), options)
    phrase_filter = phrase_filter_of(options)
    extractor = limited(extractor, top, options)
    analyser = ByLanguage(language, tagged="tags" in extractor.needs)
    extraction = Extraction(analyser, extractor, top, explain, phrase_filter)
    check_ready(extraction)
    return extraction


Errors: TypeAlias = Literal["keep", "raise"]
"""Treatment of documents that fail: a ``Failure`` in their place, or an error."""


@overload
def extract(
    documents: DocumentLike,
    system: SystemLike = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    errors: Errors = "keep",
    **options: Unpack[ListKeywords],
) -> Prediction: ...
@overload
def extract(
    documents: Iterator[DocumentLike],
    system: SystemLike = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    errors: Errors = "keep",
    **options: Unpack[ListKeywords],
) -> Iterator[Outcome]: ...
@overload
def extract(
    documents: Any,
    system: SystemLike = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    errors: Errors = "keep",
    **options: Unpack[ListKeywords],
) -> Predictions: ...
def extract(
    documents: Any,
    system: SystemLike = "default",
    top: int | None = None,
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
        system: a name, the folder of a trained system, or a system itself.
        top: number of keyphrases; None for 10, or the system's own cutoff.
        language: ISO 639-1 code; None for each document's own, or the detected one.
        explain: whether keyphrases come with their ``evidence``, and with ``grounds``, the same for people.
        errors: ``keep`` puts a ``Failure`` in the place of each document of a collection that cannot be done;
            ``raise`` stops at the first. A single document always raises.
        options: which of the system's phrases are shown, such as ``min_probability=0.5``, or ``min_precision=0.4``
            for a calibrated system: see ``keywright.core.options``.

    Raises:
        KeywrightError: an option is invalid, or a document fails.
    """
    if errors not in ("keep", "raise"):
        raise BadParameter(f"errors = {errors!r}", "expected 'keep' or 'raise'")
    if is_document(documents) or is_missing(documents):
        return prepare(system, top, language, explain=explain, **options).prediction(document_of(documents))
    items, is_sized = named_items(documents)
    extraction = prepare(system, top, language, explain=explain, **options)
    warned = drift_warner(inner_system(extraction.extractor))
    if errors == "keep":
        outcomes = map_documents(Serial(), extraction, (read_item(item, name) for name, item in items))
    else:
        outcomes = extract_strictly(extraction, (document_of(item, name) for name, item in items))
    stream = map(warned, outcomes)
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
    warned = drift_warner(inner_system(extraction.extractor))
    return map(warned, collection_runs.extract_outcomes(extraction, documents, executor(engine, jobs)))


DEPTH: Final = 50
"""Keyphrases per document in a run: the deepest cutoff of the protocols."""


def run(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: SystemLike,
    dataset: str | Path | DataSet,
    top: int = DEPTH,
    output: str | Path | None = None,
    *,
    language: str | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[ListKeywords],
) -> Run:
    """Predict keyphrases of all documents of a data set.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl", top=1)
    >>> run.predictions[0].texts
    ('leaks',)

    Args:
        system: a name, the folder of a trained system, or a system itself.
        dataset: a name, a JSON Lines file, or a data set.
        top: number of keyphrases per document.
        output: file to write the run to. Finished parts are kept beside it until then: after an interruption the same
            call resumes.
        language: ISO 639-1 code; None for each document's own.
        engine: ``serial``, ``processes`` or ``ray``.
        jobs: number of processes.
        progress: called with the number of documents done, and of all.
        options: which of the system's phrases are kept, as for ``extract``.
    """
    extraction, data = replace(prepare(system, top, language, **options), meta=False), data_of(dataset)
    workers = executor(engine, jobs)
    if output is None:
        return collection_runs.run_in_memory(
            extraction, data.documents(), data.name, executor=workers, progress=progress
        )
    check_file(Path(output), [dataset])
    work = RunWork(extraction, workers, progress, keep=True)
    return work.written(Path(output), data.documents, data.name).run


def write_run(  # noqa: PLR0913 - keywords, as for ``run``
    system: SystemLike,
    dataset: str | Path | DataSet,
    output: str | Path,
    top: int = DEPTH,
    *,
    language: str | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[ListKeywords],
) -> WrittenRun:
    """Write a run into a file as ``run`` does, arguments alike; predictions are in the file only, of any size."""
    extraction, data = replace(prepare(system, top, language, **options), meta=False), data_of(dataset)
    check_file(Path(output), [dataset])
    return RunWork(extraction, executor(engine, jobs), progress).written(Path(output), data.documents, data.name)


class FileOptions(TypedDict, total=False):
    """Keywords of ``extract_files`` on where and on which documents the work is done."""

    engine: str | None
    jobs: int | None
    shard: str | None
    done: Collection[str] | IdSet
    tables: NamedTables | None


def documents_in(path: Path, name: str) -> tuple[Document | Failure, ...]:
    """Return the documents in a file, and a failure for each that cannot be read, as ``extract_files`` reads them.

    PDF, Office files and markup are read in a process of their own, with limits of memory and time, which
    ``stop_reading`` ends from another thread.

    >>> from pathlib import Path
    >>> from keywright import api
    >>> [document.id for document in api.documents_in(Path("examples/article.pdf"), "article")]
    ['article']

    Args:
        path: the file.
        name: id of its document; records have their own.
    """
    return read_documents(Unread(path, name))


def extract_files(
    extraction: Extraction,
    paths: Iterable[str | Path],
    form: str | None = None,
    *,
    keep: bool = False,
    **options: Unpack[FileOptions],
) -> Iterator[tuple[Document | None, Outcome]]:
    """Yield outcomes for all documents in files and folders, in order; worker processes also read the files.

    >>> import keywright as kw
    >>> outcomes = kw.extract_files(kw.prepare("kpminer", top=1), ["examples/note.txt"])
    >>> [outcome.texts for _, outcome in outcomes]
    [('rain gardens',)]

    The outcomes of up to 64 documents are worked out together; they do not wait for a standard input that is slow.

    Args:
        extraction: from ``prepare``.
        paths: files and folders; ``-`` is standard input.
        form: format of the files, such as ``jsonl``; None recognises each.
        keep: whether documents come with their outcomes, in place of None.
        options: ``engine``, ``serial``, ``processes`` or ``ray``; ``jobs``, the number of processes; ``shard``, such as
            ``2/8`` for the second of eight parts, which together are all documents, each once; ``done``, ids that are
            left out, as an earlier call gave them; ``tables``, columns that are read of tables, refused without.

    Raises:
        UnknownName: there is no such format or engine.
        BadParameter: no such shard, or columns of tables and no table among the files.
    """
    work = FromFiles(extraction, keep_document if keep else drop_document)
    warned, distinct = drift_warner(inner_system(extraction.extractor)), DistinctIds(options.get("done", ()))
    outcomes = _map_files(work, paths, form, options)
    return ((document, warned(distinct(outcome))) for document, outcome in outcomes)


def extract_records(
    extraction: Extraction,
    paths: Iterable[str | Path],
    form: str | None = None,
    *,
    include_text: bool = False,
    **options: Unpack[FileOptions],
) -> Iterator[FinishedRecord]:
    """Yield the JSON records of all documents in files and folders, which worker processes make.

    Args:
        extraction: from ``prepare``.
        paths: files and folders; ``-`` is standard input.
        form: format of the files, such as ``jsonl``; None recognises each.
        include_text: whether records hold the document's text.
        options: as for ``extract_files``.

    Raises:
        UnknownName, BadParameter: as for ``extract_files``.
    """
    work = FromFiles(extraction, AsRecord(short_signature(extraction.signature), include_text))
    warned, distinct = drift_warner(inner_system(extraction.extractor)), DistinctIds(options.get("done", ()))
    return (warned(distinct(record)) for record in _map_files(work, paths, form, options))


def _map_files(
    work: FromFiles[Result], paths: Iterable[str | Path], form: str | None, options: FileOptions
) -> Iterator[Result]:
    """Yield the results of all documents, after a check of the options."""
    workers = executor(options.get("engine"), options.get("jobs"))
    paths, tables, part = list(paths), options.get("tables"), options.get("shard")
    if tables is not None:
        tables.check(paths)
    stdin = ArrivingInput(sys.stdin.buffer)
    files = find_sources(paths, format_named(form) if form else None, cast("IO[bytes]", stdin), tables)
    files = select_remaining(files, Shard.parsed(part) if part else None, options.get("done", ()))
    return map_files(workers, work, files, stdin.is_ready)


PART_SIZE: Final = 2_000
"""Documents of a part: some seconds of work, and 50,000 parts of 100 million documents; arbitrary."""


def extract_parts(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    extraction: Extraction,
    paths: Iterable[str | Path],
    folder: str | Path,
    form: str | None = None,
    *,
    size: int = PART_SIZE,
    output: str = "jsonl",
    wide: bool = False,
    include_text: bool = False,
    columns: TableColumns | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    shard: str | None = None,
    force: bool = False,
    tell: Callable[[str], None] | None = None,
    progress: Callable[[int, None], None] | None = None,
) -> PartsReport:
    """Extract keyphrases of files and folders of any size into a folder, one file of results for each part.

    >>> import keywright as kw
    >>> report = kw.extract_parts(kw.prepare("kpminer"), ["examples/abstracts.jsonl"], "keyphrases", size=4)
    >>> report.parts, report.documents, report.failed
    (2, 5, 0)

    The same call again does only what is missing: parts that were not finished, or whose inputs have changed. Memory
    does not grow with the inputs. Ids are distinct within a part; a repetition over parts is not noticed.

    Args:
        extraction: from ``prepare``.
        paths: files and folders.
        folder: folder of the results, new or of the same work; several machines may share it, each with its ``shard``.
        form: format of the files, such as ``jsonl``; None recognises each.
        size: documents of a part. CSV, spreadsheets and packed files are one part each.
        output: ``jsonl`` or ``parquet``.
        wide: one row of Parquet for each document, not for each keyphrase.
        include_text: whether JSON Lines hold the documents' texts.
        columns: columns that are read of tables; None refuses tables.
        engine: ``serial``, ``processes`` or ``ray``.
        jobs: number of workers.
        shard: ``2/8`` for the second of eight machines, each of which does its share of the parts.
        force: whether earlier results in the folder are removed.
        tell: called with notes about tables; None makes them Python warnings.
        progress: called with the number of documents done, and None.

    Returns:
        Counts of all parts in the shard, those that were done before included.

    Raises:
        BadParameter: the folder holds other results or files, or an option is out of range.
        UnknownName: there is no such format or engine.
        UnreadableInput, MissingExtra: an input or a library is not there.
    """
    note = tell or partial(warnings.warn, category=UserWarning, stacklevel=2)
    tables = NamedTables(columns, note) if columns is not None else None
    inputs = Inputs(tuple(map(str, paths)), format_named(form) if form else None, tables, size)
    concepts = extraction.names_concepts
    files = ResultFiles(output, extraction.signature, list_settings(extraction), wide, include_text, concepts)
    files.check()
    warner = partial(drift_warner, inner_system(extraction.extractor))
    work = PartWork(extraction, PartLedger(Path(folder), files.ending), files, warner)
    return run_parts(
        work,
        inputs,
        executor=executor(engine, jobs),
        shard=Shard.parsed(shard) if shard else None,
        force=force,
        progress=progress,
    )
