"""The tools: what an assistant knows of them, their work from arguments to JSON values, and a folder of files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from keywright import api
from keywright.core.choices import FORMATS
from keywright.core.documents import Document
from keywright.core.errors import KeywrightError, MissingData, TooLarge, UnreadableInput, unknown_name
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.core.predictions import Failure
from keywright.core.records import Record, outcome_record
from keywright.core.signatures import short_signature
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
    text,
)

PROTOCOL: Final = "keywright-1"  # protocol to use where no published number has to be matched
LONGEST_PATH: Final = 4_096  # characters of the longest path on Linux (PATH_MAX)
MOST_SCORED: Final = 10_000  # most phrases in a list, and most lists, that are scored in a call; arbitrary


class ToolCard(NamedTuple):
    """A tool as it is listed, with schemas of its arguments, without other keys, and its structured result."""

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema


_SYSTEM: Final = "Name of an extraction system from the tool list_systems. Default: the server's, usually the best."
_OPTIONS: Final[Schema] = {
    **{name: option_schema(option, for_service=False) for name, option in options_for(User.ASSISTANT).items()},
    "system": text(_SYSTEM, maxLength=100),
}
_NAMES: Final = "".join(f" {name}?" for name in _OPTIONS)  # names of the options of both extracting tools
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
    content = text("The text.", minLength=1, maxLength=most_characters)
    path = text("Path of the file within the folder.", minLength=1, maxLength=LONGEST_PATH)
    protocol = f"Name of the protocol. Default: {PROTOCOL!r}; 'semeval2010', 'kpg' and others reproduce published "
    system = obj("name idea needs trainable:boolean", idea=text("One line about it."), needs=array(STRING))
    measures = {
        "type": "array",
        "items": {"type": "string", "maxLength": 100},
        "minItems": 1,
        "maxItems": 100,
        "description": "Such as ['F@5', 'P@1', 'MAP']. Default: those of the protocol.",
    }
    values = {
        "type": "object",
        "additionalProperties": {"type": ["number", "null"]},
        "description": "Fractions by name, such as gold/F@5.",
    }
    cards = (
        ToolCard(
            "extract_keyphrases",
            "Extract keyphrases from a text",
            "Find the keyphrases of a text: the phrases that say what it is about, best first, each with the "
            "probability that a person would choose it and with its places. Give the whole text, title first. Works "
            "without network.",
            obj(f"text{_NAMES}", text=content, **_OPTIONS),
            DOCUMENT,
        ),
        ToolCard(
            "extract_file",
            "Extract keyphrases from a file",
            f"Find the keyphrases of the documents in a file ({FORMATS}). Only files of one folder can be read; their "
            "paths are relative to it, and are not listed: ask the user for the path.",
            obj(f"path{_NAMES}", path=path, **_OPTIONS),
            obj("documents", documents=_OUTCOMES),
        ),
        ToolCard(
            "score_keyphrases",
            "Score keyphrases against others",
            "Compare keyphrases with those that people chose: precision, recall and F1 under a named published "
            "protocol. Give one list of phrases each for a single document, or lists by document id.",
            obj(
                "predicted gold protocol? measures?",
                predicted=_lists("The keyphrases to judge, best first: a list, or lists by document id."),
                gold=_lists("The keyphrases that people chose, in the same form."),
                protocol=text(f"{protocol}numbers.", maxLength=100),
                measures=measures,
            ),
            obj(
                "protocol scored values",
                protocol=text("Signature of the protocol: every rule by name."),
                scored={"type": "integer", "description": "Number of documents that count."},
                values=values,
            )
            | {"additionalProperties": True},
        ),
        ToolCard(
            "list_systems",
            "List extraction systems",
            "List the systems that extract keyphrases, with one line about each. Systems that 'must be trained' cannot "
            "be used by name alone. The default needs no choice.",
            obj(""),
            obj(
                "default systems",
                default=text("Name of the system that is used without a choice."),
                systems=array(system),
            ),
        ),
    )
    return tuple(card for card in cards if with_files or card.name != "extract_file")


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A folder, absolute and with all links resolved, whose files up to a size an assistant may name."""

    folder: Path
    most_bytes: int

    def file(self, name: str) -> Path:
        """Return the file of a name, which is a path within the folder, with all links resolved.

        Names that lead outside, also by links, get the same error whether or not something is there.
        """
        try:
            path = (self.folder / name).resolve()
            if not path.is_relative_to(self.folder):
                hint = "name a file by its path within the folder that --root opened"
                raise UnreadableInput(f"{name!r:.100} is outside the folder that may be read", hint)
            size, is_file = path.stat().st_size, path.is_file()
        except FileNotFoundError:
            raise MissingData(f"no file {name!r:.100}", "name a file by its path within the folder") from None
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a null character, too long a name
            if isinstance(error, KeywrightError):
                raise
            raise UnreadableInput(f"{name!r:.100} cannot be opened", "name a file within the folder") from None
        if not is_file:
            raise UnreadableInput(f"{name!r:.100} is not a file", "name one file; folders are not listed")
        if size > self.most_bytes:
            message = f"{name!r:.100} has {size:,} bytes; at most {self.most_bytes:,} are read"
            raise TooLarge(message, "split it, or ask whoever runs the server to raise --max-bytes")
        return path


