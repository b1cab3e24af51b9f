"""Keyphrases of documents in files and folders of any size, and all of it as one job."""

import sys
import warnings
from collections import abc
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import IO, Any, Final, TypedDict, Unpack, cast

from keywright.api.extracting import prepare
from keywright.api.inputs import parse_system
from keywright.api.options import apply_choices, calibrated, drift_warner
from keywright.core.documents import Document
from keywright.core.interfaces import Extractor, Result
from keywright.core.options import ChoiceOptions, changed_options, options_of
from keywright.core.predictions import Failure, Outcome
from keywright.core.records import FinishedRecord
from keywright.core.signatures import short_signature
from keywright.reading.formats import format_named
from keywright.reading.limits import Limits
from keywright.reading.record_lines import ArrivingInput
from keywright.reading.sources import Unread, find_sources
from keywright.reading.tables.delimited import find_dialect
from keywright.reading.tables.files import CSV as TABLE_CSV
from keywright.reading.tables.files import NamedTables, table_format
from keywright.reading.tables.rows import TableColumns
from keywright.running import file_extraction
from keywright.running.engines import engine as executor
from keywright.running.extraction import AsRecord, Extraction
from keywright.running.file_extraction import DistinctIds, FromFiles, Shard, map_files, read_documents
from keywright.running.part_inputs import Inputs
from keywright.running.parts import PartsReport, PartWork, ResultFiles, list_settings, run_parts


class FileOptions(TypedDict, total=False):
    """Keywords of ``extract_files`` on where and on which documents the work is done.

    Attributes:
        shard: such as ``2/8`` for the second of eight parts, which together are all documents, each once.
        done: ids that are left out, as an earlier call gave them.
        tables: columns that are read of tables, which are refused without.
    """

    engine: str | None
    jobs: int | None
    shard: str | None
    done: abc.Collection[str]
    tables: NamedTables | None


def csv_dialect(files: Iterable[str]) -> tuple[str, str]:
    """Return separator and byte order mark of the first CSV file among some; those of CSV without one.

    >>> from keywright import api
    >>> api.csv_dialect(["examples/article.pdf"])
    (',', '')
    """
    tables = (file for file in files if table_format(file) is TABLE_CSV and Path(file).is_file())
    return next((find_dialect(Path(file), file, Limits()) for file in tables), (",", ""))


def documents_in(path: Path, name: str) -> tuple[Document | Failure, ...]:
    """Return the documents in a file, and a failure for each that cannot be read, as ``extract_files`` reads them.

    PDF, Office files and markup are read in a process of their own, with limits of memory and time, which
    ``stop_reading`` ends from another thread. ``name``: id of the document; records have their own.

    >>> from pathlib import Path
    >>> from keywright import api
    >>> [document.id for document in api.documents_in(Path("examples/article.pdf"), "article")]
    ['article']
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
    ``form`` is the format of the files, such as ``jsonl``, None recognises each; with ``keep`` documents come with
    their outcomes, in place of None; ``options`` are those of ``FileOptions``.
    """
    work = FromFiles(extraction, file_extraction.keep_document if keep else file_extraction.drop_document)
    finish = _finisher(extraction, options)
    return ((document, finish(outcome)) for document, outcome in _map_files(work, paths, form, options))


def _finisher(extraction: Extraction, options: FileOptions) -> Callable[[Any], Any]:
    """Return a function that all outcomes or records pass in order: distinct ids, and a warning of drift."""
    warn, distinct = drift_warner(extraction.extractor), DistinctIds(options.get("done", ()))
    return lambda outcome: warn(distinct(outcome))


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
    files = file_extraction.select_remaining(files, Shard.parsed(part) if part else None, options.get("done", ()))
    return map_files(workers, work, files, stdin.is_ready)


