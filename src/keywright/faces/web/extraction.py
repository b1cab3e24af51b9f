"""Texts and files of the form to documents with keyphrases."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starlette.datastructures import UploadFile
from starlette.requests import Request

from keywright.core.errors import EmptyInput, KeywrightError
from keywright.core.predictions import Failure
from keywright.core.records import read_outcome
from keywright.core.request_errors import TookTooLong, Unavailable
from keywright.faces.http.extraction import safe_name, saved_upload
from keywright.faces.http.forms import MULTIPART, URLENCODED, parsed_form
from keywright.faces.http.limits import Body, check_media_type
from keywright.faces.http.service import Service
from keywright.faces.web.shown_documents import PrecisionStep, ShownDocument, ShownDocuments, shown_document

if TYPE_CHECKING:
    from keywright.api.page_requests import PageRequest

TEXT_NAME: Final = "pasted text"
"""Id of a text from the form."""
FILES: Final = "files"
"""Name of the field with files."""
MOST_FILES: Final = 50
"""Most files of a form; arbitrary, for more there is the command line."""
_MOST_FIELDS: Final = 20_000
"""Most other fields of a form: one for each phrase under review."""
_OPTIONS: Final = ("top", "language", "style", "expect", "vocabulary", "only_vocabulary", "absent", "quality")


COLUMNS: Final = ("text_column", "title_column", "id_column")
"""Columns of tables among the files, named as on the command line."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """Fields of a form, and its files; a file field that was left empty is none."""

    fields: Mapping[str, str]
    files: Sequence[UploadFile]

    @property
    def options(self) -> dict[str, str]:
        """Options of the extraction, as texts."""
        return {name: self.fields[name] for name in _OPTIONS if self.fields.get(name, "").strip()}


async def sent_form(request: Request, body: Body, most_bytes: int) -> SentForm:
    """Return the form in a body.

    Raises:
        UnsupportedFormat: the body is not a form.
        BadRequest: the form is damaged.
    """
    check_media_type(request.scope, (MULTIPART, URLENCODED))
    limits = {"max_files": MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": most_bytes}
    form = await parsed_form(request.scope, body, f"send it again, with at most {MOST_FILES} files", **limits)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    files = [each for each in form.getlist(FILES) if isinstance(each, UploadFile) and (each.filename or each.size)]
    return SentForm({name: _line_feeds(value) for name, value in fields.items()}, files)


@dataclass(frozen=True, slots=True)
class Extracted:
    """Result of a form: documents with keyphrases, failures, and notes on how files were read."""

    shown: ShownDocuments
    failures: Sequence[KeywrightError | Failure]
    notes: Sequence[str]


async def extracted(service: Service, form: SentForm) -> Extracted:
    """Return the keyphrases of the text and of all files of a form; what fails costs itself only.

    Raises:
        EmptyInput: there is neither a text nor a file.
        BadParameter: an option is out of its range.
    """
    from keywright.api import TableColumns  # noqa: PLC0415 - loaded with the workers
    from keywright.api.page_requests import PageRequest  # noqa: PLC0415 - loaded with the workers
    from keywright.api.request_options import options_of_texts  # noqa: PLC0415 - loaded with the workers

    options = options_of_texts({**form.options, "explain": "true"})
    text = form.fields.get("text", "")
    if not text.strip() and not form.files:
        raise EmptyInput("there is neither a text nor a file", "paste a text, or choose a file")
    text_column, title_column, id_column = (form.fields.get(name, "").strip() or None for name in COLUMNS)
    columns = TableColumns(text_column, title_column, id_column)
    answers = _Answers()
    if text.strip():
        await answers.add(service, PageRequest(TEXT_NAME, options, text=text))
    for upload in form.files:
        path = await asyncio.to_thread(saved_upload, upload.file, service.folder)
        try:
            name = safe_name(upload.filename or "")
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
                self.shown.append(shown_document(each["document"], each["result"]))


def _line_feeds(text: str) -> str:
    """Return the value of a field with the line ends that were typed: browsers send two characters for each."""
    return text.replace("\r\n", "\n")
