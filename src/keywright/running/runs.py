"""A system applied to a collection: a run in memory, or one that is written part after part.

For a written run a collection is read twice: first for its ids and fingerprints, some 70 bytes a document, then for the
work; neither documents nor predictions are all in memory.
"""

import hashlib
import itertools
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from keywright.core import VERSION
from keywright.core.atomic_files import check_file, whole_file
from keywright.core.compact_ids import IdList, IdSet
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Executor, Progress
from keywright.core.predictions import Failure, Outcome, Prediction, Run
from keywright.core.records import header_line, outcome_line
from keywright.core.signatures import fingerprint_digests, fingerprint_texts, hash_document, short_signature, signature
from keywright.running.batches import map_documents
from keywright.running.engines import Serial
from keywright.running.extraction import Extraction
from keywright.running.ledger import Ledger


def find_shard(document_id: str, shards: int) -> int:
    """Return the shard of a document, 0 to ``shards - 1``, from the SHA-256 of its id."""
    digest = hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % shards


def extract_outcomes(
    extraction: Extraction, documents: Iterable[Document | Failure], executor: Executor | None = None
) -> Iterator[Outcome]:
    """Yield one outcome for each document, in order; the stream may be endless."""
    return map_documents(executor or Serial(), extraction, documents)


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
    check_distinct(len(collection), len(set(map(id_of, collection))), data)
    done: list[Outcome] = []
    tell(0, len(collection))
    for outcome in map_documents(executor or Serial(), extraction, collection):
        done.append(outcome)
        tell(len(done), len(collection))
    return Run(
        system=signature(extraction.extractor),
        data=data,
        analyser=signature(extraction.analyser),
        predictions=tuple(outcome for outcome in done if isinstance(outcome, Prediction)),
        failures=tuple(outcome for outcome in done if isinstance(outcome, Failure)),
        seconds=time.perf_counter() - started,
        environment=describe_environment(),
        texts=fingerprint_texts(document for document in collection if isinstance(document, Document)),
    )


def id_of(document: Document | Failure) -> str:
    """Return the id of a document, or of one that could not be read."""
    return document.id if isinstance(document, Document) else document.document_id


def check_distinct(documents: int, ids: int, data: str) -> None:
    """Raise ``BadParameter`` if there are fewer ids than documents."""
    if ids < documents:
        raise BadParameter(f"{documents} documents of {data or 'the collection'} have {ids} ids", "ids must differ")


def describe_environment() -> dict[str, str]:
    """Return the versions that may matter for repeating a run."""
    packages = {name: metadata.version(name) for name in ("numpy", "PyStemmer")}
    return {"keywright": VERSION, "python": platform.python_version(), "platform": platform.platform(), **packages}


PARTS: Final = 64
"""Parts of a small collection. A crash costs at most about one part in so many; arbitrary."""
LARGEST: Final = 1_000
"""Most documents of a part, whose predictions are in memory together; arbitrary."""
Collection: TypeAlias = Callable[[], Iterable[Document | Failure]]
"""Reads a collection from its beginning; each time it has the same documents."""


