"""Documents as JSON values and back, for the way between processes."""

import json
from collections.abc import Mapping
from typing import Any

from keywright.core.documents import Coverage, Document, Section, SectionKind
from keywright.core.predictions import Failure


def as_json(item: Document | Failure) -> str:
    """Return a document or failure as one line of JSON, ASCII only."""
    if isinstance(item, Failure):
        return json.dumps({"failure": [item.document_id, item.code, item.message, item.hint]})
    return json.dumps(document_record(item))


def from_json(line: str | bytes) -> Document | Failure:
    """Return what ``as_json`` wrote.

    Raises:
        ValueError, TypeError, LookupError: it is something else.
    """
    record: dict[str, Any] = json.loads(line)
    if "failure" in record:
        name, code, message, hint = map(str, record["failure"])
        return Failure(name, code, message, hint)
    return read_document(record)


def document_record(document: Document) -> dict[str, Any]:
    """Return a document as JSON values."""
    return {
        "id": document.id,
        "text": document.text,
        "sections": [[section.kind.value, section.start, section.end] for section in document.sections],
        "language": document.language,
        "meta": dict(document.meta),
        "coverage": None if document.coverage is None else [document.coverage.read, document.coverage.given],
        "warnings": list(document.warnings),
    }


def read_document(record: Mapping[str, Any]) -> Document:
    """Return the document of ``document_record``.

    Raises:
        ValueError, TypeError, LookupError: it is something else.
    """
    coverage = record["coverage"]
    return Document(
        id=str(record["id"]),
        text=str(record["text"]),
        sections=tuple(Section(SectionKind(kind), int(start), int(end)) for kind, start, end in record["sections"]),
        language=None if record["language"] is None else str(record["language"]),
        meta=dict(record["meta"]),
        coverage=None if coverage is None else Coverage(int(coverage[0]), int(coverage[1])),
        warnings=tuple(map(str, record["warnings"])),
    )
