"""``GET /openapi.json``: a description of all routes, which a test holds against those that run."""

from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.core import VERSION
from keywright.core.choices import FORMATS
from keywright.core.json_values import to_json
from keywright.faces.record_schemas import STRING, Schema, array
from keywright.faces.service.answers import PROBLEM_TYPE
from keywright.faces.service.extraction import MEDIA_TYPES
from keywright.faces.service.schemas import annif_schemas, option_schemas, refer_to, service_schemas

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


def answer_openapi(_request: Request) -> Response:
    """Return the description."""
    return Response(_encode_description(), media_type="application/json")


@cache
def _encode_description() -> bytes:
    return to_json(describe_service()).encode("utf-8")


def describe_service() -> Schema:
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
        "paths": describe_paths() | describe_annif_paths(),
        "components": {
            "schemas": service_schemas() | annif_schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # A token is needed only where the service was started with --token-file.
        "security": [{}, {"token": []}],
    }


def describe_paths() -> dict[str, Schema]:
    """Return the description of each address."""
    lines = {"schema": {**STRING, "description": "A JSON object on each line: Extraction or Failure, in order."}}
    records = {"schema": {**STRING, "description": "A JSON object on each line: a Document."}}
    return {
        "/api/extract": {
            "post": _describe_operation(
                "extract",
                "Extract keyphrases from a text or a record.",
                {"application/json": {"schema": refer_to("ExtractRequest")}},
                {"application/json": {"schema": refer_to("Extraction")}},
                _EXTRACTING,
            )
        },
        "/api/extract/file": {
            "post": _describe_operation(
                "extract_file",
                f"Extract keyphrases from a file: {FORMATS}.",
                {"multipart/form-data": {"schema": refer_to("FileForm")}},
                {"application/json": {"schema": refer_to("Extraction")}},
                _EXTRACTING,
            )
        },
        "/api/extract/batch": {
            "post": {
                **_describe_operation(
                    "extract_batch",
                    "Extract keyphrases from records; rows come in order, documents that fail are rows with an error.",
                    {MEDIA_TYPES[0]: records},
                    {MEDIA_TYPES[0]: lines},
                    _EXTRACTING[:-1],
                ),
                "parameters": [
                    {"name": name, "in": "query", "schema": schema, "required": False}
                    for name, schema in option_schemas().items()
                ],
            }
        },
        "/api/systems": {"get": _describe_lookup("systems", "List all systems.", array(refer_to("System")))},
        "/api/vocabularies": {
            "get": _describe_lookup(
                "vocabularies", "List the vocabularies of the service.", array(refer_to("Vocabulary"))
            )
        },
        "/healthz": {"get": _describe_lookup("health", "Answer as long as the service runs.", refer_to("Status"), ())},
        "/readyz": {
            "get": _describe_lookup(
                "readiness", "Answer whether requests can be taken now.", refer_to("Status"), ("503",)
            )
        },
        "/metrics": {
            "get": _describe_operation(
                "metrics", "Numbers for Prometheus.", {}, {"text/plain": {"schema": STRING}}, ("401",)
            )
        },
        "/openapi.json": {
            "get": _describe_lookup("openapi", "This description.", {"type": "object", "additionalProperties": True})
        },
    }


def describe_annif_paths() -> dict[str, Schema]:
    """Return the description of the addresses of Annif's API."""
    form, json = "application/x-www-form-urlencoded", "application/json"
    suggestions = {json: {"schema": refer_to("Suggestions")}}
    batches = {json: {"schema": array(refer_to("DocumentSuggestions"))}}
    project = {"parameters": [{"name": "project_id", "in": "path", "required": True, "schema": STRING}]}
    wishes = {"limit": {"type": "integer"}, "threshold": {"type": "number"}, "language": STRING}
    asked = [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in wishes.items()]
    address = "/v1/projects/{project_id}"
    forms, texts = {form: {"schema": refer_to("SuggestForm")}}, {json: {"schema": refer_to("SuggestBatch")}}
    languages = {json: {"schema": refer_to("LanguageRequest")}}
    scores = {json: {"schema": refer_to("LanguageScores")}}
    suggest = _describe_operation("annif_suggest", "Subjects of a text.", forms, suggestions, _EXTRACTING)
    suggest_batch = _describe_operation(
        "annif_suggest_batch", "Subjects of up to 32 texts.", texts, batches, _EXTRACTING
    )
    about = "How probable each of some languages is."
    detect = _describe_operation("annif_detect_language", about, languages, scores, _EXTRACTING)
    learn = _describe_operation("annif_learn", "Refused: requests change nothing.", {}, {}, ("401", "403", "404"))
    del learn["responses"]["200"]
    describe = _describe_lookup("annif_project", "Describe a project.", refer_to("Project"), ("401", "404"))
    return {
        "/v1/": {"get": _describe_lookup("annif_about", "Name and version.", refer_to("About"))},
        "/v1/projects": {"get": _describe_lookup("annif_projects", "List all projects.", refer_to("Projects"))},
        address: {**project, "get": describe},
        f"{address}/suggest": {**project, "post": suggest},
        f"{address}/suggest-batch": {**project, "post": {**suggest_batch, "parameters": asked}},
        f"{address}/learn": {**project, "post": learn},
        "/v1/detect-language": {"post": detect},
    }


def _describe_lookup(name: str, about: str, schema: Schema, problems: tuple[str, ...] = ("401",)) -> Schema:
    return _describe_operation(name, about, {}, {"application/json": {"schema": schema}}, problems)


def _describe_operation(name: str, about: str, body: Schema, answer: Schema, problems: tuple[str, ...]) -> Schema:
    """Return the description of a method of an address."""
    described: dict[str, Any] = {
        status: {"description": _WORDS[status], "content": {PROBLEM_TYPE: {"schema": refer_to("Problem")}}}
        for status in problems
    }
    asked: dict[str, Any] = {"requestBody": {"required": True, "content": body}} if body else {}
    return {
        "operationId": name,
        "summary": about,
        **asked,
        "responses": {"200": {"description": "The answer.", "content": answer}, **described},
    }