PART_SIZE: Final = 2_000  # documents of a part: some seconds of work, 50,000 parts of 100 million documents; arbitrary


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
    does not grow with the inputs. Ids are distinct within a part; a repetition over parts is not noticed. The counts
    are those of all parts in the shard, those that were done before included.

    Args:
        folder: folder of the results, new or of the same work; several machines may share it, each with its ``shard``.
        size: documents of a part. CSV, spreadsheets and packed files are one part each.
        output: ``jsonl`` or ``parquet``.
        wide: one row of Parquet for each document, not for each keyphrase.
        include_text: whether JSON Lines hold the documents' texts.
        columns: columns that are read of tables; None refuses tables.
        shard: ``2/8`` for the second of eight machines, each of which does its share of the parts.
        tell: called with notes about tables; None makes them Python warnings.
    """
    note = tell or partial(warnings.warn, category=UserWarning, stacklevel=2)
    tables = NamedTables(columns, note) if columns is not None else None
    inputs = Inputs(tuple(map(str, paths)), format_named(form) if form else None, tables, size)
    settings, concepts = list_settings(extraction), extraction.names_concepts
    files = ResultFiles(Path(folder), output, extraction.signature, settings, wide, include_text, concepts)
    files.check()
    work = PartWork(extraction, files, partial(drift_warner, extraction.extractor))
    part, workers = Shard.parsed(shard) if shard else None, executor(engine, jobs)
    return run_parts(work, inputs, executor=workers, shard=part, force=force, progress=progress)


def configure_system(
    system: str, parameters: Mapping[str, str], keywords: Mapping[str, Any], calibrator: Path | None
) -> Extractor:
    """Return a system with parameters from texts, the choices among keywords, and a calibrator if there is one."""
    chosen = apply_choices(parse_system(system, parameters), keywords)
    return calibrated(chosen, calibrator) if calibrator else chosen


@dataclass(frozen=True)
class ExtractJob:
    """Keyphrases of documents in files and folders: inputs, system and options in one value.

    ``parameters``: texts of the system's; ``options``: those of ``core.options`` by name; ``tables``: columns that are
    read of tables, None refuses them; ``include_text``: whether records hold the documents' texts.
    """

    files: tuple[str, ...]
    system: str = "default"
    parameters: Mapping[str, str] = field(default_factory=dict)
    calibrator: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    form: str | None = None
    tables: NamedTables | None = None
    include_text: bool = False
    engine: str | None = None
    jobs: int | None = None
    shard: str | None = None

    @cached_property
    def extraction(self) -> Extraction:
        """The work on each document; raises as ``prepare`` and ``configure_system`` do."""
        chosen = configure_system(self.system, self.parameters, self.options, self.calibrator)
        return prepare(chosen, **{name: self.options[name] for name in self.options.keys() - options_of(ChoiceOptions)})

    @property
    def settings(self) -> dict[str, Any]:
        """Options that are not the default and change results, beside the system, for records."""
        columns = self.tables.columns if self.tables else TableColumns()
        return changed_options(
            self.extraction.phrase_filter,
            **{name: self.options.get(name) for name in ("top", "language", "explain")},
            include_text=self.include_text,
            shard=self.shard,
            text_column=columns.text,
            title_column=columns.title,
            id_column=columns.id,
            keep_column=list(columns.keep or ()) or None,
            cite_column=dict(columns.cited) or None,
        )

    def outcomes(self, done: abc.Collection[str] = (), *, keep: bool) -> Iterator[tuple[Document | None, Outcome]]:
        """Yield outcomes as ``extract_files`` does; ``done``: ids that are left out; ``keep``: with the documents."""
        return extract_files(self.extraction, self.files, self.form, keep=keep, **self._file_options(done))

    def records(self, done: abc.Collection[str] = ()) -> Iterator[FinishedRecord]:
        """Yield the JSON records of all documents, which worker processes make; ``done``: ids that are left out."""
        options = self._file_options(done)
        work = FromFiles(self.extraction, AsRecord(short_signature(self.extraction.signature), self.include_text))
        return map(_finisher(self.extraction, options), _map_files(work, self.files, self.form, options))

    def write_parts(self, folder: Path, **how: Any) -> PartsReport:
        """Write results in parts as ``extract_parts`` does; ``how``: its ``output``, ``wide``, ``size`` and others."""
        return extract_parts(
            self.extraction,
            self.files,
            folder,
            self.form,
            include_text=self.include_text,
            columns=self.tables.columns if self.tables else None,
            tell=self.tables.tell if self.tables else None,
            engine=self.engine,
            jobs=self.jobs,
            shard=self.shard,
            **how,
        )

    def _file_options(self, done: abc.Collection[str]) -> FileOptions:
        return {"engine": self.engine, "jobs": self.jobs, "shard": self.shard, "done": done, "tables": self.tables}
