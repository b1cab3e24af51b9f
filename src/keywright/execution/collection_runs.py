"""A system applied to a collection: a stream of outcomes, or a run in memory."""

import hashlib
import platform
import time
from collections.abc import Iterable, Iterator
from importlib import metadata

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Executor, Progress
from keywright.core.predictions import Failure, Prediction, Run
from keywright.core.signatures import of_texts, signature
from keywright.core.version import VERSION
from keywright.execution.batching import mapped
from keywright.execution.engines import Serial
from keywright.execution.extraction import Extraction, Outcome


def shard(document_id: str, shards: int) -> int:
    """Return the shard of a document, 0 to ``shards - 1``, from the SHA-256 of its id."""
    digest = hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % shards


def outcomes(
    extraction: Extraction, documents: Iterable[Document | Failure], executor: Executor | None = None
) -> Iterator[Outcome]:
    """Yield one outcome for each document, in order; the stream may be endless."""
    return mapped(executor or Serial(), extraction, documents)


def run(
    extraction: Extraction,
    documents: Iterable[Document | Failure],
    data: str = "",
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Run:
    """Return a run over a collection, in memory; the result does not depend on the executor."""
    started = time.perf_counter()
    collection, tell = tuple(documents), progress or (lambda _done, _total: None)
    check_different(len(collection), len(set(map(id_of, collection))), data)
    done: list[Outcome] = []
    tell(0, len(collection))
    for outcome in mapped(executor or Serial(), extraction, collection):
        done.append(outcome)
        tell(len(done), len(collection))
    return Run(
        system=signature(extraction.extractor),
        data=data,
        analyser=signature(extraction.analyser),
        predictions=tuple(outcome for outcome in done if isinstance(outcome, Prediction)),
        failures=tuple(outcome for outcome in done if isinstance(outcome, Failure)),
        seconds=time.perf_counter() - started,
        environment=environment(),
        texts=of_texts(document for document in collection if isinstance(document, Document)),
    )


def id_of(document: Document | Failure) -> str:
    """Return the id of a document, or of one that could not be read."""
    return document.id if isinstance(document, Document) else document.document_id


def check_different(documents: int, ids: int, data: str) -> None:
    """Raise ``BadParameter`` if there are fewer ids than documents."""
    if ids < documents:
        raise BadParameter(f"{documents} documents of {data or 'the collection'} have {ids} ids", "ids must differ")


def environment() -> dict[str, str]:
    """Return the versions that may matter for repeating a run."""
    packages = {name: metadata.version(name) for name in ("numpy", "PyStemmer")}
    return {"keywright": VERSION, "python": platform.python_version(), "platform": platform.platform(), **packages}
