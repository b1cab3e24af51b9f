"""Documents of the page with their keyphrases: from texts and files of its form, to the browser and back.

The service keeps nothing.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from starlette.datastructures import UploadFile
from starlette.requests import Request

from keywright.core.documents import Document
from keywright.core.errors import BadRequest, EmptyInput, KeywrightError, TookTooLong, Unavailable
from keywright.core.json_values import check_list, check_numbers, check_object, check_text, to_json
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import document_record, read_document, read_outcome
from keywright.faces.service.bodies import MULTIPART, URLENCODED, Body, check_media_type, parse_form
from keywright.faces.service.extraction import clean_name, save_upload
from keywright.faces.service.state import Service

if TYPE_CHECKING:
    from keywright.api.serving import PageRequest


@dataclass(frozen=True, slots=True)
class PrecisionStep:
    """A precision that can be guaranteed, and the least probability of a phrase that keeps it."""

    target: float
    threshold: float


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document and its keyphrases."""

    document: Document
    prediction: Prediction

    def __post_init__(self) -> None:
        """Check that the phrases are of this document."""
        most = max((end for phrase in self.prediction.keyphrases for _, end in phrase.spans), default=0)
        if most > len(self.document.text) or self.document.id != self.prediction.document_id:
            raise ValueError("phrases of another document")


@dataclass(frozen=True, slots=True)
class ShownDocuments:
    """Documents of one page.

    Attributes:
        signature: full signature of the system.
        documents: in the order of the page.
        steps: precisions that the system can guarantee, if it has a calibrator.
    """

    signature: str
    documents: Sequence[ShownDocument]
    steps: Sequence[PrecisionStep] = ()

    def pack(self) -> str:
        """Return them as one text."""
        records = [
            {
                "document": document_record(each.document),
                "result": each.prediction.to_dict(),
            }
            for each in self.documents
        ]
        return to_json(
            {
                "signature": self.signature,
                "documents": records,
                "steps": [[each.target, each.threshold] for each in self.steps],
            }
        )

    @classmethod
    def unpack(cls, packed: str) -> Self:
        """Return what ``packed`` wrote.

        Raises:
            BadRequest: it is something else: it comes from the browser.
        """
        try:
            values = check_object(json.loads(packed))
            documents = tuple(map(_read_shown_record, check_list(values["documents"], "documents")))
            steps = (check_numbers(each, "steps") for each in check_list(values["steps"], "steps"))
            return cls(
                check_text(values["signature"], "signature"), documents, tuple(PrecisionStep(*step) for step in steps)
            )
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
            hint = "extract the keyphrases again, and leave the hidden field of the page as it is"
            raise BadRequest("the page sent back something else than it got", hint) from error


def read_shown(document: Any, result: Any) -> ShownDocument:
    """Return a document and its keyphrases from JSON values.

    Raises:
        ValueError, TypeError, LookupError: they are something else, or one of them is a failure.
    """
    prediction = read_outcome(check_object(result))
    if isinstance(prediction, Failure):
        raise ValueError("a failure")  # noqa: TRY004 - of the content
    return ShownDocument(read_document(check_object(document)), prediction)


def _read_shown_record(value: object) -> ShownDocument:
    record = check_object(value)
    return read_shown(record["document"], record["result"])


