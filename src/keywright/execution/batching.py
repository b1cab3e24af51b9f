"""Documents in batches, for systems that are faster on several documents together; outcomes are those of one by one."""

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document
from keywright.core.interfaces import Executor, Prefetching, innermost
from keywright.core.predictions import Failure
from keywright.execution.extraction import Extraction, Outcome

_BATCH: Final = 16
"""Documents that are handed to a system together; arbitrary."""


@dataclass(frozen=True, slots=True)
class InBatches:
    """The work on a batch of documents."""

    extraction: Extraction

    def __call__(self, documents: tuple[Document | Failure, ...]) -> tuple[Outcome, ...]:
        """Return one outcome for each document."""
        prefetch(self.extraction, documents)
        return tuple(map(self.extraction, documents))

    def lost(self, documents: tuple[Document | Failure, ...]) -> tuple[Outcome, ...]:
        """Return the outcomes of a batch whose worker process died."""
        return tuple(map(self.extraction.lost, documents))


def prefetch(extraction: Extraction, documents: Iterable[Document | Failure]) -> None:
    """Let the system work on documents together, if it can; errors come when each document is extracted."""
    system = innermost(extraction.extractor)
    if isinstance(system, Prefetching):
        with contextlib.suppress(Exception):
            system.prefetch([document for document in documents if isinstance(document, Document)])


def mapped(executor: Executor, extraction: Extraction, documents: Iterable[Document | Failure]) -> Iterator[Outcome]:
    """Yield one outcome for each document, in the executor's order."""
    if not isinstance(innermost(extraction.extractor), Prefetching):
        return executor.map(extraction, documents)
    return itertools.chain.from_iterable(executor.map(InBatches(extraction), batched(documents)))


def batched(documents: Iterable[Document | Failure]) -> Iterator[tuple[Document | Failure, ...]]:
    """Yield documents in batches."""
    source = iter(documents)
    return iter(lambda: tuple(itertools.islice(source, _BATCH)), ())
