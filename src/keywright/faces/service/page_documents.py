"""Documents of the page with their keyphrases: from texts and files of its form, to the browser and back.

The service keeps nothing.
"""

import json
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Self

from starlette.datastructures import UploadFile

from keywright.api import TableColumns
from keywright.api.options import options_of_texts
from keywright.api.service_requests import PageRequest
from keywright.api.serving import MOST_LISTED
from keywright.core.documents import Document
from keywright.core.errors import BadRequest, EmptyInput, TookTooLong, Unavailable
from keywright.core.json_values import check_list, check_numbers, check_object, check_text, replace_surrogates, to_json
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import FinishedRecord, document_record, read_document, read_outcome
from keywright.faces.service.bodies import parse_form
from keywright.faces.service.extraction import clean_name, store_upload
from keywright.faces.service.state import Service


class PrecisionStep(NamedTuple):
    """A precision that can be guaranteed, and the least probability of a phrase that keeps it."""

    target: float
    threshold: float


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document and its keyphrases."""

    document: Document
    prediction: Prediction

    def __post_init__(self) -> None:
        """Check that the phrases are of this document, with the evidence that they name, and not too many."""
        for phrase in self.prediction.keyphrases:
            reasons = phrase.grounds.reasons.values() if phrase.grounds else ()
            if not phrase.evidence.keys() >= {name for names in reasons for name in names}:
                raise ValueError("reasons without evidence")
        if len(self.prediction.keyphrases) > MOST_LISTED:
            raise ValueError("too many phrases")
        most = max((end for phrase in self.prediction.keyphrases for _, end in phrase.spans), default=0)
        if most > len(self.document.text) or self.document.id != self.prediction.document_id:
            raise ValueError("phrases of another document")

    @classmethod
    def from_record(cls, value: object) -> Self:
        """Return what ``ShownDocuments.pack`` wrote of a document; raise an error of Python for anything else."""
        record = check_object(value)
        prediction = read_outcome(check_object(record["result"]))
        if isinstance(prediction, Failure):
            raise ValueError("a failure")  # noqa: TRY004 - of the content
        return cls(read_document(check_object(record["document"])), prediction)


@dataclass(slots=True)
class ShownDocuments:
    """Documents of one page.

    Attributes:
        signature: full signature of the system.
        documents: in the order of the page.
        steps: precisions that the system can guarantee, if it has a calibrator.
        failures: what was not done; notes: how files were read. Neither is packed.
    """

    signature: str = ""
    documents: Sequence[ShownDocument] = ()
    steps: Sequence[PrecisionStep] = ()
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def pack(self) -> str:
        """Return them as one text."""
        records = [
            {"document": document_record(each.document), "result": each.prediction.to_dict()} for each in self.documents
        ]
        return to_json({"signature": self.signature, "documents": records, "steps": self.steps})

    @classmethod
    def unpack(cls, packed: str) -> Self:
        """Return what ``pack`` wrote.

        Raises:
            BadRequest: it is something else: it comes from the browser.
        """
        try:
            values = check_object(replace_surrogates(json.loads(packed if packed.count("[") <= _MOST_LISTS else "")))
            documents = tuple(map(ShownDocument.from_record, check_list(values["documents"], "documents")))
            steps = tuple(PrecisionStep(*check_numbers(each, "steps")) for each in check_list(values["steps"], "steps"))
            return cls(check_text(values["signature"], "signature"), documents, steps)
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
            hint = "extract the keyphrases again, and leave the hidden field of the page as it is"
            raise BadRequest("the page sent back something else than it got", hint) from error

    @classmethod
    def collect(cls, records: Iterable[FinishedRecord]) -> Self:
        """Return the documents of the records of several texts and files, in their order."""
        shown = cls()
        for record in records:
            if record.failure is not None:
                shown.failures.append(record.failure)
                continue
            values = json.loads(record.text)
            shown.signature = values["signature"]
            shown.notes.extend(values["notes"])
            shown.steps = tuple(PrecisionStep(*step) for step in values["guarantees"])
            failed = [read_outcome(each["result"]) for each in values["documents"] if "error" in each["result"]]
            shown.failures.extend(outcome for outcome in failed if isinstance(outcome, Failure))
            done = (each for each in values["documents"] if "error" not in each["result"])
            shown.documents = (*shown.documents, *map(ShownDocument.from_record, done))
        return shown


TEXT_NAME: Final = "pasted text"
"""Id of a text from the form."""
FILES: Final = "files"
"""Name of the field with files."""
MOST_FILES: Final = 50
"""Most files of a form; arbitrary, for more there is the command line."""
_MOST_FIELDS: Final = 20_000
"""Most other fields of a form: one for each phrase under review."""
_MOST_LISTS: Final = 500_000
"""Most lists in what the page sends back, one for each mention of a phrase; arbitrary, a long book has a tenth."""
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


async def read_form(media_type: str, pieces: AsyncGenerator[bytes, None], most_bytes: int) -> SentForm:
    """Return the form in the pieces of a body of this media type; raise ``BadRequest`` if it is damaged."""
    limits = {"max_files": MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": most_bytes}
    form = await parse_form(media_type, pieces, f"send it again, with at most {MOST_FILES} files", **limits)
    # Browsers send two characters for each line end that was typed.
    fields = {name: value.replace("\r\n", "\n") for name, value in form.multi_items() if isinstance(value, str)}
    files = [each for each in form.getlist(FILES) if isinstance(each, UploadFile) and (each.filename or each.size)]
    return SentForm(fields, files)


async def extract_form(service: Service, form: SentForm) -> list[FinishedRecord]:
    """Return the records of the text and of all files of a form; what fails costs itself only.

    Raises:
        EmptyInput: there is neither a text nor a file.
        BadParameter: an option is out of its range.
    """
    options = options_of_texts([*form.options, ("explain", "true")])
    text = form.fields.get("text", "")
    if not text.strip() and not form.files:
        raise EmptyInput("there is neither a text nor a file", "paste a text, or choose a file")
    text_column, title_column, id_column = (form.fields.get(name, "").strip() or None for name in COLUMNS)
    columns = TableColumns(text_column, title_column, id_column)
    records: list[FinishedRecord] = []

    async def ask(request: PageRequest) -> None:
        # A page that could not be sent back would be of no use.
        request = replace(request, most=service.bodies.bytes - sum(len(record.text) for record in records))
        try:
            records.append(await service.ask(request))
        except (TookTooLong, Unavailable) as error:  # the worker was ended; the other documents are still done
            records.append(FinishedRecord(request.name, "", failure=Failure.from_error(request.name, error)))

    if text.strip():
        await ask(PageRequest(TEXT_NAME, options, text=text))
    for upload in form.files:
        async with store_upload(upload, service.folder) as path:
            await ask(PageRequest(clean_name(upload.filename or ""), options, path=path, columns=columns))
    return records
