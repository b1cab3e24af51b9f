"""``GET /openapi.json``: a description of all routes, which a test holds against those that run."""

from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.json_text import to_json
from keywright.core.version import VERSION
from keywright.faces.http.batches import MEDIA_TYPES
from keywright.faces.http.problems import MEDIA_TYPE
from keywright.faces.http.schemas import annif_schemas, options, reference, schemas
from keywright.faces.record_schemas import STRING, Schema, array

_LIMITS: Final = ("413", "415", "422", "429", "503")
_WORDS: Final = {
    "400": "The request cannot be understood.",
    "401": "A token is needed, and was not sent or is not valid.",
    "403": "The service never does this.",
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
        "paths": paths() | annif_paths(),
        "components": {
            "schemas": schemas() | annif_schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # A token is needed only where the service was started with --token-file.
        "security": [{}, {"token": []}],
    }


def paths() -> dict[str, Schema]:
    """Return the description of each address."""
    lines = {"schema": {**STRING, "description": "A JSON object on each line: Extraction or Failure, in order."}}
    records = {"schema": {**STRING, "description": "A JSON object on each line: a Document."}}
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
            "get": _operation("metrics", "Numbers for Prometheus.", {}, {"text/plain": {"schema": STRING}}, ("401",))
        },
        "/openapi.json": {
            "get": _lookup("openapi", "This description.", {"type": "object", "additionalProperties": True})
        },
    }


def annif_paths() -> dict[str, Schema]:
    """Return the description of the addresses of Annif's API."""
    form, json = "application/x-www-form-urlencoded", "application/json"
    suggestions = {json: {"schema": reference("Suggestions")}}
    batches = {json: {"schema": array(reference("DocumentSuggestions"))}}
    project = {"parameters": [{"name": "project_id", "in": "path", "required": True, "schema": STRING}]}
    wishes = {"limit": {"type": "integer"}, "threshold": {"type": "number"}, "language": STRING}
    asked = [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in wishes.items()]
    address = "/v1/projects/{project_id}"
    forms, texts = {form: {"schema": reference("SuggestForm")}}, {json: {"schema": reference("SuggestBatch")}}
    languages = {json: {"schema": reference("LanguageRequest")}}
    scores = {json: {"schema": reference("LanguageScores")}}
    suggest = _operation("annif_suggest", "Subjects of a text.", forms, suggestions, _EXTRACTING)
    suggest_batch = _operation("annif_suggest_batch", "Subjects of up to 32 texts.", texts, batches, _EXTRACTING)
    about = "How probable each of some languages is."
    detect = _operation("annif_detect_language", about, languages, scores, _EXTRACTING)
    learn = _operation("annif_learn", "Refused: requests change nothing.", {}, {}, ("401", "403", "404"))
    del learn["responses"]["200"]
    describe = _lookup("annif_project", "Describe a project.", reference("Project"), ("401", "404"))
    return {
        "/v1/": {"get": _lookup("annif_about", "Name and version.", reference("About"))},
        "/v1/projects": {"get": _lookup("annif_projects", "List all projects.", reference("Projects"))},
        address: {**project, "get": describe},
        f"{address}/suggest": {**project, "post": suggest},
        f"{address}/suggest-batch": {**project, "post": {**suggest_batch, "parameters": asked}},
        f"{address}/learn": {**project, "post": learn},
        "/v1/detect-language": {"post": detect},
    }


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
