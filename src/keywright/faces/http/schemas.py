"""JSON schemas of requests and answers."""

from typing import Any, Final

Schema = dict[str, Any]


def reference(name: str) -> Schema:
    """Return a reference to one of the schemas."""
    return {"$ref": f"#/components/schemas/{name}"}


def array(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def obj(properties: Schema, required: str = "", about: str = "", **others: Any) -> Schema:
    """Return the schema of an object that has no other keys; ``required``: their names, with blanks between."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    schema |= {"required": required.split()} if required else {}
    return schema | ({"description": about} if about else {}) | others


STRING: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
INTEGER: Final[Schema] = {"type": "integer"}
BOOLEAN: Final[Schema] = {"type": "boolean"}
ANY_OBJECT: Final[Schema] = {"type": "object", "additionalProperties": True}
SPAN: Final[Schema] = {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}


def or_null(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"oneOf": [schema, {"type": "null"}]}


def options() -> Schema:
    """Return the schemas of the options of a request, by name."""
    from keywright.api.request_options import MOST  # noqa: PLC0415 - loaded with the workers

    return {
        "top": or_null(
            {
                **INTEGER,
                "minimum": 1,
                "maximum": MOST,
                "description": "Number of keyphrases (default: 10, or the system's own cutoff).",
            }
        ),
        "language": or_null({**STRING, "description": "ISO 639-1 code (default: the document's own, or detected)."}),
        "style": or_null(
            {**STRING, "description": "Whose choice to imitate: author, reader, indexer, subject or general."}
        ),
        "expect": or_null({**NUMBER, "description": "Number of keyphrases that people give to such a document."}),
        "explain": or_null({**BOOLEAN, "description": "Whether keyphrases come with evidence, reasons and places."}),
        "min_probability": or_null(
            {**NUMBER, "minimum": 0, "maximum": 1, "description": "Leave out phrases that are less probable."}
        ),
        "vocabulary": or_null({**STRING, "description": "Vocabulary whose phrases come first (/api/vocabularies)."}),
        "only_vocabulary": or_null({**BOOLEAN, "description": "Whether only its phrases are shown."}),
        "label_language": or_null({**STRING, "description": "ISO 639-1 code of the labels of its concepts."}),
        "broader": or_null({**BOOLEAN, "description": "Whether concepts above those in the text are shown as well."}),
    }


def schemas() -> dict[str, Schema]:
    """Return all schemas, by name."""
    document = {
        "id": {"type": ["string", "integer"]},
        **dict.fromkeys(("title", "abstract", "text", "language"), or_null(STRING)),
        "sections": array(obj({"kind": STRING, "text": STRING})),
    }
    request = {
        "text": {**STRING, "description": "A text; either this or a document."},
        "document": reference("Document"),
        "id": {**STRING, "description": "Id of the text in the answer (default: text)."},
        **options(),
    }
    form = {"file": {**STRING, "contentMediaType": "application/octet-stream", "format": "binary"}, **options()}
    problem = {"type": STRING, "title": STRING, "status": INTEGER, "detail": STRING, "code": STRING, "hint": STRING}
    error = {"code": STRING, "message": STRING, "hint": STRING}
    return {
        "Document": {
            **obj(document, about="A record, as a line of a file of documents; other keys come back as meta."),
            "additionalProperties": True,
        },
        "ExtractRequest": obj(request),
        "FileForm": obj(form, "file"),
        "Extraction": _extraction(),
        "Keyphrase": _keyphrase(),
        "Failure": obj({"id": STRING, "error": obj(error, "code message hint"), "meta": ANY_OBJECT}, "id error"),
        "Problem": obj(problem, "type title status detail code hint", "An error (RFC 9457)."),
        "Status": obj({"status": STRING}, "status"),
        "Vocabulary": obj({"name": STRING}, "name"),
        "System": {**obj({"name": STRING, "idea": STRING}, "name idea"), "additionalProperties": True},
    }


def _extraction() -> Schema:
    properties = {
        "id": STRING,
        "language": or_null(STRING),
        "system": {**STRING, "description": "Short signature of the system."},
        "keyphrases": array(reference("Keyphrase")),
        "coverage": or_null(obj({"read": INTEGER, "given": INTEGER}, "read given")),
        "warnings": array(STRING),
        "chosen": {**INTEGER, "description": "How many of its phrases the system itself recommends."},
        "author_keywords": array(STRING),
        "profile": array(INTEGER),
        "assumes": obj({"style": STRING, "expected": or_null(NUMBER)}, "style expected"),
        "meta": ANY_OBJECT,
        "signature": {**STRING, "description": "Full signature of the system."},
    }
    return obj(properties, "id language system keyphrases coverage warnings", "Keyphrases of a document, best first.")


def _concept() -> Schema:
    properties = {"uri": STRING, "label": STRING, "language": or_null(STRING), "notation": or_null(STRING)}
    properties |= {"scheme": or_null(STRING), "broader": array(STRING)}
    return obj(properties, "uri label language notation scheme broader", "A concept of the vocabulary.")


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
    results = array(reference("Suggestion"))
    wish = {"limit": INTEGER, "threshold": NUMBER, "language": STRING}
    document = obj({"text": STRING, "document_id": or_null(STRING)}, "text")
    score = obj({"language": or_null(STRING), "score": NUMBER}, "language score")
    return {
        "About": obj({"title": STRING, "version": STRING}, "title version"),
        "Project": obj(project, " ".join(project)),
        "Projects": obj({"projects": array(reference("Project"))}, "projects"),
        "Suggestion": obj(subject, "uri label notation score"),
        "SuggestForm": obj({"text": STRING, **wish}, "text"),
        "Suggestions": obj({"results": results}, "results"),
        "SuggestBatch": obj({"documents": {**array(document), "maxItems": 32}}, "documents"),
        "DocumentSuggestions": obj({"document_id": or_null(STRING), "results": results}, "document_id results"),
        "LanguageRequest": obj({"text": STRING, "languages": array(STRING)}, "text languages"),
        "LanguageScores": obj({"results": array(score)}, "results"),
    }


def _keyphrase() -> Schema:
    place = obj({"section": STRING, "page": or_null(INTEGER), "mentions": INTEGER}, "section page mentions")
    properties = {
        "text": STRING,
        "score": NUMBER,
        "probability": or_null({**NUMBER, "minimum": 0, "maximum": 1}),
        "present": {**BOOLEAN, "description": "Whether the text contains it."},
        "spans": {**array(SPAN), "description": "Half-open character offsets into the text."},
        "evidence": {"type": "object", "additionalProperties": NUMBER},
        "reasons": {"type": "object", "additionalProperties": array(STRING)},
        "places": array(place),
        "sentence": or_null(obj({"text": STRING, "span": SPAN}, "text span")),
        "lemma": STRING,
        "acronym": obj({"short": STRING, "long": STRING}, "short long"),
        "generation": ANY_OBJECT,
        "concept": _concept(),
        "ambiguous": {**array(STRING), "description": "URIs of all concepts that it can mean."},
    }
    return obj(properties, "text score probability present spans")
