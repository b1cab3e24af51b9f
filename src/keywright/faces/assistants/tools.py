"""The work of the tools: checked arguments to JSON values, and one folder of which files may be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from keywright import api
from keywright.core.documents import Document
from keywright.core.errors import KeywrightError, MissingData, TooLarge, UnreadableInput, unknown_name
from keywright.core.predictions import Failure
from keywright.core.records import Record, outcome_record
from keywright.core.signatures import short_signature
from keywright.faces.assistants.schemas import PROTOCOL


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A folder, absolute and with all links resolved, whose files up to a size an assistant may name."""

    folder: Path
    most_bytes: int

    def file(self, name: str) -> Path:
        """Return the file of a name, which is a path within the folder, with all links resolved.

        Names that lead outside, also by links, get the same error whether or not something is there.

        Raises:
            UnreadableInput: the name leads outside, or is not the name of a file.
            MissingData: nothing in the folder has this name.
            TooLarge: the file has more bytes than ``most_bytes``.
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


Extraction = Any  # the work on each document, as ``api.prepare`` returns it
MOST_DOCUMENTS: Final = 100  # most documents in a file of records: an assistant reads the whole result; arbitrary
_PREPARED: Final = 16  # combinations of options that are kept prepared; arbitrary
_ONLY: Final = "document"  # id of the document whose lists come without ids


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a server.

    Attributes:
        system: name of the system that is used without a choice, or folder of a trained one.
        folder: folder whose files may be read; None for none.
        most_characters: longest text of a document.
        calibrator: file of the system's calibrator; None for none.
    """

    system: str
    folder: OpenFolder | None
    most_characters: int
    calibrator: Path | None = None

    def extract_keyphrases(self, text: str, **options: Any) -> Record:
        """Return the record of a text, as ``extract --json`` prints it; of a failure where it has no words."""
        return self.records((api.document(text),), **options)[0]

    def documents(self, path: str) -> tuple[Document | Failure, ...]:
        """Return the documents of a file in the folder, which may be failures.

        Raises:
            UnreadableInput, MissingData, TooLarge: the file may not be read, or holds too many documents.
        """
        if self.folder is None:
            raise MissingData("no folder is open", "whoever runs the server opens one with --root DIR")
        documents = api.documents_in(self.folder.file(path), path)
        if len(documents) > MOST_DOCUMENTS:
            message = f"{path} holds {len(documents):,} documents; at most {MOST_DOCUMENTS} are read in a call"
            raise TooLarge(message, f"in a terminal: keywright extract {path} -o keyphrases.jsonl")
        checked: list[Document | Failure] = []
        for document in documents:
            if isinstance(document, Document) and len(document.text) > self.most_characters:
                size = len(document.text)
                message = f"the text has {size:,} characters; at most {self.most_characters:,} are read"
                error = TooLarge(message, "split it, or ask whoever runs the server to raise --max-chars")
                checked.append(Failure.from_error(document.id, error))
            else:
                checked.append(document)
        return tuple(checked)

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
        """Return the scores of lists of phrases, as ``score --json`` prints them, without intervals.

        Raises:
            UnknownName, BadParameter, BadRecord: there is no such protocol or measure, or the lists do not belong
                together.
        """
        return api.score(_key_by_id(predicted), _key_by_id(gold), protocol, measures, intervals=False).to_dict()

    def list_systems(self) -> Record:
        """Return the name of the usual system, and a line about each system."""
        keys = ("name", "idea", "needs", "trainable")
        systems, _ = api.describe_systems()
        return {"default": self.system, "systems": [{key: system[key] for key in keys} for system in systems]}

    def _prepare(self, options: dict[str, Any]) -> Extraction:
        """Return the extraction of options; a name of a system is not the path of a folder."""
        name = options.pop("system", self.system)
        if name != self.system and name not in (names := api.list_systems()):
            raise unknown_name("system", name, names, "list_systems")
        hashable = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
        calibrator = self.calibrator if name == self.system else None
        return _prepare_extraction(name, calibrator, tuple(sorted(hashable.items())))


@lru_cache(maxsize=_PREPARED)
def _prepare_extraction(system: str, calibrator: Path | None, options: tuple[tuple[str, Any], ...]) -> Extraction:
    return api.ExtractJob((), system, calibrator=calibrator, options=dict(options)).extraction


def _key_by_id(lists: Any) -> dict[str, list[str]]:
    """Return lists by the ids of documents; a single list is that of one document."""
    return lists if isinstance(lists, dict) else {_ONLY: lists}
