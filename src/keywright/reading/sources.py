"""What people name as input: files, folders, standard input; each file read when and where there is time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from keywright.core.documents import Document
from keywright.core.errors import EmptyInput, KeywrightError, UnreadableInput
from keywright.core.runs import Failure
from keywright.reading.files import files_in, read_on
from keywright.reading.formats import JSONL, PLAIN, Format
from keywright.reading.limits import Limits
from keywright.reading.streams import read_as, read_stream

_PACKED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that nobody has read yet: small enough to send to another process.

    Attributes:
        path: where it lies.
        name: id of its document.
        form: its format; None tells it from the file.
    """

    path: Path
    name: str
    form: Format | None = None

    def documents(self) -> Iterator[Document | Failure]:
        """What is in it; what cannot be read is a failure."""
        return read_on(self.path, self.name, Limits()) if self.form is None else read_as(self.path, self.form)

    @property
    def of_records(self) -> bool:
        """Whether it looks like a file of many documents, whose reading is best shared out by document."""
        if self.form is not None:
            return self.form is JSONL
        if self.name.lower().endswith(JSONL.extensions):
            return True
        if not self.path.is_file():  # looking into a pipe would take from it
            return False
        try:
            with self.path.open("rb") as file:
                head = file.read(64)
        except OSError:
            return False
        return head.startswith(_PACKED) or head.lstrip().startswith(b"{")


def sources(
    names: Iterable[str | Path], form: Format | None, stdin: IO[bytes]
) -> Iterator[Unread | Document | Failure]:
    """Files as they are, documents of files of records one by one, and failures where nothing is.

    Args:
        names: files and folders; ``-`` is standard input.
        form: what they hold; None tells it from each, and takes standard input as plain text.
        stdin: standard input.
    """
    for name in names:
        if name == "-":
            yield from read_stream(stdin, "stdin", form or PLAIN)
            continue
        path = Path(name)
        files = _in_folder(path, form) if str(name) and path.is_dir() else [Unread(path, path.name, form)]
        if not str(name) or not path.exists():
            yield _failed(str(name), UnreadableInput(f"no file {str(name)!r}", "check the path"))
        elif not files:
            hint = "name a folder of documents, or a file"
            yield _failed(str(path), EmptyInput(f"folder {path} holds no file", hint))
        else:
            for file in files:
                yield from file.documents() if file.of_records else (file,)


def documents(found: Iterable[Unread | Document | Failure]) -> Iterator[Document | Failure]:
    """The same with every file read."""
    for one in found:
        yield from one.documents() if isinstance(one, Unread) else (one,)


def _in_folder(folder: Path, form: Format | None) -> list[Unread]:
    return [Unread(path, path.relative_to(folder).as_posix(), form) for path in files_in(folder)]


def _failed(name: str, error: KeywrightError) -> Failure:
    return Failure(name, error.code, error.message, error.hint)
