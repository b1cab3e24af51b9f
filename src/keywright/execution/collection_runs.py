"""A system applied to a collection: a stream of outcomes, or a run."""

import hashlib
import platform
import time
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Executor, Progress
from keywright.core.predictions import Prediction
from keywright.core.records import run_lines
from keywright.core.runs import Failure, Run
from keywright.core.signatures import of_texts, signature
from keywright.core.version import VERSION
from keywright.execution.extraction import Extraction, Outcome
from keywright.execution.ledger import Ledger
from keywright.execution.serial import Serial
from keywright.execution.shards import SHARDS, shard


def outcomes(
    extraction: Extraction, documents: Iterable[Document | Failure], executor: Executor | None = None
) -> Iterator[Outcome]:
    """Yield one outcome for each document, in order; the stream may be endless."""
    return (executor or Serial()).map(extraction, documents)


def run(
    extraction: Extraction,
    documents: Iterable[Document | Failure],
    data: str = "",
    *,
    executor: Executor | None = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> Run:
    """Return a run over a collection; the result does not depend on the executor or on interruptions.

    Args:
        extraction: the work on each document.
        documents: the collection; ids must be unique.
        data: its name.
        executor: None for this process, one document after the other.
        ledger: finished shards are written there, and not repeated. The caller removes it after writing the run.
        progress: called with the number of documents done, and of all.

    Raises:
        BadParameter: two documents have one id.
    """
    started = time.perf_counter()
    collection = tuple(documents)
    by_id = {_id(document): document for document in collection}
    if len(by_id) < len(collection):
        raise BadParameter(
            f"{len(collection)} documents of {data or 'the collection'} have {len(by_id)} ids", "ids must differ"
        )
    done = _by_shards(extraction, by_id, executor or Serial(), ledger, progress or (lambda _done, _total: None))
    ordered = [done[name] for name in by_id]
    return Run(
        system=signature(extraction.extractor),
        data=data,
        analyser=signature(extraction.analyser),
        predictions=tuple(outcome for outcome in ordered if isinstance(outcome, Prediction)),
        failures=tuple(outcome for outcome in ordered if isinstance(outcome, Failure)),
        seconds=time.perf_counter() - started,
        environment=environment(),
        texts=of_texts(document for document in collection if isinstance(document, Document)),
    )


def run_into(
    output: Path,
    extraction: Extraction,
    documents: Iterable[Document | Failure],
    data: str = "",
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Run:
    """Like ``run``, into a file; the same call resumes, from a ledger beside the file."""
    check_file(output)
    collection = tuple(documents)
    identity = (extraction.signature, signature(extraction.analyser), str(extraction.top), fingerprint(collection))
    ledger = Ledger.beside(output, identity)
    done = run(extraction, collection, data, executor=executor, ledger=ledger, progress=progress)
    with whole_file(output) as file:
        file.writelines(run_lines(done))
    ledger.remove()
    return done


def _by_shards(
    extraction: Extraction,
    documents: Mapping[str, Document | Failure],
    executor: Executor,
    ledger: Ledger | None,
    progress: Progress,
) -> dict[str, Outcome]:
    """Return outcomes by id; those of finished shards come from the ledger."""
    shards: dict[int, list[str]] = {}
    for name in documents:
        shards.setdefault(shard(name, SHARDS), []).append(name)
    done: dict[str, Outcome] = {}
    for number in list(shards):
        if ledger and (finished := ledger.finished(number, shards[number])) is not None:
            done.update((outcome.document_id, outcome) for outcome in finished)
            del shards[number]
    progress(len(done), len(documents))
    stream = executor.map(extraction, (documents[name] for names in shards.values() for name in names))
    missing = {number: set(names) for number, names in shards.items()}
    for outcome in stream:
        done[outcome.document_id] = outcome
        progress(len(done), len(documents))
        number = shard(outcome.document_id, SHARDS)
        missing[number].discard(outcome.document_id)
        if ledger and not missing[number]:
            ledger.finish(number, [done[name] for name in shards[number]])
    return done


def fingerprint(documents: Iterable[Document | Failure]) -> str:
    """Return a SHA-256 over everything that a system may read: a changed collection has another one."""
    digest = hashlib.sha256()
    for document in documents:
        digest.update(repr(document).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def environment() -> dict[str, str]:
    """Return the versions that may matter for repeating a run."""
    packages = {name: metadata.version(name) for name in ("numpy", "PyStemmer")}
    return {"keywright": VERSION, "python": platform.python_version(), "platform": platform.platform(), **packages}


def _id(document: Document | Failure) -> str:
    return document.document_id if isinstance(document, Failure) else document.id
