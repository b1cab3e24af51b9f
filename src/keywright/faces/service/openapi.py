"""``GET /openapi.json``: a description of all routes, which a test holds against those that run."""

from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.core import VERSION
from keywright.core.choices import FORMATS
from keywright.core.json_values import to_json
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.faces.record_schemas import (
    ANY_OBJECT,
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    Schema,
    array,
    extraction,
    failure,
    keyphrase,
    obj,
    option_schema,
    or_null,
)  # fmt: skip
from keywright.faces.service.answers import PROBLEM_TYPE
from keywright.faces.service.extraction import MEDIA_TYPES

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
_JSON: Final = "application/json"
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
    lines = {**STRING, "description": "A JSON object on each line: Extraction or Failure, in order."}
    records = {**STRING, "description": "A JSON object on each line: a Document."}
    extracted = _describe_content(_JSON, "Extraction")
    about = "Extract keyphrases from records; rows come in order, documents that fail are rows with an error."
    batch = _describe_operation(
        *("extract_batch", about, _describe_content(MEDIA_TYPES[0], records)),
        *(_describe_content(MEDIA_TYPES[0], lines), _EXTRACTING[:-1]),
    )
    batch["parameters"] = _describe_query(option_schemas())
    about = f"Extract keyphrases from a file: {FORMATS}."
    file = _describe_operation("extract_file", about, _describe_content("multipart/form-data", "FileForm"), extracted)
    about = "Extract keyphrases from a text or a record."
    extract = _describe_operation("extract", about, _describe_content(_JSON, "ExtractRequest"), extracted)
    metrics = _describe_operation(
        "metrics", "Numbers for Prometheus.", {}, _describe_content("text/plain", STRING), ("401",)
    )
    about, names = "List the vocabularies of the service.", array(refer_to("Vocabulary"))
    ready = "Answer whether requests can be taken now."
    return {
        "/api/extract": {"post": extract},
        "/api/extract/file": {"post": file},
        "/api/extract/batch": {"post": batch},
        "/api/systems": {"get": _describe_lookup("systems", "List all systems.", array(refer_to("System")))},
        "/api/vocabularies": {"get": _describe_lookup("vocabularies", about, names)},
        "/healthz": {"get": _describe_lookup("health", "Answer as long as the service runs.", "Status", ())},
        "/readyz": {"get": _describe_lookup("readiness", ready, "Status", ("503",))},
        "/metrics": {"get": metrics},
        "/openapi.json": {"get": _describe_lookup("openapi", "This description.", ANY_OBJECT)},
    }


def describe_annif_paths() -> dict[str, Schema]:
    """Return the description of the addresses of Annif's API."""
    project = {"parameters": [{"name": "project_id", "in": "path", "required": True, "schema": STRING}]}
    wishes = {"limit": INTEGER, "threshold": NUMBER, "language": STRING}
    form = _describe_content("application/x-www-form-urlencoded", "SuggestForm")
    suggestions = _describe_content(_JSON, "Suggestions")
    suggest = _describe_operation("annif_suggest", "Subjects of a text.", form, suggestions)
    batches = _describe_content(_JSON, array(refer_to("DocumentSuggestions")))
    texts = _describe_content(_JSON, "SuggestBatch")
    suggest_batch = _describe_operation("annif_suggest_batch", "Subjects of up to 32 texts.", texts, batches)
    asked, scores = _describe_content(_JSON, "LanguageRequest"), _describe_content(_JSON, "LanguageScores")
    detect = _describe_operation("annif_detect_language", "How probable each of some languages is.", asked, scores)
    learn = _describe_operation("annif_learn", "Refused: requests change nothing.", {}, {}, ("401", "403", "404"))
    del learn["responses"]["200"]
    describe = _describe_lookup("annif_project", "Describe a project.", "Project", ("401", "404"))
    address = "/v1/projects/{project_id}"
    return {
        "/v1/": {"get": _describe_lookup("annif_about", "Name and version.", "About")},
        "/v1/projects": {"get": _describe_lookup("annif_projects", "List all projects.", "Projects")},
        address: {**project, "get": describe},
        f"{address}/suggest": {**project, "post": suggest},
        f"{address}/suggest-batch": {**project, "post": {**suggest_batch, "parameters": _describe_query(wishes)}},
        f"{address}/learn": {**project, "post": learn},
        "/v1/detect-language": {"post": detect},
    }


