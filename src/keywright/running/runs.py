"""A system applied to a collection: a run in memory, or one that is written, with a ledger, while outcomes come."""

import hashlib
import itertools
import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TypeAlias

import numpy as np

from keywright.core import VERSION
from keywright.core.atomic_files import check_file, grow_file, hold_output, read_whole_lines, whole_file
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Executor, Progress
from keywright.core.predictions import Failure, Outcome, Prediction, Run
from keywright.core.records import header_line, outcome_line, read_outcome
from keywright.core.signatures import fingerprint_digests, fingerprint_texts, hash_document, short_signature, signature
from keywright.running.engines import Serial
from keywright.running.extraction import Extraction
from keywright.running.file_extraction import map_documents, source_id


def run_in_memory(
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
    check_distinct(len(collection), len(set(map(source_id, collection))), data)
    tally = Tally(keep=True)
    tell(0, len(collection))
    for outcome in map_documents(executor or Serial(), extraction, collection):
        tally.add(outcome)
        tell(tally.count, len(collection))
    texts = fingerprint_texts(document for document in collection if isinstance(document, Document))
    return tally.make_run(extraction, data, texts, started)


def check_distinct(documents: int, ids: int, data: str) -> None:
    """Raise ``BadParameter`` if there are fewer ids than documents."""
    if ids < documents:
        raise BadParameter(f"{documents} documents of {data or 'the collection'} have {ids} ids", "ids must differ")


Collection: TypeAlias = Callable[[], Iterable[Document | Failure]]
"""Reads a collection from its beginning; each time it has the same documents."""


@dataclass(frozen=True, slots=True)
class WrittenRun:
    """A run in a file, with failures, and with predictions only if they were to be kept; their number and profiles."""

    run: Run
    done: int
    profiles: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Survey:
    """Ids and fingerprints of a collection: of everything that a system may read, and of ids and texts."""

    ids: list[str]
    fingerprint: str
    texts: str

    @classmethod
    def of(cls, documents: Iterable[Document | Failure], data: str) -> "_Survey":
        ids: list[str] = []
        content, digests = hashlib.sha256(), bytearray()
        for document in documents:
            ids.append(source_id(document))
            content.update(_render_document(document))
            if isinstance(document, Document):
                digests += hash_document(document)
        check_distinct(len(ids), len(set(ids)), data)
        np.frombuffer(digests, "S32").sort()  # in place
        return cls(ids, content.hexdigest(), fingerprint_digests(digests))


@dataclass(slots=True)
class Tally:
    """Number of outcomes, failures by their place among them, profiles, and predictions if ``keep``."""

    keep: bool
    count: int = 0
    failed: dict[int, Failure] = field(default_factory=dict)
    profiles: list[tuple[int, ...]] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count an outcome."""
        if isinstance(outcome, Failure):
            self.failed[self.count] = outcome
        else:
            self.profiles.append(outcome.profile)
            if self.keep:
                self.predictions.append(outcome)
        self.count += 1

    def make_run(self, extraction: Extraction, data: str, texts: str, started: float) -> Run:
        """Return the run, which has begun at a time of ``perf_counter``, with the versions that may matter for it."""
        machine = {"platform": platform.platform()}
        versions = {name: metadata.version(name) for name in ("numpy", "PyStemmer")}
        return Run(
            system=signature(extraction.extractor),
            data=data,
            analyser=signature(extraction.analyser),
            predictions=tuple(self.predictions),
            failures=tuple(self.failed.values()),
            seconds=time.perf_counter() - started,
            environment={"keywright": VERSION, "python": platform.python_version(), **machine, **versions},
            texts=texts,
        )


@dataclass(frozen=True, slots=True)
class RunWork:
    """The work of a run; ``keep``: whether written runs have their predictions in memory."""

    extraction: Extraction
    executor: Executor = field(default_factory=Serial)
    progress: Progress | None = None
    keep: bool = False

    def write(self, output: Path, documents: Collection, data: str = "") -> WrittenRun:
        """Write a run into a file; the same call resumes, from a ledger beside it; ``BadParameter``, ``BadRecord``."""
        check_file(output)
        survey = _Survey.of(documents(), data)
        started = time.perf_counter()
        system, analyser = self.extraction.signature, signature(self.extraction.analyser)
        identity = (system, analyser, str(self.extraction.top), survey.fingerprint)
        digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:20]
        ledger = output.with_name(f"{output.name}.{digest}.ledger.jsonl")
        with hold_output(output):
            tally = self._finish(ledger, documents(), survey, short_signature(system))
            run = tally.make_run(self.extraction, data, survey.texts, started)
            with whole_file(output) as file:
                file.write(header_line(run))
                with ledger.open(encoding="utf-8", newline="\n") as lines:
                    file.writelines(line for index, line in enumerate(lines) if index not in tally.failed)
                file.writelines(outcome_line(failure, "") for failure in run.failures)
            ledger.unlink()
        return WrittenRun(run, len(tally.profiles), tuple(tally.profiles))

    def _finish(self, ledger: Path, documents: Iterable[Document | Failure], survey: _Survey, system: str) -> Tally:
        """Do what is missing in the ledger, and return what is remembered of all."""
        progress = self.progress or (lambda _done, _total: None)
        tally, size, total = Tally(self.keep), 0, len(survey.ids)
        with suppress(ValueError, TypeError, KeyError):  # a line is damaged: this and what follows is done again
            for line, name in zip(read_whole_lines(ledger), survey.ids, strict=False):
                outcome = read_outcome(json.loads(line))
                if outcome.document_id != name:
                    break
                tally.add(outcome)
                size += len(line)
        progress(tally.count, total)
        content = hashlib.sha256()

        def hash_documents() -> Iterator[Document | Failure]:
            for document in documents:
                content.update(_render_document(document))
                yield document

        missing = itertools.islice(hash_documents(), tally.count, None)
        with grow_file(ledger, size) as file:
            for outcome in map_documents(self.executor, self.extraction, missing):
                tally.add(outcome)
                file.write(outcome_line(outcome, system))
                file.flush()  # a line in the file is not lost when this process is killed
                progress(tally.count, total)
        if content.hexdigest() != survey.fingerprint:
            ledger.unlink()
            hint = "run the command again once its files are written"
            raise BadRecord("the collection changed while it was read", hint)
        return tally


def _render_document(document: Document | Failure) -> bytes:
    """Return everything that a system may read of a document."""
    return repr(document).encode("utf-8", "surrogatepass")
