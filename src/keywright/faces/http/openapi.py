"""``GET /openapi.json``: a description of all routes, which a test holds against those that run."""

from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.json_text import to_json
from keywright.core.version import VERSION
from keywright.faces.http.batches import MEDIA_TYPES
from keywright.faces.http.problems import MEDIA_TYPE
from keywright.faces.http.schemas import Schema, array, options, reference, schemas

_LIMITS: Final = ("413", "415", "422", "429", "503")
_WORDS: Final = {
    "400": "The request cannot be understood.",
    "401": "A token is needed, and was not sent or is not valid.",
    "404": "Something that the request names does not exist.",
    "408": "The body did not arrive in time.",
    "413": "The body or its text is too large.",
    "415": "The media type or the format of the file is not read.",
    "422": "A field is not valid, or the document cannot be read.",
    "429": "The queue is full; Retry-After says when to try again.",
    "503": "The service stops, or the work on the document ended its process.",
    "504": "The work on the document took too long.",
}
_EXTRACTING: Final = ("400", "401", "404", "408", *_LIMITS, "504")


def openapi(_request: Request) -> Response:
    """Return the description."""
    return Response(_text(), media_type="application/json")


@cache
def _text() -> bytes:
    return to_json(description()).encode("utf-8")


def description() -> Schema:
    """Return the description of the service, OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "keywright",
            "version": VERSION,
            "description": "Keyphrases of documents, with calibrated probabilities.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths(),
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # A token is needed only where the service was started with --token-file.
        "security": [{}, {"token": []}],
    }


def paths() -> dict[str, Schema]:
    """Return the description of each address."""
    lines = {"schema": {**_string(), "description": "A JSON object on each line: Extraction or Failure, in order."}}
    records = {"schema": {**_string(), "description": "A JSON object on each line: a Document."}}
    return {
        "/api/extract": {
            "post": _operation(
                "extract",
                "Extract keyphrases from a text or a record.",
                {"application/json": {"schema": reference("ExtractRequest")}},
                {"application/json": {"schema": reference("Extraction")}},
                _EXTRACTING,
            )
        },
        "/api/extract/file": {
            "post": _operation(
                "extract_file",
                "Extract keyphrases from a file: text, Markdown, HTML, PDF, JATS, TEI, DOCX.",
                {"multipart/form-data": {"schema": reference("FileForm")}},
                {"application/json": {"schema": reference("Extraction")}},
                _EXTRACTING,
            )
        },
        "/api/extract/batch": {
            "post": {
                **_operation(
                    "extract_batch",
                    "Extract keyphrases from records; rows come in order, documents that fail are rows with an error.",
                    {MEDIA_TYPES[0]: records},
                    {MEDIA_TYPES[0]: lines},
                    _EXTRACTING[:-1],
                ),
                "parameters": [
                    {"name": name, "in": "query", "schema": schema, "required": False}
                    for name, schema in options().items()
                ],
            }
        },
        "/api/systems": {"get": _lookup("systems", "List all systems.", array(reference("System")))},
        "/api/vocabularies": {
            "get": _lookup("vocabularies", "List the vocabularies of the service.", array(reference("Vocabulary")))
        },
        "/healthz": {"get": _lookup("health", "Answer as long as the service runs.", reference("Status"), ())},
        "/readyz": {
            "get": _lookup("readiness", "Answer whether requests can be taken now.", reference("Status"), ("503",))
        },
        "/metrics": {
            "get": _operation("metrics", "Numbers for Prometheus.", {}, {"text/plain": {"schema": _string()}}, ("401",))
        },
        "/openapi.json": {
            "get": _lookup("openapi", "This description.", {"type": "object", "additionalProperties": True})
        },
    }


def _string() -> Schema:
    return {"type": "string"}


def _lookup(name: str, about: str, schema: Schema, problems: tuple[str, ...] = ("401",)) -> Schema:
    return _operation(name, about, {}, {"application/json": {"schema": schema}}, problems)


def _operation(name: str, about: str, body: Schema, answer: Schema, problems: tuple[str, ...]) -> Schema:
    """Return the description of a method of an address."""
    described: dict[str, Any] = {
        status: {"description": _WORDS[status], "content": {MEDIA_TYPE: {"schema": reference("Problem")}}}
        for status in problems
    }
    asked: dict[str, Any] = {"requestBody": {"required": True, "content": body}} if body else {}
    return {
        "operationId": name,
        "summary": about,
        **asked,
        "responses": {"200": {"description": "The answer.", "content": answer}, **described},
    }
