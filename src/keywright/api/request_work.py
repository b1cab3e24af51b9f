"""The work on requests to the service, done in its worker processes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.api.extracting import prepare
from keywright.api.inputs import document, document_of, parametrised
from keywright.api.options import RequestOptions, options_of_values
from keywright.api.probabilities import calibrated, guarantees_by_tenths
from keywright.api.vocabularies import load_vocabulary
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, BadRequest, TooLarge, UnreadableInput, unknown_name
from keywright.core.interfaces import Extractor
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord, document_record
from keywright.core.signatures import short_signature
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread
from keywright.reading.tables.files import NamedTables, needs_columns
from keywright.reading.tables.rows import TableColumns
from keywright.running.extraction import AsRecord
from keywright.running.file_extraction import FromFiles, read_documents
from keywright.text.language_identification import language_probabilities
from keywright.text.languages import ByLanguage


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A text, or a file with documents; ``name`` is the id of the text, and of a document that its file does not name.

    Exactly one of ``text`` and ``path`` is set. ``columns`` are those that are read of a table; without a column of
    texts it is guessed, and files of records are not taken for tables.
    """

    name: str
    options: RequestOptions
    text: str = ""
    path: Path | None = None
    columns: TableColumns = field(default_factory=TableColumns)

    @property
    def is_table(self) -> bool:
        """Return whether its file is read by columns, as on the command line."""
        return needs_columns(self.name) or (self.columns.text is not None and NamedTables.reads(self.name))


def page_record(
    request: PageRequest,
    signature: str,
    system: Extractor,
    results: Iterable[tuple[Document | Failure, str]],
    notes: Sequence[str],
) -> FinishedRecord:
    """Return one record for all documents of a request.

    Its text is an object with ``signature``, ``guarantees``, pairs of a precision and the least probability that keeps
    it, ``documents``, objects with ``document`` and ``result``, and ``notes``.

    Args:
        request: which is answered.
        signature: of the system.
        system: whose guarantees are asked for.
        results: documents, or failures to read them, with the text of the record of each.
        notes: what people should know of how the documents were read.
    """
    guarantees = [
        (each.target, each.threshold) for each in guarantees_by_tenths(system, dict(request.options.values).get("top"))
    ]
    documents = [
        {"document": document_record(read) if isinstance(read, Document) else None, "result": json.loads(record)}
        for read, record in results
    ]
    values = {"signature": signature, "guarantees": guarantees, "documents": documents, "notes": list(notes)}
    return FinishedRecord(request.name, to_json(values))


_PREPARED: Final = 16
"""Combinations of options that a process keeps prepared; arbitrary."""
_ANALYSERS: Final = 4
"""Languages set by requests whose analysers a process keeps; arbitrary."""
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
class OptionsRequest:
    """Options alone, which are checked; the record has only the full signature of the system."""

    options: RequestOptions


@dataclass(frozen=True, slots=True)
class LanguageRequest:
    """A text, and codes of languages that it may be in; the record has ``results``, most probable first."""

    text: str
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartRequest:
    """The first request of a process, for which everything is loaded."""


