"""JSON schemas of the records of documents, for the description of the service and for the tools of assistants."""

from typing import Any, Final

from keywright.core.option_types import Option

Schema = dict[str, Any]
STRING: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
INTEGER: Final[Schema] = {"type": "integer"}
ANY_OBJECT: Final[Schema] = {"type": "object", "additionalProperties": True}
SPAN: Final[Schema] = {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}


def array(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def text(description: str, **limits: Any) -> Schema:
    """Return the schema of a text with a description."""
    return {**STRING, "description": description, **limits}


def obj(fields: str, about: str = "", /, **schemas: Schema) -> Schema:
    """Return the schema of an object that has no other keys.

    ``fields``: names with blanks between, each with a type behind a colon unless it is a string: ``read:integer``; with
    ``|null`` where it may be null, and with ``?`` where it may be left out. ``schemas``: those of names in place of a
    type.
    """
    properties, required = {}, []
    for word in fields.split():
        field, _, null = word.removesuffix("?").partition("|")
        name, _, kind = field.partition(":")
        schema = schemas.get(name) or {"type": kind or "string"}
        properties[name] = or_null(schema) if null else schema
        required += [] if word.endswith("?") else [name]
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {}) | ({"description": about} if about else {})


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
    return obj(
        "id language|null system keyphrases coverage|null warnings chosen? author_keywords? profile? assumes? meta?"
        " signature?",
        "Keyphrases of a document, best first.",
        system=text("Short signature of the system."),
        keyphrases=array(phrase),
        coverage=obj("read:integer given:integer", "Characters read, of the characters given."),
        warnings=array(STRING),
        chosen={**INTEGER, "description": "How many of its phrases the system itself recommends."},
        author_keywords=array(STRING),
        profile=array(INTEGER),
        assumes=obj("style expected:number|null"),
        meta=ANY_OBJECT,
        signature=text("Full signature of the system."),
    )


def failure() -> Schema:
    """Return the schema of the record of a document that failed."""
    return obj("id error meta?", error=obj("code message hint"), meta=ANY_OBJECT)


def keyphrase() -> Schema:
    """Return the schema of a keyphrase."""
    probable = "Probability that a person would choose it; null where the system gives none."
    concept = "uri label language|null notation|null scheme|null broader"
    return obj(
        "text score probability|null present generated:boolean? spans evidence? reasons? places? sentence|null? lemma?"
        " acronym? generation? concept? match? ambiguous?",
        text=text("The keyphrase as the document writes it."),
        score={**NUMBER, "description": "Comparable within one document only; higher is better."},
        probability={**NUMBER, "minimum": 0, "maximum": 1, "description": probable},
        present={"type": "boolean", "description": "Whether the document contains it."},
        generated={"type": "boolean", "description": "Whether a language model wrote it, which the document does not."},
        spans={**array(SPAN), "description": "Its places: half-open character offsets into the text."},
        evidence={"type": "object", "additionalProperties": NUMBER},
        reasons={"type": "object", "additionalProperties": array(STRING)},
        places=array(obj("section page:integer|null mentions:integer")),
        sentence=obj("text span", span=SPAN),
        acronym=obj("short long"),
        generation=ANY_OBJECT,
        concept=obj(concept, "A concept of the vocabulary.", broader=array(STRING)),
        match=obj("by similarity:number phrase"),
        ambiguous={**array(STRING), "description": "URIs of all concepts that it can mean."},
    )