def _describe_content(media_type: str, schema: Schema | str) -> Schema:
    """Return the description of a body with a schema, or with one that has a name."""
    return {media_type: {"schema": refer_to(schema) if isinstance(schema, str) else schema}}


def _describe_query(schemas: Schema) -> list[Schema]:
    return [{"name": name, "in": "query", "schema": schema, "required": False} for name, schema in schemas.items()]


def _describe_lookup(name: str, about: str, schema: Schema | str, problems: tuple[str, ...] = ("401",)) -> Schema:
    return _describe_operation(name, about, {}, _describe_content(_JSON, schema), problems)


def _describe_operation(
    name: str, about: str, body: Schema, answer: Schema, problems: tuple[str, ...] = _EXTRACTING
) -> Schema:
    """Return the description of a method of an address."""
    problem = _describe_content(PROBLEM_TYPE, "Problem")
    described: Schema = {status: {"description": _WORDS[status], "content": problem} for status in problems}
    asked: Schema = {"requestBody": {"required": True, "content": body}} if body else {}
    answers = {"200": {"description": "The answer.", "content": answer}} | described
    return {"operationId": name, "summary": about, **asked, "responses": answers}


def refer_to(name: str) -> Schema:
    """Return a reference to one of the schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


def option_schemas() -> Schema:
    """Return the schemas of the options of a request, by name."""
    return {name: option_schema(option, for_service=True) for name, option in options_for(User.SERVICE).items()}


def service_schemas() -> dict[str, Schema]:
    """Return all schemas, by name."""
    document = {
        "id": {"type": ["string", "integer"]},
        **dict.fromkeys(("title", "abstract", "text", "language"), or_null(STRING)),
        "sections": array(obj({"kind": STRING, "text": STRING})),
    }
    request = {
        "text": {**STRING, "description": "A text; either this or a document."},
        "document": refer_to("Document"),
        "id": {**STRING, "description": "Id of the text in the answer (default: text)."},
        **option_schemas(),
    }
    form = {"file": {**STRING, "contentMediaType": "application/octet-stream", "format": "binary"}, **option_schemas()}
    problem = {"type": STRING, "title": STRING, "status": INTEGER, "detail": STRING, "code": STRING, "hint": STRING}
    return {
        "Document": {
            **obj(document, about="A record, as a line of a file of documents; other keys come back as meta."),
            "additionalProperties": True,
        },
        "ExtractRequest": obj(request),
        "FileForm": obj(form, "file"),
        "Extraction": extraction(refer_to("Keyphrase")),
        "Keyphrase": keyphrase(),
        "Failure": failure(),
        "Problem": obj(problem, "type title status detail code hint", "An error (RFC 9457)."),
        "Status": obj({"status": STRING}, "status"),
        "Vocabulary": obj({"name": STRING}, "name"),
        "System": {**obj({"name": STRING, "idea": STRING}, "name idea"), "additionalProperties": True},
    }


def annif_schemas() -> dict[str, Schema]:
    """Return the schemas of the addresses of Annif's API, by name."""
    vocabulary = obj({"vocab_id": STRING, "languages": array(STRING)}, "vocab_id languages")
    project = {
        **dict.fromkeys(("project_id", "name", "language", "vocab_language"), STRING),
        "backend": obj({"backend_id": STRING}, "backend_id"),
        "vocab": vocabulary,
        "is_trained": BOOLEAN,
        "modification_time": or_null(STRING),
    }
    subject = {"uri": STRING, "label": STRING, "notation": or_null(STRING), "score": NUMBER}
    results = array(refer_to("Suggestion"))
    wish = {"limit": INTEGER, "threshold": NUMBER, "language": STRING}
    document = obj({"text": STRING, "document_id": or_null(STRING)}, "text")
    score = obj({"language": or_null(STRING), "score": NUMBER}, "language score")
    return {
        "About": obj({"title": STRING, "version": STRING}, "title version"),
        "Project": obj(project, " ".join(project)),
        "Projects": obj({"projects": array(refer_to("Project"))}, "projects"),
        "Suggestion": obj(subject, "uri label notation score"),
        "SuggestForm": obj({"text": STRING, **wish}, "text"),
        "Suggestions": obj({"results": results}, "results"),
        "SuggestBatch": obj({"documents": {**array(document), "maxItems": 32}}, "documents"),
        "DocumentSuggestions": obj({"document_id": or_null(STRING), "results": results}, "document_id results"),
        "LanguageRequest": obj({"text": STRING, "languages": array(STRING)}, "text languages"),
        "LanguageScores": obj({"results": array(score)}, "results"),
    }
