"""Parts of a service: requests, the work on them in worker processes, the pool, and rows of batches."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from keywright.api.collecting import collection
from keywright.api.extract_job import configure_system
from keywright.api.extracting import prepare
from keywright.api.inputs import document, document_of
from keywright.api.options import RequestOptions, drift_warner, guarantees_by_tenths, options_of_values
from keywright.api.vocabularies import load_vocabulary
from keywright.collecting.collected import Collection
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, KeywrightError, TooLarge, unknown_name
from keywright.core.interfaces import Extractor
from keywright.core.json_values import parse_object, to_json
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord, document_record
from keywright.core.signatures import short_signature
from keywright.reading.language_identification import check_language, language_probabilities
from keywright.reading.limits import limit_memory
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread
from keywright.reading.tables.files import NamedTables, needs_columns
from keywright.reading.tables.rows import TableColumns
from keywright.running.extraction import AsRecord
from keywright.running.file_extraction import DistinctIds, FromFiles, extract_batch, read_documents
from keywright.running.reader import read_apart
from keywright.running.request_pool import RequestPool
from keywright.text.languages import ByLanguage

_PREPARED: Final = 16  # Combinations of options that a process keeps prepared; arbitrary
_LONGEST_OPTIONS: Final = 200_000  # characters of options that are kept; their lists take nine bytes for each
_ANALYSERS: Final = 4  # languages whose analysers a process keeps, as their memory of words grows with use; arbitrary
_OTHERS: Final = ("text", "document", "id")  # Fields of a JSON body beside the options
MOST_SHOWN: Final = 200  # documents of a file that the page shows; arbitrary, a browser still scrolls through them
MOST_LISTED: Final = 300  # Most keyphrases of a document that the page lists; arbitrary, nobody reviews more
_SHORT: Final = 20_000  # bytes of a text that may be worked on with others: some milliseconds of work; arbitrary
_CALL_BYTES: Final = 1_000_000_000  # memory for work on what a page sent back, beside what the process has; arbitrary
_GUESSED: Final = TableColumns()


@dataclass(frozen=True, slots=True)
class RequestWork:
    """The work on requests, each a method of a document or a page, called in a worker process.

    Their records are equal to those of ``extract --json`` for the same document: of a failure where it cannot be read.
    A body that is not a JSON object in UTF-8, and options that do not exist or go together, raise their errors.
    ``vocabularies``: names and folders of indexes that requests may name; ``max_characters``: of the longest text;
    ``parameters``: of the system, as on a command line.
    """

    system: str = "default"
    calibrator: str | None = None
    vocabularies: tuple[tuple[str, str], ...] = ()
    max_characters: int = 2_000_000
    parameters: tuple[tuple[str, str], ...] = ()

    def __call__(self, request: "Request") -> Any:
        """Return the answer of a request."""
        return request(self)

    def start(self) -> FinishedRecord:
        """Load everything: the first request of a process."""
        for name, _ in self.vocabularies:
            _prepare(self, (("vocabulary", name),))
        return self._record(_prepare(self, ()), document("A grid scheduler assigns jobs. The scheduler is fair."))

    def sign(self, options: RequestOptions) -> str:
        """Check options, and return the full signature of the system with them."""
        return _prepare(self, options).signature

    def call(self, function: Callable[[], Any]) -> Any:
        """Return what a function of a face returns, for work on what clients sent."""
        with limit_memory(_CALL_BYTES):
            return function()

    def extract_texts(self, texts: Sequence["TextRequest"]) -> tuple[FinishedRecord | KeywrightError, ...]:
        """Return the record of each text, or the error of a bad request; texts with equal options go together."""
        answers: dict[int, FinishedRecord | KeywrightError] = {}
        alike: dict[RequestOptions, dict[int, Document | Failure]] = {}
        for number, text in enumerate(texts):
            try:
                options, read = self._read_request(text)
                alike.setdefault(options, {})[number] = self._check_read(read)
            except KeywrightError as error:
                answers[number] = error
        for options, documents in alike.items():
            try:
                files, signature = _prepare(self, options)
            except KeywrightError as error:
                answers |= dict.fromkeys(documents, error)
                continue
            outcomes = extract_batch(files.extraction, tuple(documents.values()))
            for number, outcome in zip(documents, outcomes, strict=True):
                record = files.finish(None, outcome)
                answers[number] = record if texts[number].line else add_signature(record, signature)
        return tuple(answers[number] for number in range(len(texts)))

    def _read_request(self, text: "TextRequest") -> tuple[RequestOptions, Document | Failure]:
        """Return the options of a text, and its document."""
        if text.line:
            return text.options, read_documents(JsonLine("batch", text.line, text.content))[0]
        values = parse_object(text.content)
        options = options_of_values({name: values[name] for name in values if name not in _OTHERS}, _OTHERS)
        return options, self._read_document(values)

    def extract_file(self, path: Path, name: str, options: RequestOptions) -> FinishedRecord:
        """Return the record of the one document of a file; ``name`` is its id, whose ending may show the format."""
        prepared = _prepare(self, options)
        documents = read_apart(Unread(path, name, most=2))
        if len(documents) != 1:
            message = f"{name} holds {'several documents' if documents else 'no document'}"
            error = BadRecord(message, "send records as a batch: POST /api/extract/batch")
            documents = (Failure.from_error(name, error),)
        return add_signature(self._record(prepared, documents[0]), prepared.signature)

    def show(
        self,
        name: str,
        options: RequestOptions,
        source: str | Path,
        columns: TableColumns = _GUESSED,
        most: int = 20_000_000,
    ) -> FinishedRecord:
        """Return the documents of a request of the page, with their keyphrases.

        ``name`` is the id of a text, and of a document that its file does not name; ``source`` a text, or the file.
        ``columns`` are those that are read of a table; without a column of texts it is guessed, and files of records
        are not taken for tables. ``most``: characters of all texts together.

        The text of the record is an object with ``signature``; ``guarantees``, pairs of a precision and the least
        probability that keeps it; ``documents``, objects with ``document`` and ``result``; and ``notes`` on reading.
        """
        values, notes = dict(options), list[str]()
        top = values.get("top")
        if isinstance(top, int) and top > MOST_LISTED:
            values["top"] = MOST_LISTED + 1
        prepared = _prepare(self, tuple(sorted(values.items())))
        documents: tuple[Document | Failure, ...]
        if isinstance(source, str):
            documents = (document(source, name),)
        else:
            by_columns = needs_columns(name) or (columns.text is not None and NamedTables.reads(name))
            unread = Unread(source, name, columns=columns if by_columns else None, most=MOST_SHOWN + 1)
            documents = read_apart(unread, notes.append)
        if len(documents) > MOST_SHOWN:
            message = f"{name} holds more than {MOST_SHOWN:,} documents, and the first {MOST_SHOWN:,} are shown"
            error = TooLarge(message, f"split it, or in a terminal: keywright extract {name}")
            documents = (*documents[:MOST_SHOWN], Failure.from_error(name, error))
        shown = []
        for read in documents:
            most -= len(read.text) if isinstance(read, Document) else 0
            if most < 0:
                error = TooLarge("the page holds no more text", "send fewer or shorter files at once")
                shown.append({"document": None, "result": Failure.from_error(name, error).to_dict()})
                break
            result = json.loads(self._record(prepared, read).text)
            if len(result.get("keyphrases", ())) > MOST_LISTED:
                command = "POST /api/extract" if isinstance(source, str) else f"keywright extract {name} --top N"
                result["warnings"].append(f"the page lists the first {MOST_LISTED} keyphrases; for more: {command}")
                result["keyphrases"] = result["keyphrases"][:MOST_LISTED]
            shown.append({"document": document_record(read) if isinstance(read, Document) else None, "result": result})
        guarantees = [(each.target, each.threshold) for each in guarantees_by_tenths(_load_system(self), top)]
        answer = {"signature": prepared.signature, "guarantees": guarantees, "documents": shown, "notes": notes}
        return FinishedRecord(name, to_json(answer))

    def collect(
        self,
        sources: Sequence[tuple[str, str | Path]],
        options: RequestOptions,
        columns: Mapping[str, Any],
        show: Callable[[Collection], Any],
    ) -> Any:
        """Return what ``show`` makes of a collection of named texts and files; ``columns``: as of ``kw.collection``."""
        items = [Unread(each, name) if isinstance(each, Path) else document(each, name) for name, each in sources]
        with limit_memory(_CALL_BYTES):
            return show(collection(items, system=_load_system(self), **columns, **_find_options(self, options)))

    def score_languages(self, text: str, languages: Sequence[str]) -> FinishedRecord:
        """Return how probable each language is, best first, and the rest for null."""
        probable = language_probabilities(text)
        scores = sorted(((code, probable.get(check_language(code), 0.0)) for code in languages), key=lambda s: -s[1])
        rest = max(0.0, 1.0 - sum(score for _, score in scores))
        results = [{"language": code, "score": score} for code, score in (*scores, (None, rest))]
        return FinishedRecord("languages", to_json({"results": results}))

    def _record(self, prepared: "Prepared", read: Document | Failure) -> FinishedRecord:
        return prepared.files.finish(None, prepared.files.extraction(self._check_read(read)))

    def _check_read(self, read: Document | Failure) -> Document | Failure:
        """Return the failure of a document whose text is too long, others as they are."""
        if isinstance(read, Document):
            try:
                self.check_length(read.text)
            except TooLarge as error:
                return Failure.from_error(read.id, error)
        return read

    def _read_document(self, values: Mapping[str, Any]) -> Document:
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
        self.check_length(values["text"])
        return document(values["text"], name or "text")

    def check_length(self, text: str) -> None:
        """Raise ``TooLarge`` for a text above the limit."""
        if len(text) > self.max_characters:
            message = f"the text has {len(text):,} characters; at most {self.max_characters:,} are read"
            raise TooLarge(message, "split it, or raise the limit with `keywright serve --max-chars N`")


@dataclass(frozen=True, slots=True)
class TextRequest:
    """A JSON body with ``text``, and perhaps ``id``, or with ``document``; and options. Or a ``line`` of a batch.

    Lines count from 1, and their options are those of their batch.
    """

    content: bytes
    line: int = 0
    options: RequestOptions = ()

    @property
    def is_short(self) -> bool:
        """True if it may be worked on with others that wait."""
        return len(self.content) <= _SHORT


Request: TypeAlias = Callable[[RequestWork], Any]  # a method of it with its arguments, which pickles
Pool: TypeAlias = RequestPool[Request, Any]


def name_line(line: bytes, number: int) -> str:
    """Return the id of the record in a line of a batch, or its number."""
    return JsonLine("batch", number, line).id


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
    calibrator = Path(work.calibrator) if work.calibrator else None
    return configure_system(work.system, dict(work.parameters), {}, calibrator)


class Prepared(NamedTuple):
    """An extraction, from files and records to JSON, that requests with the same options share; and its signature."""

    files: FromFiles[FinishedRecord]
    signature: str


def _prepare(work: RequestWork, options: RequestOptions) -> Prepared:
    is_long = len(str(options)) > _LONGEST_OPTIONS
    return (_prepare_once.__wrapped__ if is_long else _prepare_once)(work, options)


@lru_cache(maxsize=_PREPARED)
def _prepare_once(work: RequestWork, options: RequestOptions) -> Prepared:
    values = _find_options(work, options)
    extraction = prepare(_load_system(work), **values)
    extraction = replace(extraction, analyser=_make_analyser(extraction.extractor.needs, values.get("language")))
    signature = extraction.signature
    return Prepared(FromFiles(extraction, AsRecord(short_signature(signature))), signature)


def _find_options(work: RequestWork, options: RequestOptions) -> dict[str, Any]:
    """Return options with the vocabulary that they name."""
    values = dict(options)
    if isinstance(name := values.get("vocabulary"), str):
        folders = dict(work.vocabularies)
        if name not in folders:
            raise unknown_name("vocabulary", name, folders, "GET /api/vocabularies")
        values["vocabulary"] = _load_index(folders[name])
    return values


def request_work(
    system: str = "default",
    calibrator: str | Path | None = None,
    vocabularies: Sequence[str | Path] = (),
    max_characters: int = 2_000_000,
    parameters: tuple[tuple[str, str], ...] = (),
) -> RequestWork:
    """Return the work on requests, its vocabularies checked; ``parameters``: texts of the system's.

    ``vocabularies``: folders of indexes, which requests name by the last part of the path; no two with the same name.
    """
    folders: dict[str, str] = {}
    for place in (Path(folder).resolve() for folder in vocabularies):
        if place.name in folders:
            raise BadParameter(f"two vocabularies are called {place.name!r}", "rename one of the folders")
        load_vocabulary(place)
        folders[place.name] = str(place)
    return RequestWork(
        system, str(calibrator) if calibrator else None, tuple(folders.items()), max_characters, parameters
    )


def request_pool(work: RequestWork, *, jobs: int | None, queue: int, seconds: float) -> Pool:
    """Return a pool for requests, which is not started yet; ``jobs``: of processes, None for one each core."""
    jobs = jobs or os.cpu_count() or 1
    return RequestPool(work, RequestWork.start, join_texts, jobs=jobs, queue=queue, seconds=seconds)


def join_texts(texts: tuple[TextRequest, ...]) -> Request:
    """Return the request for several texts."""
    return partial(RequestWork.extract_texts, texts=texts)


def batch_finisher(work: RequestWork) -> Callable[[FinishedRecord], FinishedRecord]:
    """Return a function that all rows of a batch pass in order, as those of ``extract``: distinct ids, drift."""
    distinct = DistinctIds()
    if work.calibrator is None:
        return distinct
    warn = drift_warner(_load_system(work))
    return lambda record: warn(distinct(record))
