"""Documents in batches, for systems that are faster on several documents together; outcomes are those of one by one."""

import contextlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document
from keywright.core.interfaces import Executor, Prefetching, innermost
from keywright.core.predictions import Failure, Prediction
from keywright.execution.batches import Batches
from keywright.execution.extraction import Extraction, Outcome

_PREFETCHED: Final = 16
"""Documents that a system prefetches together; arbitrary."""
Batch = tuple[Document | Failure, ...]


@dataclass(frozen=True, slots=True)
class InBatches:
    """The work on a batch of documents."""

    extraction: Extraction

    def __call__(self, documents: Batch) -> tuple[Outcome, ...]:
        """Return one outcome for each document."""
        return together(self.extraction, documents)

    def parts(self, documents: Batch) -> tuple[Batch, ...]:
        """Return batches of one document each."""
        return tuple((document,) for document in documents)

    def lost(self, documents: Batch) -> tuple[Outcome, ...]:
        """Return the outcomes of a batch whose worker process died."""
        return tuple(map(self.extraction.lost, documents))


def together(extraction: Extraction, documents: Sequence[Document | Failure]) -> tuple[Outcome, ...]:
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


def mapped(executor: Executor, extraction: Extraction, documents: Iterable[Document | Failure]) -> Iterator[Outcome]:
    """Yield one outcome for each document, in the executor's order."""
    batches = Batches(documents, size_of)
    return itertools.chain.from_iterable(executor.map(InBatches(extraction), batches))


def strict_outcomes(extraction: Extraction, documents: Iterable[Document]) -> Iterator[Prediction]:
    """Yield one prediction for each document; raise the error of the first that fails, after those before it."""
    for batch in Batches(documents, size_of):
        for document, outcome in zip(batch, together(extraction, batch), strict=True):
            # Only a repetition has the error itself.
            yield outcome if isinstance(outcome, Prediction) else extraction.prediction(document)


def size_of(document: Document | Failure) -> int:
    """Return the number of characters of a document."""
    return len(document.text) if isinstance(document, Document) else 0