MOST_DOCUMENTS: Final = 100  # most documents in a file of records: an assistant reads the whole result; arbitrary
_PREPARED: Final = 16  # combinations of options that are kept prepared; arbitrary
_ONLY: Final = "document"  # id of the document whose lists come without ids


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a server."""

    system: str  # name of the system that is used without a choice, or folder of a trained one
    folder: OpenFolder | None  # folder whose files may be read; None for none
    most_characters: int  # longest text of a document
    calibrator: Path | None = None  # file of the system's calibrator; None for none

    def extract_keyphrases(self, text: str, **options: Any) -> Record:
        """Return the record of a text, as ``extract --json`` prints it; of a failure where it has no words."""
        return self.records((api.document(text),), **options)[0]

    def documents(self, path: str) -> tuple[Document | Failure, ...]:
        """Return the documents of a file in the folder, which may be failures."""
        if self.folder is None:
            raise MissingData("no folder is open", "whoever runs the server opens one with --root DIR")
        documents = api.documents_in(self.folder.file(path), path)
        if len(documents) > MOST_DOCUMENTS:
            message = f"{path} holds {len(documents):,} documents; at most {MOST_DOCUMENTS} are read in a call"
            raise TooLarge(message, f"in a terminal: keywright extract {path} -o keyphrases.jsonl")
        return tuple(map(self._check_length, documents))

    def _check_length(self, document: Document | Failure) -> Document | Failure:
        if isinstance(document, Failure) or len(document.text) <= self.most_characters:
            return document
        message = f"the text has {len(document.text):,} characters; at most {self.most_characters:,} are read"
        error = TooLarge(message, "split it, or ask whoever runs the server to raise --max-chars")
        return Failure.from_error(document.id, error)

    def records(self, documents: Sequence[Document | Failure], **options: Any) -> list[Record]:
        """Return the records of documents; the first of a prediction also has the full signature of the system."""
        extraction = self._prepare(options)
        system = short_signature(extraction.signature)
        records = [outcome_record(outcome, system) for outcome in api.extract_each(extraction, documents)]
        first = next((record for record in records if "error" not in record), None)
        if first is not None:
            first["signature"] = extraction.signature
        return records

    def score_keyphrases(
        self, predicted: Any, gold: Any, protocol: str = PROTOCOL, measures: Sequence[str] | None = None
    ) -> Record:
        """Return the scores of lists of phrases, as ``score --json`` prints them, without intervals."""
        # A single list is that of one document.
        lists = [each if isinstance(each, dict) else {_ONLY: each} for each in (predicted, gold)]
        return api.score(*lists, protocol, measures, intervals=False).to_dict()

    def list_systems(self) -> Record:
        """Return the name of the usual system, and a line about each system."""
        keys = ("name", "idea", "needs", "trainable")
        systems, _ = api.describe_systems()
        return {"default": self.system, "systems": [{key: system[key] for key in keys} for system in systems]}

    def _prepare(self, options: dict[str, Any]) -> Any:
        """Return the extraction of options; a name of a system is not the path of a folder."""
        name = options.pop("system", self.system)
        if name != self.system and name not in (names := api.list_systems()):
            raise unknown_name("system", name, names, "list_systems")
        hashable = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
        calibrator = self.calibrator if name == self.system else None
        return _prepare_extraction(name, calibrator, tuple(sorted(hashable.items())))


@lru_cache(maxsize=_PREPARED)
def _prepare_extraction(system: str, calibrator: Path | None, options: tuple[tuple[str, Any], ...]) -> Any:
    return api.ExtractJob((), system, calibrator=calibrator, options=dict(options)).extraction
