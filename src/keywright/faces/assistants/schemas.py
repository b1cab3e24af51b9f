"""Names, descriptions and JSON schemas of the tools: what an assistant knows of them."""

from dataclasses import dataclass
from typing import Any, Final

from keywright.core.choices import FORMATS
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.faces.record_schemas import (
    STRING,
    Schema,
    array,
    extraction,
    failure,
    keyphrase,
    obj,
    option_schema,
    required_part,
)

PROTOCOL: Final = "keywright-1"
"""Protocol without a choice: the one to use where no published number has to be matched."""
LONGEST_PATH: Final = 4_096  # characters of the longest path on Linux (PATH_MAX)
MOST_SCORED: Final = 10_000  # most phrases in a list, and most lists, that are scored in a call; arbitrary


@dataclass(frozen=True, slots=True)
class ToolCard:
    """A tool as it is listed, with schemas of its arguments, without other keys, and its structured result."""

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema


def _text(description: str, **limits: Any) -> Schema:
    return {**STRING, "description": description, **limits}


_OPTIONS: Final[Schema] = {
    **{name: option_schema(option, for_service=False) for name, option in options_for(User.ASSISTANT).items()},
    "system": _text(
        "Name of an extraction system from the tool list_systems. Default: the server's, usually the best.",
        maxLength=100,
    ),
}
"""Options of both extracting tools."""
# A list of tools is read by a model with each conversation: no more than the keys that every record has.
DOCUMENT: Final = required_part(extraction(required_part(keyphrase())))  # record of a document

_OUTCOMES: Final[Schema] = {
    "type": "array",
    "items": {"anyOf": [DOCUMENT, required_part(failure())]},
    "description": "The documents of the file, usually one; a document that could not be read has an error.",
}
_PHRASES: Final[Schema] = {"type": "array", "items": STRING, "maxItems": MOST_SCORED}


def _lists(description: str) -> Schema:
    by_id = {"type": "object", "additionalProperties": _PHRASES, "minProperties": 1, "maxProperties": MOST_SCORED}
    return {"description": description, "anyOf": [_PHRASES, by_id]}


def tool_cards(most_characters: int, *, with_files: bool) -> tuple[ToolCard, ...]:
    """Return the tools of a server; without a folder for files there is no tool that reads them."""
    text = _text("The text.", minLength=1, maxLength=most_characters)
    path = _text("Path of the file within the folder.", minLength=1, maxLength=LONGEST_PATH)
    system = {
        "name": STRING,
        "idea": _text("One line about it."),
        "needs": array(STRING),
        "trainable": {"type": "boolean"},
    }
    cards = (
        ToolCard(
            "extract_keyphrases",
            "Extract keyphrases from a text",
            "Find the keyphrases of a text: the phrases that say what it is about, best first, each with the "
            "probability that a person would choose it and with its places. Give the whole text, title first. Works "
            "without network.",
            obj({"text": text, **_OPTIONS}, "text"),
            DOCUMENT,
        ),
        ToolCard(
            "extract_file",
            "Extract keyphrases from a file",
            f"Find the keyphrases of the documents in a file ({FORMATS}). Only files of one folder can be read; their "
            "paths are relative to it, and are not listed: ask the user for the path.",
            obj({"path": path, **_OPTIONS}, "path"),
            obj({"documents": _OUTCOMES}, "documents"),
        ),
        ToolCard(
            "score_keyphrases",
            "Score keyphrases against others",
            "Compare keyphrases with those that people chose: precision, recall and F1 under a named published "
            "protocol. Give one list of phrases each for a single document, or lists by document id.",
            obj(
                {
                    "predicted": _lists("The keyphrases to judge, best first: a list, or lists by document id."),
                    "gold": _lists("The keyphrases that people chose, in the same form."),
                    "protocol": _text(
                        f"Name of the protocol. Default: {PROTOCOL!r}; 'semeval2010', 'kpg' and others reproduce "
                        "published numbers.",
                        maxLength=100,
                    ),
                    "measures": {
                        "type": "array",
                        "items": {"type": "string", "maxLength": 100},
                        "minItems": 1,
                        "maxItems": 100,
                        "description": "Such as ['F@5', 'P@1', 'MAP']. Default: those of the protocol.",
                    },
                },
                "predicted gold",
            ),
            obj(
                {
                    "protocol": _text("Signature of the protocol: every rule by name."),
                    "scored": {"type": "integer", "description": "Number of documents that count."},
                    "values": {
                        "type": "object",
                        "additionalProperties": {"type": ["number", "null"]},
                        "description": "Fractions by name, such as gold/F@5.",
                    },
                },
                "protocol scored values",
                additionalProperties=True,
            ),
        ),
        ToolCard(
            "list_systems",
            "List extraction systems",
            "List the systems that extract keyphrases, with one line about each. Systems that 'must be trained' cannot "
            "be used by name alone. The default needs no choice.",
            obj({}),
            obj(
                {
                    "default": _text("Name of the system that is used without a choice."),
                    "systems": array(obj(system, " ".join(system))),
                },
                "default systems",
            ),
        ),
    )
    return tuple(card for card in cards if with_files or card.name != "extract_file")
