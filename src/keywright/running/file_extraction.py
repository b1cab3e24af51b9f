"""Extraction from files, records and documents in batches; ids of results, and parts of the input of one command.

Some systems are faster on several documents together; outcomes are those of one by one.
"""

import contextlib
import hashlib
import itertools
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeAlias, TypeVar

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Executor, Prefetching, Result, innermost
from keywright.core.json_values import replace_surrogates
from keywright.core.predictions import Failure, Outcome, Prediction
from keywright.core.records import FinishedRecord
from keywright.reading.formats.jsonl import document_or_failure
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import DEFAULT_LIMITS, Unread
from keywright.running.batches import Batches, Ready
from keywright.running.extraction import UNEXPECTED, Extraction, Source, report_defect
from keywright.running.reader import is_hostile_format, read_apart

_PREFETCHED: Final = 16  # documents that a system prefetches together; arbitrary
_MOST_REPEATS: Final = 100_000
"""Repeated ids whose last number is remembered; that of others is searched again from 2. Arbitrary."""
Named = TypeVar("Named", Prediction | Failure, FinishedRecord)


class DistinctIds:
    """A function that all outcomes of one output pass; a repeated id gets a number, and a warning says so."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._repeats: dict[str, int] = {}

    def __call__(self, outcome: Named) -> Named:
        """Return the outcome, under another id if an earlier one has its id."""
        name = outcome.document_id
        numbered = self.distinct(name)
        if numbered == name:
            return outcome
        warning = f"an earlier document has the id {name!r}: this one is called {numbered!r}"
        if isinstance(outcome, FinishedRecord):
            return outcome.rename(numbered, warning)
        if isinstance(outcome, Prediction):
            return replace(outcome, document_id=numbered, warnings=(*outcome.warnings, warning))
        return replace(outcome, document_id=numbered)

    def distinct(self, name: str) -> str:
        """Return an id that was not returned before: the name, or with a number."""
        if name not in self._taken:
            self._taken.add(name)
            return name
        number = self._repeats.get(name, 1) + 1
        while (numbered := f"{name}#{number}") in self._taken:
            number += 1
        self._taken.add(numbered)
        if len(self._repeats) > _MOST_REPEATS:
            self._repeats.clear()
        self._repeats[name] = number
        return numbered


FileOutcome: TypeAlias = tuple[Document | None, Outcome]
"""Result for one document of a file, and the document if it is wanted."""


def keep_document(document: Document | None, outcome: Outcome) -> FileOutcome:
    """Return an outcome with its document."""
    return document, outcome


def drop_document(_document: Document | None, outcome: Outcome) -> FileOutcome:
    """Return an outcome with None."""
    return None, outcome


@dataclass(frozen=True)
class FromFiles(Generic[Result]):
    """The work on a batch of files, records or documents; workers read them, and ``finish`` makes results."""

    extraction: Extraction
    finish: Callable[[Document | None, Outcome], Result]

    def __call__(self, sources: tuple[Source, ...]) -> tuple[Result, ...]:
        """Return the results of all documents of a batch of sources."""
        documents = tuple(itertools.chain.from_iterable(map(read_documents, sources)))
        outcomes = extract_batch(self.extraction, documents)
        readable = (document if isinstance(document, Document) else None for document in documents)
        return tuple(map(self.finish, readable, outcomes))

    def parts(self, sources: tuple[Source, ...]) -> tuple[tuple[Source, ...], ...]:
        """Return batches of one source each."""
        return tuple((source,) for source in sources)

    def lost(self, sources: tuple[Source, ...]) -> tuple[Result, ...]:
        """Return the results of a batch whose worker died: failures."""
        reason = UNEXPECTED, "the process that worked on it died", "too little memory is a usual cause"
        failures = (each if isinstance(each, Failure) else Failure(source_id(each), *reason) for each in sources)
        return tuple(self.finish(None, failure) for failure in failures)


def read_documents(source: Source, tell: Callable[[str], None] = lambda _note: None) -> tuple[Document | Failure, ...]:
    """Return the documents of a file, failures too; PDF, Office files and markup in a process of their own."""
    if isinstance(source, JsonLine):
        return (document_or_failure(source, DEFAULT_LIMITS),)
    if not isinstance(source, Unread):
        return (source,)
    if os.environ.get("KEYWRIGHT_DEBUG") == "1":  # with the traceback of an error while reading
        return tuple(source.documents(tell))
    try:
        return read_apart(source, tell) if is_hostile_format(source) else tuple(source.documents(tell))
    except Exception as error:  # noqa: BLE001 - of any kind, for one file only
        return (report_defect(source.name, error),)


def extract_batch(extraction: Extraction, documents: Sequence[Document | Failure]) -> tuple[Outcome, ...]:
    """Return one outcome for each document of a batch."""
    system = innermost(extraction.extractor)
    if not isinstance(system, Prefetching):
        return extraction.together(documents)
    outcomes: list[Outcome] = []
    for start in range(0, len(documents), _PREFETCHED):
        batch = documents[start : start + _PREFETCHED]
        if readable := [document for document in batch if isinstance(document, Document)]:
            with contextlib.suppress(Exception):  # extraction raises the error again, for its document
                system.prefetch(readable)
        outcomes += extraction.together(batch)
    return tuple(outcomes)


def map_files(
    executor: Executor, files: FromFiles[Result], sources: Iterable[Source], ready: Ready | None = None
) -> Iterator[Result]:
    """Yield the results of all documents of files, in the executor's order; ``ready`` as for ``Batches``."""
    return itertools.chain.from_iterable(executor.map(files, Batches(sources, measure_source, ready)))