@dataclass(frozen=True, slots=True)
class WrittenRun:
    """A run in a file.

    Attributes:
        run: the run with its failures; its predictions are in the file, and here only if they were to be kept.
        done: number of predictions.
        profiles: their profiles, see ``Prediction``.
    """

    run: Run
    done: int
    profiles: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Survey:
    """Ids and fingerprints of a collection: of everything that a system may read, and of ids and texts."""

    ids: IdList
    fingerprint: str
    texts: str

    @classmethod
    def of(cls, documents: Iterable[Document | Failure], data: str) -> "_Survey":
        ids, different, content, digests = IdList(), IdSet(), hashlib.sha256(), bytearray()
        for document in documents:
            ids.append(id_of(document))
            different.add(id_of(document))
            content.update(_render_document(document))
            if isinstance(document, Document):
                digests += hash_document(document)
        check_distinct(len(ids), len(different), data)
        np.frombuffer(digests, "S32").sort()  # in place
        return cls(ids, content.hexdigest(), fingerprint_digests(digests))

    @property
    def size(self) -> int:
        """Number of documents of a part, but the last."""
        return min(max(1, -(-len(self.ids) // PARTS)), LARGEST)

    def parts(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the number and the ids of each part."""
        for number, start in enumerate(range(0, len(self.ids), self.size)):
            yield number, self.ids[start : start + self.size]


@dataclass(slots=True)
class _Reading:
    """The documents of unfinished parts, and the fingerprint of all that were read."""

    documents: Iterable[Document | Failure]
    size: int
    finished: frozenset[int]
    content: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[Document | Failure]:
        for place, document in enumerate(self.documents):
            self.content.update(_render_document(document))
            if place // self.size not in self.finished:
                yield document


@dataclass(slots=True)
class _Tally:
    """Failures, profiles and perhaps predictions of a part.

    Attributes:
        failed: failures by their place in the part.
        predictions: none unless they are asked for.
    """

    failed: dict[int, Failure] = field(default_factory=dict)
    profiles: list[tuple[int, ...]] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)

    @classmethod
    def of(cls, outcomes: Iterable[Outcome], *, keep: bool) -> "_Tally":
        tally = cls()
        for place, outcome in enumerate(outcomes):
            if isinstance(outcome, Failure):
                tally.failed[place] = outcome
                continue
            tally.profiles.append(outcome.profile)
            if keep:
                tally.predictions.append(outcome)
        return tally


@dataclass(frozen=True, slots=True)
class RunWork:
    """The work of a run.

    Attributes:
        progress: called with the number of documents done, and of all.
        keep: whether written runs have their predictions in memory.
    """

    extraction: Extraction
    executor: Executor = field(default_factory=Serial)
    progress: Progress | None = None
    keep: bool = False

    def written(self, output: Path, documents: Collection, data: str = "") -> WrittenRun:
        """Write a run into a file; the same call resumes, from a ledger beside the file.

        The content of the file does not depend on the executor or on interruptions.

        Raises:
            BadParameter: two documents have one id, or the file cannot be written.
            BadRecord: the collection changed meanwhile.
        """
        check_file(output)
        survey = _Survey.of(documents(), data)
        started = time.perf_counter()
        system, analyser = (signature(each) for each in (self.extraction.extractor, self.extraction.analyser))
        identity = (self.extraction.signature, analyser, str(self.extraction.top), survey.fingerprint)
        ledger = Ledger.beside(output, identity)
        tallies = self._worked(documents(), survey, ledger, short_signature(system))
        profiles = tuple(itertools.chain.from_iterable(tally.profiles for tally in tallies))
        run = Run(
            system=system,
            data=data,
            analyser=analyser,
            predictions=tuple(itertools.chain.from_iterable(tally.predictions for tally in tallies)),
            failures=tuple(itertools.chain.from_iterable(tally.failed.values() for tally in tallies)),
            seconds=time.perf_counter() - started,
            environment=describe_environment(),
            texts=survey.texts,
        )
        with whole_file(output) as file:
            file.write(header_line(run))
            for number, tally in enumerate(tallies):
                file.writelines(line for place, line in enumerate(ledger.lines(number)) if place not in tally.failed)
            file.writelines(outcome_line(failure, "") for failure in run.failures)
        ledger.remove()
        return WrittenRun(run, len(profiles), profiles)

    def _worked(
        self, documents: Iterable[Document | Failure], survey: _Survey, ledger: Ledger, system: str
    ) -> list[_Tally]:
        """Finish all parts, and return what is remembered of each."""
        progress = self.progress or (lambda _done, _total: None)
        tallies: dict[int, _Tally] = {}
        done, total = 0, len(survey.ids)
        for number, ids in survey.parts():
            if (outcomes := ledger.finished(number, ids)) is not None:
                tallies[number] = _Tally.of(outcomes, keep=self.keep)
                done += len(ids)
        progress(done, total)
        reading = _Reading(documents, survey.size, frozenset(tallies))
        stream = map_documents(self.executor, self.extraction, reading)
        for number, ids in survey.parts():
            if number in tallies:
                continue
            part: list[Outcome] = []
            for outcome in itertools.islice(stream, len(ids)):
                part.append(outcome)
                progress(done + len(part), total)
            done += len(part)
            tallies[number] = _Tally.of(part, keep=self.keep)
            ledger.finish(number, part, system)
        if next(stream, None) is not None or reading.content.hexdigest() != survey.fingerprint:
            ledger.remove()
            hint = "run the command again once its files are written"
            raise BadRecord("the collection changed while it was read", hint)
        return [tallies[number] for number in sorted(tallies)]


def _render_document(document: Document | Failure) -> bytes:
    """Return everything that a system may read of a document."""
    return repr(document).encode("utf-8", "surrogatepass")
