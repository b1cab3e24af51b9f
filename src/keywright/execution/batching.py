"""Documents in batches, for systems that are faster on several documents together; outcomes are those of one by one."""

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from keywright.core.documents import Document
from keywright.core.interfaces import Executor, Item, Prefetching, innermost
from keywright.core.predictions import Failure
from keywright.execution.extraction import Extraction, Outcome

_BATCH: Final = 16
"""Documents that are handed to a system together; arbitrary."""
Read = TypeVar("Read", bound=Document | Failure)


def prefetched(extraction: Extraction, documents: Iterable[Read]) -> Iterator[Read]:
    """Yield documents after the system has worked on each batch of them, if it can; others are not read ahead.

    An error of the documents' source comes after the documents before it.
    """
    system, source = innermost(extraction.extractor), iter(documents)
    if not isinstance(system, Prefetching):
        yield from source
        return
    broken: Exception | None = None
    is_over = False
    while not is_over:
        batch: list[Read] = []
        try:
            for document in itertools.islice(source, _BATCH):
                batch.append(document)  # noqa: PERF402 - those before an error are needed
        except Exception as error:  # noqa: BLE001 - it is raised after the documents before it
            broken = error
        is_over = broken is not None or len(batch) < _BATCH
        readable = [document for document in batch if isinstance(document, Document)]
        if readable:
            with contextlib.suppress(Exception):  # extraction raises the error again, for its document
                system.prefetch(readable)
        yield from batch
    if broken is not None:
        raise broken


@dataclass(frozen=True, slots=True)
class InBatches:
    """The work on a batch of documents."""

    extraction: Extraction

    def __call__(self, documents: tuple[Document | Failure, ...]) -> tuple[Outcome, ...]:
        """Return one outcome for each document."""
        return self.extraction.together(tuple(prefetched(self.extraction, documents)))

    def lost(self, documents: tuple[Document | Failure, ...]) -> tuple[Outcome, ...]:
        """Return the outcomes of a batch whose worker process died."""
        return tuple(map(self.extraction.lost, documents))


def mapped(executor: Executor, extraction: Extraction, documents: Iterable[Document | Failure]) -> Iterator[Outcome]:
    """Yield one outcome for each document, in the executor's order."""
    if not isinstance(innermost(extraction.extractor), Prefetching):
        return executor.map(extraction, documents)
    batches = batched(documents)
    return itertools.chain.from_iterable(executor.map(InBatches(extraction), batches))


def batched(items: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    """Yield items in batches."""
    source = iter(items)
    return iter(lambda: tuple(itertools.islice(source, _BATCH)), ())