Request: TypeAlias = (
    StartRequest | LanguageRequest | TextRequest | RecordRequest | FileRequest | OptionsRequest | PageRequest
)


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

        Raises:
            BadRequest: a body that is not a JSON object in UTF-8.
            BadParameter, UnknownName: options that do not exist or do not go together.
        """
        match request:
            case StartRequest():
                for name, _ in self.vocabularies:
                    _prepare(self, RequestOptions((("vocabulary", name),)))
                return self._record(_prepare(self, RequestOptions()), document(_SAMPLE))
            case LanguageRequest():
                check_length(request.text, self.max_characters)
                return FinishedRecord("languages", to_json({"results": score_languages(request)}))
            case OptionsRequest():
                return FinishedRecord("options", to_json({"signature": _prepare(self, request.options).signature}))
            case TextRequest():
                values = object_of(request.body)
                options = options_of_values({name: values[name] for name in values if name not in _OTHERS}, _OTHERS)
                prepared = _prepare(self, options)
                return add_signature(self._record(prepared, self._requested(values)), prepared.signature)
            case FileRequest():
                prepared = _prepare(self, request.options)
                read = self._only_document(prepared, Unread(request.path, request.name))
                return add_signature(self._record(prepared, read), prepared.signature)
            case PageRequest():
                return self._page(request)
            case RecordRequest():
                prepared = _prepare(self, request.options)
                (read,) = prepared.files.documents(JsonLine("batch", request.number, request.line))
                return self._record(prepared, read)

    def _page(self, request: PageRequest) -> FinishedRecord:
        """Return the documents of a request of the page, with their keyphrases."""
        prepared = _prepare(self, request.options)
        notes: list[str] = []
        if request.path is None:
            documents: Sequence[Document | Failure] = [document(request.text, request.name)]
        else:
            columns = request.columns if request.is_table else None
            documents = read_documents(Unread(request.path, request.name, columns=columns), notes.append)
        if len(documents) > MOST_SHOWN:
            message = f"{request.name} holds {len(documents):,} documents, and the first {MOST_SHOWN:,} are shown"
            error = TooLarge(message, f"split it, or in a terminal: keywright extract {request.name}")
            documents = (*documents[:MOST_SHOWN], Failure.from_error(request.name, error))
        results = [(read, self._record(prepared, read).text) for read in documents]
        return page_record(request, prepared.signature, _load_system(self), results, notes)

    def _record(self, prepared: "Prepared", read: Document | Failure) -> FinishedRecord:
        """Return the record of a document, or of its failure."""
        if isinstance(read, Document):
            try:
                check_length(read.text, self.max_characters)
            except TooLarge as error:
                read = Failure.from_error(read.id, error)
        return prepared.files.finish(None, prepared.files.extraction(read))

    def _requested(self, values: Mapping[str, Any]) -> Document | Failure:
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
        check_length(values["text"], self.max_characters)
        return document(values["text"], name or "text")

    def _only_document(self, prepared: "Prepared", source: Unread) -> Document | Failure:
        """Return the document of a file, which has to hold one."""
        read = prepared.files.documents(source)
        if len(read) != 1:
            message = f"{source.name} holds {'several documents' if read else 'no document'}"
            error: UnreadableInput = BadRecord(message, "send records as a batch: POST /api/extract/batch")
            return Failure.from_error(source.name, error)
        return read[0]


def object_of(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body.

    Raises:
        BadRequest: it is not valid UTF-8, not valid JSON, or not an object.
    """
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


def check_length(text: str, most: int) -> None:
    """Check the number of characters of a text.

    Raises:
        TooLarge: there are more than ``most``.
    """
    if len(text) > most:
        message = f"the text has {len(text):,} characters; at most {most:,} are read"
        raise TooLarge(message, "split it, or raise the limit with `keywright serve --max-chars N`")


def add_signature(record: FinishedRecord, signature: str) -> FinishedRecord:
    """Return a record with the system's full signature, as the first of ``extract --json``; a failure unchanged."""
    if record.failure is not None:
        return record
    # Put in as text: to read the record for one more key would cost more than to write it.
    return replace(record, text=f'{record.text[:-1]}, "signature": {to_json(signature)}}}')


def score_languages(request: LanguageRequest) -> list[dict[str, Any]]:
    """Return a probability for each language of a request, and the rest for none of them."""
    probabilities = language_probabilities(request.text)
    scores = sorted(((probabilities.get(code, 0.0), code) for code in request.languages), key=lambda each: -each[0])
    rest = max(0.0, 1.0 - sum(score for score, _ in scores))
    return [{"language": code, "score": score} for score, code in (*scores, (rest, None))]


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


@lru_cache(maxsize=1)
def _load_system(work: RequestWork) -> Extractor:
    """Return the system of this process, with its models."""
    system = parametrised(work.system, {})
    return calibrated(system, work.calibrator) if work.calibrator else system


@dataclass(frozen=True, slots=True)
class Prepared:
    """An extraction that requests with the same options share.

    Attributes:
        files: extraction from files and records to JSON.
        signature: full signature of the system.
    """

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
    tagged = "tags" in extraction.extractor.needs
    extraction = replace(extraction, analyser=_make_analyser(values.get("language"), tagged))
    signature = extraction.signature
    return Prepared(FromFiles(extraction, AsRecord(short_signature(signature))), signature)


@lru_cache(maxsize=_ANALYSERS)
def _make_analyser(language: str | None, tagged: bool) -> ByLanguage:  # noqa: FBT001 - part of a key
    """Return an analyser, whose memory of words grows with use, so that there are few of them."""
    return ByLanguage(language, tagged=tagged)


@cache
def _load_index(folder: str) -> VocabularyIndex:
    """Return the index in one of the folders of the service, mapped into memory."""
    return load_vocabulary(folder)
