"""Files that the page saves: keyphrases in the formats of the command line, and reviewed documents."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from keywright.core.finished_records import FinishedRecord
from keywright.core.json_text import to_json
from keywright.core.records import plain_record
from keywright.core.signatures import short_signature
from keywright.faces.outputs import output_formats
from keywright.faces.outputs.output_formats import format_named
from keywright.faces.outputs.results import Result, Writer
from keywright.faces.web.review import review_of, reviewed_lines
from keywright.faces.web.selection import kept, thresholds_of
from keywright.faces.web.shown_documents import ShownDocument, ShownDocuments

FORMATS: Final = tuple(form for form in output_formats.KEYPHRASES if form is not output_formats.TABLE)
"""Formats that the page offers: the first is chosen until another is."""
_MEDIA_TYPES: Final = {
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/xml",
}
"""Media types by the last ending of the file; others are bytes."""


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file to save: its name, its media type and its content."""

    name: str
    media_type: str
    content: bytes


def exported(shown: ShownDocuments, fields: Mapping[str, str]) -> SavedFile:
    """Return the keyphrases that are kept, in the format that was chosen.

    Raises:
        UnknownName, BadParameter: fields that the page does not send.
        MissingExtra: the format needs a package that is not installed.
    """
    form = format_named(FORMATS, fields.get("format", ""))
    thresholds = thresholds_of(fields, shown.steps)
    documents = [
        replace(each, prediction=kept(each.prediction, review_of(each.prediction, number, fields), thresholds))
        for number, each in enumerate(shown.documents, start=1)
    ]
    writer = Writer(shown.signature, grouped=False)
    results = _records(documents, shown.signature) if form.records else _results(documents)
    pieces = (piece.encode("utf-8") if isinstance(piece, str) else piece for piece in writer.written(results, form))
    ending = form.endings[0]
    media_type = _MEDIA_TYPES.get(f".{ending.rpartition('.')[2]}", "application/octet-stream")
    return SavedFile(f"keyphrases{ending}", media_type, b"".join(pieces))


def reviewed(shown: ShownDocuments, fields: Mapping[str, str]) -> SavedFile:
    """Return labelled documents, one for each document with a decision.

    Raises:
        BadParameter: nothing was decided.
    """
    reviews = (review_of(each.prediction, number, fields) for number, each in enumerate(shown.documents, start=1))
    lines = "".join(reviewed_lines(shown.documents, reviews))
    return SavedFile("reviewed.jsonl", "application/x-ndjson", lines.encode("utf-8"))


def _records(documents: Iterable[ShownDocument], signature: str) -> Iterator[FinishedRecord]:
    system = short_signature(signature)
    for each in documents:
        prediction = each.prediction
        record = to_json(plain_record(prediction, system))
        yield FinishedRecord(prediction.document_id, record, prediction.warnings, prediction.profile)


def _results(documents: Iterable[ShownDocument]) -> Iterator[Result]:
    return ((each.document, each.prediction) for each in documents)
