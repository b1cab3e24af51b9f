"""JSON schemas of requests and answers, by the names that they have in the description of the service."""

from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.faces.record_schemas import (
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
)


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
