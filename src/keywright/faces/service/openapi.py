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
    text,
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
_TEXT: Final = "Rain gardens hold storm water from roofs. A rain garden is a shallow basin with plants."
_EXAMPLES: Final = {
    "extract": {"text": _TEXT, "top": 3},
    "extract_batch": f'{{"id": "a", "text": "{_TEXT}"}}\n{{"id": "b", "text": "Tide gauges drift."}}\n',
    "extract_file": "file=@report.pdf",
    "annif_suggest": "limit=3&text=Rain+gardens+hold+storm+water.",
    "annif_suggest_batch": {"documents": [{"document_id": "a", "text": _TEXT}]},
    "annif_detect_language": {"text": _TEXT, "languages": ["en", "fr"]},
}
"""Bodies of requests, by operation, for people and programs that try them."""
_JSON: Final = "application/json"
_EXTRACTING: Final = ("400", "401", "404", "408", *_LIMITS, "504")
_WISH: Final = {"limit": INTEGER, "threshold": NUMBER, "language": STRING}  # options of Annif's API


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
    lines = {MEDIA_TYPES[0]: text("A JSON object on each line: Extraction or Failure, in order.")}
    records = {MEDIA_TYPES[0]: text("A JSON object on each line: a Document.")}
    about = "Extract keyphrases from records; rows come in order, documents that fail are rows with an error."
    batch = _describe("extract_batch", about, lines, _EXTRACTING[:-1], records)
    batch["parameters"] = _describe_query(option_schemas())
    about, form = f"Extract keyphrases from a file: {FORMATS}.", {"multipart/form-data": "FileForm"}
    about_text = "Extract keyphrases from a text or a record."
    extract = _describe("extract", about_text, "Extraction", _EXTRACTING, "ExtractRequest")
    names, ready = array(refer_to("Vocabulary")), "Answer whether requests can be taken now."
    metrics = _describe("metrics", "Numbers for Prometheus.", {"text/plain": STRING})
    return {
        "/api/extract": {"post": extract},
        "/api/extract/file": {"post": _describe("extract_file", about, "Extraction", _EXTRACTING, form)},
        "/api/extract/batch": {"post": batch},
        "/api/systems": {"get": _describe("systems", "List all systems.", {_JSON: array(refer_to("System"))})},
        "/api/vocabularies": {
            "get": _describe("vocabularies", "List the vocabularies of the service.", {_JSON: names})
        },
        "/healthz": {"get": _describe("health", "Answer as long as the service runs.", "Status", ())},
        "/readyz": {"get": _describe("readiness", ready, "Status", ("503",))},
        "/metrics": {"get": metrics},
        "/openapi.json": {"get": _describe("openapi", "This description.", {_JSON: ANY_OBJECT})},
    }


def describe_annif_paths() -> dict[str, Schema]:
    """Return the description of the addresses of Annif's API."""
    project = {"parameters": [{"name": "project_id", "in": "path", "required": True, "schema": STRING}]}
    form, batches = {"application/x-www-form-urlencoded": "SuggestForm"}, array(refer_to("DocumentSuggestions"))
    suggest = _describe("annif_suggest", "Subjects of a text.", "Suggestions", _EXTRACTING, form)
    about = "Subjects of up to 32 texts."
    suggest_batch = _describe("annif_suggest_batch", about, {_JSON: batches}, _EXTRACTING, "SuggestBatch")
    about = "How probable each of some languages is."
    detect = _describe("annif_detect_language", about, "LanguageScores", _EXTRACTING, "LanguageRequest")
    learn = _describe("annif_learn", "Refused: requests change nothing.", {}, ("401", "403", "404"))
    del learn["responses"]["200"]
    describe = _describe("annif_project", "Describe a project.", "Project", ("401", "404"))
    address = "/v1/projects/{project_id}"
    return {
        "/v1/": {"get": _describe("annif_about", "Name and version.", "About")},
        "/v1/projects": {"get": _describe("annif_projects", "List all projects.", "Projects")},
        address: {**project, "get": describe},
        f"{address}/suggest": {**project, "post": suggest},
        f"{address}/suggest-batch": {**project, "post": {**suggest_batch, "parameters": _describe_query(_WISH)}},
        f"{address}/learn": {**project, "post": learn},
        "/v1/detect-language": {"post": detect},
    }


