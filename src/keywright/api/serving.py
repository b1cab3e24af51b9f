"""Parts of a service: requests, the work on them in worker processes, the pool, rows of batches, and projects."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from keywright.api.extract_job import configure_system
from keywright.api.extracting import prepare
from keywright.api.inputs import document, document_of
from keywright.api.options import RequestOptions, drift_warner, guarantees_by_tenths, options_of_values
from keywright.api.service_requests import (
    CallRequest,
    FileRequest,
    LanguageRequest,
    OptionsRequest,
    PageRequest,
    RecordRequest,
    Request,
    StartRequest,
    TextRequest,
)
from keywright.api.vocabularies import load_vocabulary
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, BadRequest, TooLarge, unknown_name
from keywright.core.interfaces import Extractor
from keywright.core.json_values import to_json, unique_keys
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord, document_record
from keywright.core.signatures import short_signature
from keywright.extraction.vocabularies.concepts import code_of
from keywright.reading.language_identification import NO_LANGUAGE, check_language, language_probabilities
from keywright.reading.limits import limit_memory
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread
from keywright.reading.tables.files import NamedTables, needs_columns
from keywright.running.extraction import AsRecord
from keywright.running.file_extraction import DistinctIds, FromFiles, read_documents
from keywright.running.reader import read_apart
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
MOST_LISTED: Final = 300
"""Most keyphrases of a document that the page lists; arbitrary, nobody reviews more."""
_CALL_BYTES: Final = 1_000_000_000
"""Memory for the work on what a page sent back, beside what the process has; arbitrary."""
_SAMPLE: Final = "A grid scheduler assigns jobs. The grid scheduler is fair."


Pool: TypeAlias = RequestPool[Request, Any]


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

    def __call__(self, request: Request) -> Any:
        """Return the record of a document, of a failure where it cannot be read; the result of a call.

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
                return self._read_file(request)
            case RecordRequest():
                (read,) = read_documents(JsonLine("batch", request.number, request.line))
                return self._record(_prepare(self, request.options), read)
            case PageRequest():
                return self._show(request)
            case CallRequest():
                with limit_memory(_CALL_BYTES):
                    return request.function(request.argument)

    def _read_file(self, request: FileRequest) -> FinishedRecord:
        """Return the record of the one document of a file."""
        prepared = _prepare(self, request.options)
        documents = read_apart(Unread(request.path, request.name, most=2))
        if len(documents) != 1:
            message = f"{request.name} holds {'several documents' if documents else 'no document'}"
            error = BadRecord(message, "send records as a batch: POST /api/extract/batch")
            documents = (Failure.from_error(request.name, error),)
        return add_signature(self._record(prepared, documents[0]), prepared.signature)

    def _show(self, request: PageRequest) -> FinishedRecord:
        """Return the documents of a request of the page, with their keyphrases."""
        values, name, notes = dict(request.options.values), request.name, list[str]()
        top = values.get("top")
        if isinstance(top, int) and top > MOST_LISTED:
            values["top"] = MOST_LISTED + 1
        prepared = _prepare(self, RequestOptions(tuple(sorted(values.items()))))
        documents: tuple[Document | Failure, ...]
        if request.path is None:
            documents = (document(request.text, name),)
        else:
            by_columns = needs_columns(name) or (request.columns.text is not None and NamedTables.reads(name))
            columns = request.columns if by_columns else None
            documents = read_apart(Unread(request.path, name, columns=columns, most=MOST_SHOWN + 1), notes.append)
        if len(documents) > MOST_SHOWN:
            message = f"{name} holds more than {MOST_SHOWN:,} documents, and the first {MOST_SHOWN:,} are shown"
            error = TooLarge(message, f"split it, or in a terminal: keywright extract {name}")
            documents = (*documents[:MOST_SHOWN], Failure.from_error(name, error))
        shown, left = [], request.most
        for read in documents:
            left -= len(read.text) if isinstance(read, Document) else 0
            if left < 0:
                error = TooLarge("the page holds no more text", "send fewer or shorter files at once")
                shown.append({"document": None, "result": Failure.from_error(name, error).to_dict()})
                break
            result = json.loads(self._record(prepared, read).text)
            if len(result.get("keyphrases", ())) > MOST_LISTED:
                hint = f"for more: keywright extract {name} --top N" if request.path else "for more: POST /api/extract"
                result["warnings"].append(f"the page lists the first {MOST_LISTED} keyphrases; {hint}")
                result["keyphrases"] = result["keyphrases"][:MOST_LISTED]
            shown.append({"document": document_record(read) if isinstance(read, Document) else None, "result": result})
        guarantees = guarantees_by_tenths(_load_system(self), top)
        answer = {
            "signature": prepared.signature,
            "guarantees": [(each.target, each.threshold) for each in guarantees],
            "documents": shown,
            "notes": notes,
        }
        return FinishedRecord(name, to_json(answer))

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


def name_line(line: bytes, number: int) -> str:
    """Return the id of the record in a line of a batch, or its number."""
    return JsonLine("batch", number, line).id


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body; raise ``BadRequest`` for anything else."""
    try:
        text = body.decode("utf-8-sig")
        values = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=unique_keys)
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