TEXT_NAME: Final = "pasted text"
"""Id of a text from the form."""
FILES: Final = "files"
"""Name of the field with files."""
MOST_FILES: Final = 50
"""Most files of a form; arbitrary, for more there is the command line."""
_MOST_FIELDS: Final = 20_000
"""Most other fields of a form: one for each phrase under review."""
COLUMNS: Final = ("text_column", "title_column", "id_column")
"""Columns of tables among the files, named as on the command line."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """Fields of a form, and its files; a file field that was left empty is none."""

    fields: Mapping[str, str]
    files: Sequence[UploadFile]

    @property
    def options(self) -> list[tuple[str, str]]:
        """Options of the extraction, as texts."""
        return [(name, self.fields[name]) for name in options_for(User.PAGE) if name in self.fields]


async def read_form(request: Request, body: Body, most_bytes: int) -> SentForm:
    """Return the form in a body.

    Raises:
        UnsupportedFormat: the body is not a form.
        BadRequest: the form is damaged.
    """
    check_media_type(request.scope, (MULTIPART, URLENCODED))
    limits = {"max_files": MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": most_bytes}
    form = await parse_form(request.scope, body, f"send it again, with at most {MOST_FILES} files", **limits)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    files = [each for each in form.getlist(FILES) if isinstance(each, UploadFile) and (each.filename or each.size)]
    return SentForm({name: _normalise_line_ends(value) for name, value in fields.items()}, files)


@dataclass(frozen=True, slots=True)
class Extracted:
    """Result of a form: documents with keyphrases, failures, and notes on how files were read."""

    shown: ShownDocuments
    failures: Sequence[KeywrightError | Failure]
    notes: Sequence[str]


async def extract_form(service: Service, form: SentForm) -> Extracted:
    """Return the keyphrases of the text and of all files of a form; what fails costs itself only.

    Raises:
        EmptyInput: there is neither a text nor a file.
        BadParameter: an option is out of its range.
    """
    from keywright.api import TableColumns  # noqa: PLC0415 - loaded with the workers
    from keywright.api.options import options_of_texts  # noqa: PLC0415 - loaded with the workers
    from keywright.api.serving import PageRequest  # noqa: PLC0415 - loaded with the workers

    options = options_of_texts([*form.options, ("explain", "true")])
    text = form.fields.get("text", "")
    if not text.strip() and not form.files:
        raise EmptyInput("there is neither a text nor a file", "paste a text, or choose a file")
    text_column, title_column, id_column = (form.fields.get(name, "").strip() or None for name in COLUMNS)
    columns = TableColumns(text_column, title_column, id_column)
    answers = _Answers()
    if text.strip():
        await answers.add(service, PageRequest(TEXT_NAME, options, text=text))
    for upload in form.files:
        path = await asyncio.to_thread(save_upload, upload.file, service.folder)
        try:
            name = clean_name(upload.filename or "")
            await answers.add(service, PageRequest(name, options, path=path, columns=columns))
        finally:
            path.unlink(missing_ok=True)
            await upload.close()
    shown = ShownDocuments(answers.signature, answers.shown, answers.steps)
    return Extracted(shown, answers.failures, answers.notes)


class _Answers:
    """Answers of the workers, put together."""

    def __init__(self) -> None:
        """Begin with none."""
        self.signature = ""
        self.steps: Sequence[PrecisionStep] = ()
        self.shown: list[ShownDocument] = []
        self.failures: list[KeywrightError | Failure] = []
        self.notes: list[str] = []

    async def add(self, service: Service, request: "PageRequest") -> None:
        """Ask for the documents of a text or file, and put them behind the others."""
        try:
            record = await service.ask(request)
        except (TookTooLong, Unavailable) as error:  # the worker was ended; the other documents are still done
            self.failures.append(Failure.from_error(request.name, error))
            return
        if record.failure is not None:
            self.failures.append(record.failure)
            return
        values = json.loads(record.text)
        self.signature = values["signature"]
        self.notes.extend(values["notes"])
        self.steps = tuple(PrecisionStep(target, threshold) for target, threshold in values["guarantees"])
        for each in values["documents"]:
            if "error" in each["result"]:
                failure = read_outcome(each["result"])
                assert isinstance(failure, Failure)  # noqa: S101 - by its key
                self.failures.append(failure)
            else:
                self.shown.append(read_shown(each["document"], each["result"]))


def _normalise_line_ends(text: str) -> str:
    """Return the value of a field with the line ends that were typed: browsers send two characters for each."""
    return text.replace("\r\n", "\n")
