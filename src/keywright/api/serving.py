"""Parts of a service: requests, the work on them in worker processes, the pool, rows of batches, and projects."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from keywright.api.extract_job import configure_system
from keywright.api.extracting import prepare
from keywright.api.inputs import document, document_of
from keywright.api.options import RequestOptions, drift_warner, guarantees_by_tenths, options_of_values
from keywright.api.vocabularies import load_vocabulary
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, BadRequest, TooLarge, unknown_name
from keywright.core.interfaces import Extractor
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord, document_record
from keywright.core.signatures import short_signature
from keywright.extraction.vocabularies.concepts import code_of
from keywright.reading.language_identification import NO_LANGUAGE, check_language, language_probabilities
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread
from keywright.reading.tables.files import NamedTables, needs_columns
from keywright.reading.tables.rows import TableColumns
from keywright.running.extraction import AsRecord
from keywright.running.file_extraction import DistinctIds, FromFiles, read_documents
from keywright.running.request_pool import RequestPool
from keywright.text.languages import ByLanguage

_PREPARED: Final = 16
"""Combinations of options that a process keeps prepared; arbitrary."""
_ANALYSERS: Final = 4
"""Languages set by requests whose analysers a process keeps, as their memory of words grows with use; arbitrary."""
_OTHERS: Final = ("text", "document", "id")
"""Fields of a JSON body beside the options."""
MOST_SHOWN: Final = 200
"""Most documents of a file that the page shows; arbitrary, a browser still scrolls through their texts."""
_SAMPLE: Final = "A grid scheduler assigns jobs. The grid scheduler is fair."


@dataclass(frozen=True, slots=True)
class TextRequest:
    """A JSON body with ``text``, and perhaps ``id``, or with ``document``, a record; and options."""

    body: bytes


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """A line of a batch: its number, from 1, and its bytes, a record of a document."""

    line: bytes
    number: int
    options: RequestOptions


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file with one document; ``name`` is its id, whose ending may show the format."""

    path: Path
    name: str
    options: RequestOptions


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A text, or a file with documents; ``name`` is the id of the text, and of a document that its file does not name.

    Exactly one of ``text`` and ``path`` is set. ``columns`` are those that are read of a table; without a column of
    texts it is guessed, and files of records are not taken for tables.

    The text of the record is an object with ``signature``; ``guarantees``, pairs of a precision and the least
    probability that keeps it; ``documents``, objects with ``document`` and ``result``; and ``notes`` on the reading.
    """

    name: str
    options: RequestOptions
    text: str = ""
    path: Path | None = None
    columns: TableColumns = field(default_factory=TableColumns)


@dataclass(frozen=True, slots=True)
class OptionsRequest:
    """Options alone, which are checked; the record has only the full signature of the system."""

    options: RequestOptions


@dataclass(frozen=True, slots=True)
class LanguageRequest:
    """A text, and languages that it may be in; ``results`` are their probabilities, and the rest for none of them."""

    text: str
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartRequest:
    """The first request of a process, for which everything is loaded."""


Request: TypeAlias = (
    StartRequest | LanguageRequest | TextRequest | RecordRequest | FileRequest | OptionsRequest | PageRequest
)
Pool: TypeAlias = RequestPool[Request, FinishedRecord]


@dataclass(frozen=True, slots=True)
class RequestWork:
    """A function from a request to its record: equal to that of ``extract --json`` for the same document.

    Attributes:
        system: name of a system, or folder of a trained one.
        calibrator: file of its calibrator.
        vocabularies: names and folders of indexes that requests may name.
        max_characters: longest text.
    """

    system: str = "default"
    calibrator: str | None = None
    vocabularies: tuple[tuple[str, str], ...] = ()
    max_characters: int = 2_000_000

    def __call__(self, request: Request) -> FinishedRecord:
        """Return the record of a document, of a failure where it cannot be read.

        A body that is not a JSON object in UTF-8, and options that do not exist or go together, raise their errors.
        """
        match request:
            case StartRequest():
                for name, _ in self.vocabularies:
                    _prepare(self, RequestOptions((("vocabulary", name),)))
                return self._record(_prepare(self, RequestOptions()), document(_SAMPLE))
            case LanguageRequest():
                return self._score_languages(request)
            case OptionsRequest():
                return FinishedRecord("options", to_json({"signature": _prepare(self, request.options).signature}))
            case TextRequest():
                values = parse_object(request.body)
                options = options_of_values({name: values[name] for name in values if name not in _OTHERS}, _OTHERS)
                prepared = _prepare(self, options)
                return add_signature(self._record(prepared, self._read_document(values)), prepared.signature)
            case FileRequest():
                prepared = _prepare(self, request.options)
                documents = read_documents(Unread(request.path, request.name))
                if len(documents) != 1:
                    message = f"{request.name} holds {'several documents' if documents else 'no document'}"
                    error = BadRecord(message, "send records as a batch: POST /api/extract/batch")
                    documents = (Failure.from_error(request.name, error),)
                return add_signature(self._record(prepared, documents[0]), prepared.signature)
            case RecordRequest():
                (read,) = read_documents(JsonLine("batch", request.number, request.line))
                return self._record(_prepare(self, request.options), read)
            case PageRequest():
                return self._show(request)

    def _show(self, request: PageRequest) -> FinishedRecord:
        """Return the documents of a request of the page, with their keyphrases."""
        prepared, name, notes = _prepare(self, request.options), request.name, list[str]()
        documents: tuple[Document | Failure, ...]
        if request.path is None:
            documents = (document(request.text, name),)
        else:
            by_columns = needs_columns(name) or (request.columns.text is not None and NamedTables.reads(name))
            source = Unread(request.path, name, columns=request.columns if by_columns else None)
            documents = read_documents(source, notes.append)
        if len(documents) > MOST_SHOWN:
            message = f"{name} holds {len(documents):,} documents, and the first {MOST_SHOWN:,} are shown"
            error = TooLarge(message, f"split it, or in a terminal: keywright extract {name}")
            documents = (*documents[:MOST_SHOWN], Failure.from_error(name, error))
        records = [document_record(read) if isinstance(read, Document) else None for read in documents]
        results = [json.loads(self._record(prepared, read).text) for read in documents]
        guarantees = guarantees_by_tenths(_load_system(self), dict(request.options.values).get("top"))
        values = {
            "signature": prepared.signature,
            "guarantees": [(each.target, each.threshold) for each in guarantees],
            "documents": [{"document": each, "result": result} for each, result in zip(records, results, strict=True)],
            "notes": notes,
        }
        return FinishedRecord(name, to_json(values))

    def _record(self, prepared: "Prepared", read: Document | Failure) -> FinishedRecord:
        """Return the record of a document, or of its failure."""
        if isinstance(read, Document):
            try:
                self._check_length(read.text)
            except TooLarge as error:
                read = Failure.from_error(read.id, error)
        return prepared.files.finish(None, prepared.files.extraction(read))

    def _read_document(self, values: Mapping[str, Any]) -> Document:
        """Return the document of a body."""
        if ("text" in values) == ("document" in values):
            raise BadParameter("a request has one of 'text' and 'document'", 'expected {"text": "..."}, and options')
        name = values.get("id")
        if "document" in values:
            if name is not None:
                raise BadParameter("a request with 'document' has an 'id'", "put the id into the document")
            if not isinstance(values["document"], dict):
                hint = 'expected an object with "id" and "text", or "title" and "abstract"; a text alone is "text"'
                raise BadParameter(f"document is {values['document']!r:.60}", hint)
            return document_of(values["document"], "document")
        if not isinstance(values["text"], str):
            raise BadParameter(f"text is {values['text']!r:.60}", "expected a string")
        if name is not None and (not isinstance(name, str) or not name):
            raise BadParameter(f"id is {name!r:.60}", "expected a string")
        self._check_length(values["text"])
        return document(values["text"], name or "text")

    def _score_languages(self, request: LanguageRequest) -> FinishedRecord:
        self._check_length(request.text)
        probabilities = language_probabilities(request.text)
        scores = [(code, probabilities.get(check_language(code), 0.0)) for code in request.languages]
        scores.sort(key=lambda each: -each[1])
        rest = max(0.0, 1.0 - sum(score for _, score in scores))
        results = [{"language": code, "score": score} for code, score in (*scores, (None, rest))]
        return FinishedRecord("languages", to_json({"results": results}))

    def _check_length(self, text: str) -> None:
        if len(text) > self.max_characters:
            message = f"the text has {len(text):,} characters; at most {self.max_characters:,} are read"
            raise TooLarge(message, "split it, or raise the limit with `keywright serve --max-chars N`")


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body; raise ``BadRequest`` for anything else."""
    try:
        values = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        message = f"the body is not valid UTF-8: {error.reason} at byte {error.start}"
        raise BadRequest(message, "send it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadRequest(f"the body is not valid JSON: {reason}", 'expected {"text": "..."}') from error
    if not isinstance(values, dict):
        raise BadRequest(f"the body is a JSON {type(values).__name__}, not an object", 'expected {"text": "..."}')
    return values


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


def add_signature(record: FinishedRecord, signature: str) -> FinishedRecord:
    """Return a record with the system's full signature, as the first of ``extract --json``; a failure unchanged."""
    if record.failure is not None:
        return record
    # Put in as text: to read the record for one more key would cost more than to write it.
    return replace(record, text=f'{record.text[:-1]}, "signature": {to_json(signature)}}}')


_make_analyser = lru_cache(maxsize=_ANALYSERS)(ByLanguage.for_needs)
_load_index = cache(load_vocabulary)


@lru_cache(maxsize=1)
def _load_system(work: RequestWork) -> Extractor:
    """Return the system of this process, with its models."""
    return configure_system(work.system, {}, {}, Path(work.calibrator) if work.calibrator else None)


class Prepared(NamedTuple):
    """An extraction, from files and records to JSON, that requests with the same options share; and its signature."""

    files: FromFiles[FinishedRecord]
    signature: str


@lru_cache(maxsize=_PREPARED)
def _prepare(work: RequestWork, options: RequestOptions) -> Prepared:
    """Return an extraction with the options of a request."""
    values = dict(options.values)
    if isinstance(name := values.get("vocabulary"), str):
        folders = dict(work.vocabularies)
        if name not in folders:
            raise unknown_name("vocabulary", name, folders, "GET /api/vocabularies")
        values["vocabulary"] = _load_index(folders[name])
    extraction = prepare(_load_system(work), **values)
    extraction = replace(extraction, analyser=_make_analyser(extraction.extractor.needs, values.get("language")))
    signature = extraction.signature
    return Prepared(FromFiles(extraction, AsRecord(short_signature(signature))), signature)


def request_work(
    system: str = "default",
    calibrator: str | Path | None = None,
    vocabularies: Sequence[str | Path] = (),
    max_characters: int = 2_000_000,
) -> RequestWork:
    """Return the work on requests, its vocabularies checked.

    ``vocabularies``: folders of indexes, which requests name by the last part of the path; no two with the same name.
    """
    folders: dict[str, str] = {}
    for place in (Path(folder).resolve() for folder in vocabularies):
        if place.name in folders:
            raise BadParameter(f"two vocabularies are called {place.name!r}", "rename one of the folders")
        load_vocabulary(place)
        folders[place.name] = str(place)
    return RequestWork(system, str(calibrator) if calibrator else None, tuple(folders.items()), max_characters)


def request_pool(work: RequestWork, *, jobs: int | None, queue: int, seconds: float) -> Pool:
    """Return a pool for requests, which is not started yet; ``jobs``: of processes, None for one each core."""
    return RequestPool(work, StartRequest(), jobs=jobs or os.cpu_count() or 1, queue=queue, seconds=seconds)


def batch_finisher(work: RequestWork) -> Callable[[FinishedRecord], FinishedRecord]:
    """Return a function that all rows of a batch pass in order, as those of ``extract``: distinct ids, drift."""
    distinct = DistinctIds()
    if work.calibrator is None:
        return distinct
    warn = drift_warner(configure_system(work.system, {}, {}, Path(work.calibrator)))
    return lambda record: warn(distinct(record))


@dataclass(frozen=True, slots=True)
class Project:
    """A vocabulary in a language: of the documents, and of the labels in results; ``languages``: of all labels."""

    vocabulary: str
    language: str
    languages: tuple[str, ...]

    @property
    def name(self) -> str:
        """The project's id."""
        return f"{self.vocabulary}-{self.language}"


def projects_of(work: RequestWork) -> dict[str, Project]:
    """Return the projects by id; none for vocabularies without concepts, as their labels have no URI.

    A vocabulary whose labels have no language has projects in those that it was built for.
    """
    projects: list[Project] = []
    for name, folder in work.vocabularies:
        index = load_vocabulary(folder)
        if index.concepts is not None:
            codes = sorted(set(map(code_of, index.concepts.languages)) - NO_LANGUAGE)
            languages = tuple(codes or index.card["languages"])
            projects += [Project(name, language, languages) for language in languages]
    return {project.name: project for project in projects}
