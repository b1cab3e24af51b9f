"""Files and folders to documents, whatever their format."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from keywright.core.documents import Document
from keywright.core.errors import EmptyInput, KeywrightError, MissingData, UnreadableInput
from keywright.core.runs import Failure
from keywright.reading.formats import JSONL, format_of
from keywright.reading.limits import Limits

DEFAULT_LIMITS = Limits()


def read(path: str | Path, limits: Limits = DEFAULT_LIMITS, name: str | None = None) -> Iterator[Document]:
    """The documents of one file: one, or those of a file of records.

    Args:
        path: the file; its format is told by content first, then by extension.
        limits: what is accepted.
        name: id of the document; the file's name when not given. Records have their own.

    Raises:
        MissingData: no such file.
        UnsupportedFormat: a format that is not read.
        UnreadableInput: any other trouble with the content; the subclass tells.
    """
    path = Path(path)
    name = name or path.name
    data = bytes_of(path, name, limits)
    found = format_of(data, name).load()(data, name, limits)
    if isinstance(found, Document):
        yield found
    else:
        yield from found


def read_all(paths: Iterable[str | Path], limits: Limits = DEFAULT_LIMITS) -> Iterator[Document | Failure]:
    """The documents of files and folders, in the order given and by name within folders.

    A file, or line of JSON Lines, that cannot be read becomes a ``Failure`` in its place, and so does a folder without
    any document. Folders are read with what is in them, without hidden files and linked folders; ids are paths relative
    to the folder given.
    """
    for given in map(Path, paths):
        if not given.is_dir():
            yield from read_on(given, given.name, limits)
            continue
        any_document = False
        for path in files_in(given):
            for found in read_on(path, path.relative_to(given).as_posix(), limits):
                any_document = any_document or isinstance(found, Document)
                yield found
        if not any_document:
            error = EmptyInput(f"folder {given} holds no readable document", "name a folder of documents, or a file")
            yield _failure(str(given), error)


def read_on(path: Path, name: str, limits: Limits) -> Iterator[Document | Failure]:
    """Documents of a file, with a failure where there is trouble."""
    try:
        data = bytes_of(path, name, limits)
        kind = format_of(data, name)
        if kind is JSONL:
            from keywright.reading.jsonl import read_jsonl_on  # noqa: PLC0415 - readers load when they are needed

            yield from read_jsonl_on(data, name, limits)
            return
        found = kind.load()(data, name, limits)
        yield from [found] if isinstance(found, Document) else found
    except KeywrightError as error:
        yield _failure(name, error)


def files_in(folder: Path) -> Iterator[Path]:
    """Files under a folder, sorted by path; linked folders are not entered, so that links cannot go in circles."""
    found: list[Path] = []
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found.extend(Path(parent, name) for name in files if not name.startswith("."))
    # links that lead nowhere are kept, so that they are reported; pipes and devices would block
    yield from sorted(path for path in found if path.is_file() or path.is_symlink())


def bytes_of(path: Path, name: str, limits: Limits) -> bytes:
    """Content of a file that is there, is a file, is not empty and not above the limits.

    Raises:
        MissingData: no such file.
        UnreadableInput: it is something else, cannot be opened, or is empty.
        TooLarge: above ``limits``.
    """
    try:
        size = path.stat().st_size
        if size > limits.file_bytes:
            limits.check_file(size, name)
        if not path.is_file():
            raise UnreadableInput(f"{name} is no regular file", "name a file, or a folder of files")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingData(f"no file {path}", "check the path") from error
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be opened: {error.strerror or error}", "check its permissions") from error
    if not data:
        raise EmptyInput(f"{name} is an empty file", "give a file with at least one word")
    return data


def _failure(name: str, error: KeywrightError) -> Failure:
    return Failure(name, error.code, error.message, error.hint)
