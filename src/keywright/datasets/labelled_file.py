"""A labelled JSON Lines file, which is accepted anywhere a data set's name is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord, KeywrightError, MissingData, UnreadableInput
from keywright.core.predictions import Failure
from keywright.reading.formats.jsonl import document_of_line, read_labelled
from keywright.reading.limits import Limits, open_unpacked
from keywright.reading.record_lines import JsonLine, streamed_lines

ENDINGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
LIMITS: Final = Limits()
_DIFFERENT: Final = "every document needs a different id"


def is_file_name(name: str) -> bool:
    """Return whether a data set's name means a file."""
    return name.lower().endswith(ENDINGS) or Path(name).is_file()


def find_file(name: str) -> Path:
    """Return the path of an existing file."""
    path = Path(name)
    if not path.is_file():
        raise MissingData(
            f"there is no file {name}", "expected a JSON Lines file or a name of `keywright datasets list`"
        )
    return path


def find_packed(path: Path) -> Path | None:
    """Return the file of this name, plain or with the ending of a packed one; None if there is neither."""
    return next((place for ending in ("", ".gz", ".zst") if (place := Path(f"{path}{ending}")).is_file()), None)


def iterate_lines(path: Path) -> Iterator[JsonLine]:
    """Yield the lines of a file that are not blank, while it is read."""
    with path.open("rb") as stream:
        yield from streamed_lines(stream, str(path), LIMITS)


def read_documents(path: Path) -> Iterator[LabelledDocument[Document]]:
    """Yield documents in the file's order; those without ``keyphrases`` have no gold."""
    ids: set[str] = set()
    for labelled in read_labelled(iterate_lines(path), LIMITS):
        if labelled.id in ids:
            raise BadRecord(f"document {labelled.id!r} comes twice in {path}", _DIFFERENT)
        ids.add(labelled.id)
        yield labelled


def read_readable(path: Path) -> Iterator[Document | Failure]:
    """Yield documents in order, without gold, and a failure for each broken line, repeated id, or damage.

    Raises UnreadableInput: nothing in the file can be read.
    """
    ids: set[str] = set()
    try:
        for line in iterate_lines(path):
            try:
                document = document_of_line(line, LIMITS)
                if document.id in ids:
                    message = f"line {line.number} of {path}: document {document.id!r} comes twice"
                    raise BadRecord(message, _DIFFERENT)
                ids.add(document.id)
            except KeywrightError as error:
                yield Failure.from_error(f"{path}:{line.number}", error)
            else:
                yield document
    except UnreadableInput as error:
        if not ids:
            raise
        yield Failure.from_error(str(path), error)


def count_lines(path: Path) -> int:
    """Return the number of lines that are not blank."""
    with path.open("rb") as stream:
        return sum(bool(line.strip()) for line in open_unpacked(stream, str(path), LIMITS))
