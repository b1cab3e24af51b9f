"""JSON schemas of the records of documents, for the description of the service and for the tools of assistants."""

from typing import Any, Final

from keywright.core.option_types import Option

Schema = dict[str, Any]


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


def option_schema(option: Option, *, for_service: bool) -> Schema:
    """Return the schema of an option; the service also takes null and names of its vocabularies."""
    schema: Schema = {"type": option.json_type, "description": option.help}
    if option.choices:
        schema["enum"] = list(option.choices)
    if option.json_type == "array":
        schema["items"] = STRING
    for name, end in (("inimum", option.range.least), ("aximum", option.range.most)):
        if end is not None:
            schema[f"exclusiveM{name}" if option.range.is_open else f"m{name}"] = end
    if option.word:
        limits = {name: schema.pop(name) for name in ("type", "minimum", "maximum") if name in schema}
        return schema | {"anyOf": [limits, {"const": option.word}, *([{"type": "null"}] if for_service else [])]}
    if for_service:
        names = ["string"] if option.by_name else []
        schema["type"] = [*names, schema["type"], "null"]
        schema["description"] += f" A list, or the name of {option.by_name}." if option.by_name else ""
        schema |= {"enum": [*option.choices, None]} if option.choices else {}
    return schema


def required_part(schema: Schema) -> Schema:
    """Return the schema of an object with the properties that it requires, which may have others."""
    properties = {name: schema["properties"][name] for name in schema["required"]}
    return {**schema, "properties": properties, "additionalProperties": True}


def extraction(phrase: Schema) -> Schema:
    """Return the schema of the record of a document; ``phrase``: that of a keyphrase, or a reference to it."""
    properties = {
        "id": STRING,
        "language": or_null(STRING),
        "system": {**STRING, "description": "Short signature of the system."},
        "keyphrases": array(phrase),
        "coverage": or_null(
            obj({"read": INTEGER, "given": INTEGER}, "read given", "Characters read, of the characters given.")
        ),
        "warnings": array(STRING),
        "chosen": {**INTEGER, "description": "How many of its phrases the system itself recommends."},
        "author_keywords": array(STRING),
        "profile": array(INTEGER),
        "assumes": obj({"style": STRING, "expected": or_null(NUMBER)}, "style expected"),
        "meta": ANY_OBJECT,
        "signature": {**STRING, "description": "Full signature of the system."},
    }
    return obj(properties, "id language system keyphrases coverage warnings", "Keyphrases of a document, best first.")


def failure() -> Schema:
    """Return the schema of the record of a document that failed."""
    error = {"code": STRING, "message": STRING, "hint": STRING}
    return obj({"id": STRING, "error": obj(error, "code message hint"), "meta": ANY_OBJECT}, "id error")


def keyphrase() -> Schema:
    """Return the schema of a keyphrase."""
    place = obj({"section": STRING, "page": or_null(INTEGER), "mentions": INTEGER}, "section page mentions")
    uri = {"uri": STRING, "label": STRING, "language": or_null(STRING), "notation": or_null(STRING)}
    concept = {**uri, "scheme": or_null(STRING), "broader": array(STRING)}
    properties = {
        "text": {**STRING, "description": "The keyphrase as the document writes it."},
        "score": {**NUMBER, "description": "Comparable within one document only; higher is better."},
        "probability": or_null(
            {
                **NUMBER,
                "minimum": 0,
                "maximum": 1,
                "description": "Probability that a person would choose it; null where the system gives none.",
            }
        ),
        "present": {**BOOLEAN, "description": "Whether the document contains it."},
        "generated": {**BOOLEAN, "description": "Whether a language model wrote it, which the document does not."},
        "spans": {**array(SPAN), "description": "Its places: half-open character offsets into the text."},
        "evidence": {"type": "object", "additionalProperties": NUMBER},
        "reasons": {"type": "object", "additionalProperties": array(STRING)},
        "places": array(place),
        "sentence": or_null(obj({"text": STRING, "span": SPAN}, "text span")),
        "lemma": STRING,
        "acronym": obj({"short": STRING, "long": STRING}, "short long"),
        "generation": ANY_OBJECT,
        "concept": obj(concept, " ".join(concept), "A concept of the vocabulary."),
        "match": obj({"by": STRING, "similarity": NUMBER, "phrase": STRING}, "by similarity phrase"),
        "ambiguous": {**array(STRING), "description": "URIs of all concepts that it can mean."},
    }
    return obj(properties, "text score probability present spans")