def _describe_content(content: Schema | str) -> Schema:
    """Return the description of a body: a schema by its media type, or the name of one of JSON."""
    items = ({_JSON: content} if isinstance(content, str) else content).items()
    return {kind: {"schema": refer_to(schema) if isinstance(schema, str) else schema} for kind, schema in items}


def _describe_query(schemas: Schema) -> list[Schema]:
    return [{"name": name, "in": "query", "schema": schema, "required": False} for name, schema in schemas.items()]


def _describe(
    name: str, about: str, answer: Schema | str, problems: tuple[str, ...] = ("401",), body: Schema | str = ""
) -> Schema:
    """Return the description of a method of an address; ``answer`` and ``body`` as for ``_describe_content``."""
    problem = _describe_content({PROBLEM_TYPE: "Problem"})
    described: Schema = {status: {"description": _WORDS[status], "content": problem} for status in problems}
    bodies = _describe_content(body) if body else {}
    content = {kind: schema | {"example": _EXAMPLES[name]} for kind, schema in bodies.items()}
    asked: Schema = {"requestBody": {"required": True, "content": content}} if body else {}
    answers = {"200": {"description": "The answer.", "content": _describe_content(answer)}} | described
    return {"operationId": name, "summary": about, **asked, "responses": answers}


def refer_to(name: str) -> Schema:
    """Return a reference to one of the schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


def option_schemas() -> Schema:
    """Return the schemas of the options of a request, by name."""
    return {name: option_schema(option, for_service=True) for name, option in options_for(User.SERVICE).items()}


def service_schemas() -> dict[str, Schema]:
    """Return all schemas, by name."""
    options = option_schemas()
    names = "".join(f" {name}?" for name in options)
    file = {**STRING, "contentMediaType": "application/octet-stream", "format": "binary"}
    about = "A record, as a line of a file of documents; other keys come back as meta."
    fields = "id? title|null? abstract|null? text|null? language|null? sections?"
    sections, ids = array(obj("kind? text?")), {"type": ["string", "integer"]}
    request = {
        "text": text("A text; either this or a document."),
        "document": refer_to("Document"),
        "id": text("Id of the text in the answer (default: text)."),
    }
    return {
        "Document": obj(fields, about, id=ids, sections=sections) | {"additionalProperties": True},
        "ExtractRequest": obj(f"text? document? id?{names}", **request, **options),
        "FileForm": obj(f"file{names}", file=file, **options),
        "Extraction": extraction(refer_to("Keyphrase")),
        "Keyphrase": keyphrase(),
        "Failure": failure(),
        "Problem": obj("type title status:integer detail code hint", "An error (RFC 9457)."),
        "Status": obj("status"),
        "Vocabulary": obj("name"),
        "System": obj("name idea") | {"additionalProperties": True},
    }


def annif_schemas() -> dict[str, Schema]:
    """Return the schemas of the addresses of Annif's API, by name."""
    project = "project_id name language vocab_language backend vocab is_trained:boolean modification_time|null"
    vocabulary = obj("vocab_id languages", languages=array(STRING))
    results, documents = array(refer_to("Suggestion")), array(obj("text document_id|null?"))
    return {
        "About": obj("title version"),
        "Project": obj(project, backend=obj("backend_id"), vocab=vocabulary),
        "Projects": obj("projects", projects=array(refer_to("Project"))),
        "Suggestion": obj("uri label notation|null score:number"),
        "SuggestForm": obj("text limit? threshold? language?", **_WISH),
        "Suggestions": obj("results", results=results),
        "SuggestBatch": obj("documents", documents={**documents, "maxItems": 32}),
        "DocumentSuggestions": obj("document_id|null results", results=results),
        "LanguageRequest": obj("text languages", languages=array(STRING)),
        "LanguageScores": obj("results", results=array(obj("language|null score:number"))),
    }