def map_documents(
    executor: Executor, extraction: Extraction, documents: Iterable[Document | Failure]
) -> Iterator[Outcome]:
    """Yield one outcome for each document, in the executor's order."""
    return (outcome for _, outcome in map_files(executor, FromFiles(extraction, drop_document), documents))


def extract_strictly(extraction: Extraction, documents: Iterable[Document]) -> Iterator[Prediction]:
    """Yield one prediction for each document; raise the error of the first that fails, after those before it."""
    for batch in Batches(documents, measure_source):
        for document, outcome in zip(batch, extract_batch(extraction, batch), strict=True):
            # Only a repetition has the error itself.
            yield outcome if isinstance(outcome, Prediction) else extraction.prediction(document)


def measure_source(source: Source) -> int:
    """Return the number of characters of a document; of a file or record, of its bytes."""
    match source:
        case Document():
            return len(source.text)
        case JsonLine():
            return len(source.data)
        case Unread():
            with contextlib.suppress(OSError):
                return source.path.stat().st_size
    return 0


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a collection, ``number`` from 1 to ``of``, by the SHA-256 of ids: every document is in one."""

    number: int
    of: int

    @classmethod
    def parsed(cls, text: str) -> "Shard":
        """Return the shard that a text such as ``2/8`` names."""
        match = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise BadParameter(f"shard {text!r}", "expected I/N, such as 2/8 for the second of eight")
        return cls(int(match[1]), int(match[2]))

    def holds(self, document_id: str) -> bool:
        """Return whether a document is in this shard."""
        digest = hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.number - 1


def source_id(source: Source) -> str:
    """Return the id of a document, or of the file that it is in."""
    match source:
        case Unread():
            return str(replace_surrogates(source.name))
        case JsonLine():
            return source_id(document_or_failure(source, DEFAULT_LIMITS))
    return source.id if isinstance(source, Document) else source.document_id


def select_remaining(sources: Iterable[Source], part: Shard | None, done: Collection[str] = ()) -> Iterator[Source]:
    """Yield the sources that are in a shard and not done; repeated ids are numbered as in the results."""
    if part is None and not done:
        yield from sources
        return
    numbering = DistinctIds()
    for unread in sources:
        # An id is in the record, which is then not read again where the work is done.
        source = document_or_failure(unread, DEFAULT_LIMITS) if isinstance(unread, JsonLine) else unread
        if part is not None and not part.holds(source_id(source)):
            continue
        if done and numbering.distinct(source_id(source)) in done:
            continue
        yield source
