"""A system applied to a collection: a stream of outcomes, or a run, resumed from its finished parts on disk."""

import hashlib
import json
import os
import platform
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Executor, Progress
from keywright.core.predictions import Failure, Prediction, Run
from keywright.core.records import outcome_record, read_outcome, run_lines
from keywright.core.signatures import of_texts, signature
from keywright.core.version import VERSION
from keywright.execution.batching import mapped
from keywright.execution.engines import Serial
from keywright.execution.extraction import Extraction, Outcome


@dataclass(frozen=True, slots=True)
class Ledger:
    """A folder with one file for each finished shard.

    A shard's file is written under a temporary name and renamed, so that a file that is there is whole.
    """

    folder: Path

    @classmethod
    def beside(cls, file: Path, identity: Iterable[str]) -> "Ledger":
        """Return the ledger of a run into ``file``; each ``identity`` (system, analyser, data) has its own folder."""
        digest = hashlib.sha256(json.dumps(list(identity)).encode()).hexdigest()[:20]
        return cls(file.with_name(f"{file.name}.{digest}.ledger"))

    def finished(self, shard: int, ids: Iterable[str]) -> tuple[Prediction | Failure, ...] | None:
        """Return the outcomes of a shard; None if it is unfinished, or its documents are not ``ids`` in this order."""
        try:
            lines = self._file(shard).read_text(encoding="utf-8").splitlines()
            outcomes = tuple(read_outcome(json.loads(line)) for line in lines)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return outcomes if [outcome.document_id for outcome in outcomes] == list(ids) else None

    def finish(self, shard: int, outcomes: Iterable[Prediction | Failure]) -> None:
        """Write a finished shard."""
        self.folder.mkdir(parents=True, exist_ok=True)
        target = self._file(shard)
        temporary = target.with_suffix(f".{os.getpid()}.part")
        with temporary.open("w", encoding="utf-8") as file:
            # ASCII only: ids may hold surrogates, from file names in another encoding.
            file.writelines(json.dumps(outcome_record(outcome, "")) + "\n" for outcome in outcomes)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)

    def remove(self) -> None:
        """Remove the folder, once the run is written."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, shard: int) -> Path:
        return self.folder / f"shard-{shard:04}.jsonl"


SHARDS: Final = 64
"""Parts of a collection. A crash costs at most about one part in so many; arbitrary."""


def shard(document_id: str, shards: int = SHARDS) -> int:
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
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> Run:
    """Return a run over a collection; the result does not depend on the executor or on interruptions.

    Finished shards are written to the ledger and not repeated; the caller removes it after writing the run.
    """
    started = time.perf_counter()
    collection = tuple(documents)
    by_id = {each.document_id if isinstance(each, Failure) else each.id: each for each in collection}
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
    stream = mapped(executor, extraction, (documents[name] for names in shards.values() for name in names))
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
