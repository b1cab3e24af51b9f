"""Extraction from files, one by one or, for systems that are faster on several documents together, in batches."""

import itertools
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from keywright.core.documents import Document
from keywright.core.interfaces import Executor, Prefetching, innermost
from keywright.core.predictions import Failure
from keywright.execution.batching import batched, prefetched
from keywright.execution.extraction import Extraction, Outcome, Source, defect, lost
from keywright.execution.reading_process import is_hostile_format, read_apart
from keywright.reading.sources import Unread

FileOutcome: TypeAlias = tuple[Document | None, Outcome]
"""Result for one document of a file, and the document if it is wanted."""


@dataclass(frozen=True)
class FromFiles:
    """Extraction from files, which are read in the worker processes, so that these share the reading.

    Attributes:
        keep: whether documents are returned with their outcomes.
    """

    extraction: Extraction
    keep: bool = False

    def __call__(self, source: Source) -> tuple[FileOutcome, ...]:
        """Return the outcomes of all documents of a file."""
        return tuple(map(self.outcome, self.documents(source)))

    def documents(self, source: Source) -> tuple[Document | Failure, ...]:
        """Return the documents of a file; an error while reading is a failure."""
        if not isinstance(source, Unread):
            return (source,)
        if os.environ.get("KEYWRIGHT_DEBUG") == "1":  # with the traceback of an error while reading
            return tuple(source.documents())
        try:
            return read_apart(source) if is_hostile_format(source) else tuple(source.documents())
        except Exception as error:  # noqa: BLE001 - of any kind, for one file only
            return (defect(source.name, error),)

    def lost(self, source: Source) -> tuple[FileOutcome, ...]:
        """Return the outcome of a file whose worker process died."""
        return ((None, lost(source)),)

    def outcome(self, document: Document | Failure) -> FileOutcome:
        """Return the outcome of a document, with it if documents are kept."""
        return document if self.keep and isinstance(document, Document) else None, self.extraction(document)


@dataclass(frozen=True, slots=True)
class FilesInBatches:
    """The work on a batch of files and documents."""

    files: FromFiles

    def __call__(self, sources: tuple[Source, ...]) -> tuple[FileOutcome, ...]:
        """Return the outcomes of all documents of the files."""
        documents = itertools.chain.from_iterable(map(self.files.documents, sources))
        return tuple(map(self.files.outcome, prefetched(self.files.extraction, documents)))

    def lost(self, sources: tuple[Source, ...]) -> tuple[FileOutcome, ...]:
        """Return the outcomes of a batch whose worker process died."""
        return tuple(itertools.chain.from_iterable(map(self.files.lost, sources)))


def mapped_files(executor: Executor, files: FromFiles, sources: Iterable[Source]) -> Iterator[FileOutcome]:
    """Yield the outcomes of all documents of files, in the executor's order."""
    if not isinstance(innermost(files.extraction.extractor), Prefetching):
        return itertools.chain.from_iterable(executor.map(files, sources))
    return itertools.chain.from_iterable(executor.map(FilesInBatches(files), batched(sources)))
