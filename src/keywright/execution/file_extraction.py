"""Extraction from files and records, in batches."""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias

from keywright.core.documents import Document
from keywright.core.interfaces import Executor, Result
from keywright.core.predictions import Failure
from keywright.execution.batches import Batches, Ready
from keywright.execution.batching import size_of, together
from keywright.execution.extraction import Extraction, Outcome, Source, defect, lost
from keywright.execution.reading_process import is_hostile_format, read_apart
from keywright.reading.jsonl import document_or_failure
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import DEFAULT_LIMITS, Unread

FileOutcome: TypeAlias = tuple[Document | None, Outcome]
"""Result for one document of a file, and the document if it is wanted."""


def with_document(document: Document | None, outcome: Outcome) -> FileOutcome:
    """Return an outcome with its document."""
    return document, outcome


def without_document(_document: Document | None, outcome: Outcome) -> FileOutcome:
    """Return an outcome alone."""
    return None, outcome


@dataclass(frozen=True)
class FromFiles(Generic[Result]):
    """Extraction from files and records, which are read in the worker processes, so that these share the reading.

    Attributes:
        finish: what is returned of each document and its outcome: a function that pickles.
    """

    extraction: Extraction
    finish: Callable[[Document | None, Outcome], Result]

    def __call__(self, sources: tuple[Source, ...]) -> tuple[Result, ...]:
        """Return the results of all documents of a batch of sources."""
        documents = tuple(itertools.chain.from_iterable(map(self.documents, sources)))
        outcomes = together(self.extraction, documents)
        readable = (document if isinstance(document, Document) else None for document in documents)
        return tuple(map(self.finish, readable, outcomes))

    def documents(self, source: Source) -> tuple[Document | Failure, ...]:
        """Return the documents of a file; an error while reading is a failure."""
        return documents_of(source)

    def parts(self, sources: tuple[Source, ...]) -> tuple[tuple[Source, ...], ...]:
        """Return batches of one source each."""
        return tuple((source,) for source in sources)

    def lost(self, sources: tuple[Source, ...]) -> tuple[Result, ...]:
        """Return the results of a batch whose worker process died."""
        return tuple(self.finish(None, lost(source)) for source in sources)


def documents_of(source: Source, tell: Callable[[str], None] = lambda _note: None) -> tuple[Document | Failure, ...]:
    """Return the documents of a file or record; an error while reading is a failure.

    PDF, Office files and markup are read in a process of their own. ``tell``: as for ``Unread.documents``.
    """
    if isinstance(source, JsonLine):
        return (document_or_failure(source, DEFAULT_LIMITS),)
    if not isinstance(source, Unread):
        return (source,)
    if os.environ.get("KEYWRIGHT_DEBUG") == "1":  # with the traceback of an error while reading
        return tuple(source.documents(tell))
    try:
        return read_apart(source, tell) if is_hostile_format(source) else tuple(source.documents(tell))
    except Exception as error:  # noqa: BLE001 - of any kind, for one file only
        return (defect(source.name, error),)


def mapped_files(
    executor: Executor, files: FromFiles[Result], sources: Iterable[Source], ready: Ready | None = None
) -> Iterator[Result]:
    """Yield the results of all documents of files, in the executor's order.

    ``ready``: whether more sources can be read at once, see ``Batches``.
    """
    return itertools.chain.from_iterable(executor.map(files, Batches(sources, size_of_source, ready)))


def size_of_source(source: Source) -> int:
    """Return the number of characters of a document; of a file or record, of its bytes."""
    match source:
        case JsonLine():
            return len(source.data)
        case Unread():
            try:
                return source.path.stat().st_size
            except OSError:
                return 0
        case _:
            return size_of(source)
