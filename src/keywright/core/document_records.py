"""Documents as JSON values and back, for the way between processes."""

import json
from typing import Any

from keywright.core.documents import Coverage, Document, Section, SectionKind
from keywright.core.predictions import Failure


def as_json(item: Document | Failure) -> str:
    """Return a document or failure as one line of JSON, ASCII only."""
    if isinstance(item, Failure):
        return json.dumps({"failure": [item.document_id, item.code, item.message, item.hint]})
    record = {
        "id": item.id,
        "text": item.text,
        "sections": [[section.kind.value, section.start, section.end] for section in item.sections],
        "language": item.language,
        "meta": dict(item.meta),
        "coverage": None if item.coverage is None else [item.coverage.read, item.coverage.given],
        "warnings": list(item.warnings),
    }
    return json.dumps(record)


def from_json(line: str | bytes) -> Document | Failure:
    """Return what ``as_json`` wrote.

    Raises:
        ValueError, TypeError, LookupError: it is something else.
    """
    record: dict[str, Any] = json.loads(line)
    if "failure" in record:
        name, code, message, hint = map(str, record["failure"])
        return Failure(name, code, message, hint)
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
