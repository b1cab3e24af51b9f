"""A system over documents: one outcome a document, a run for a whole collection."""

import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Final, TypeAlias

from keywright.core.documents import AnalysedDocument, Coverage, Document
from keywright.core.errors import BadParameter, KeywrightError, NeedsUnmet
from keywright.core.interfaces import Analyser, Executor, Extractor
from keywright.core.predictions import Prediction
from keywright.core.runs import Failure, Run
from keywright.core.signatures import signature
from keywright.core.version import VERSION
from keywright.execution.ledger import Ledger
from keywright.execution.serial import Serial
from keywright.execution.shards import SHARDS, shard

Outcome: TypeAlias = Prediction | Failure
"""What becomes of a document."""

UNEXPECTED: Final = "unexpected"
"""Code word of an error that is none of ours: a defect, reported for its document only."""


@dataclass(frozen=True)
class Extraction:
    """What is done to each document; travels to every worker once.

    Attributes:
        analyser: makes columns of documents.
        extractor: ranks.
        top: longest list; None leaves it to the system.
        evidence: whether keyphrases say why they ranked.
    """

    analyser: Analyser
    extractor: Extractor
    top: int | None = None
    evidence: bool = False

    def __call__(self, document: Document | Failure) -> Outcome:
        """One outcome, whatever happens; a document that could not be read stays the failure that it is."""
        if isinstance(document, Failure):
            return document
        try:
            return self._prediction(document)
        except KeywrightError as error:
            return Failure(document.id, error.code, error.message, error.hint)
        except Exception as error:
            if os.environ.get("KEYWRIGHT_DEBUG") == "1":
                raise
            message = f"{type(error).__name__}: {error}"
            return Failure(document.id, UNEXPECTED, message, "KEYWRIGHT_DEBUG=1 shows where; please report it")

    def lost(self, document: Document | Failure) -> Failure:
        """The outcome of a document that kills whatever process works on it."""
        name = document.id if isinstance(document, Document) else document.document_id
        return Failure(name, UNEXPECTED, "the process that worked on it died", "too little memory is a usual cause")

    def _prediction(self, document: Document) -> Prediction:
        analysed = self.analyser.analyse(document)
        check_needs(self.extractor, analysed)
        prediction = self.extractor.extract(analysed, self.top)
        keyphrases = prediction.keyphrases
        if not self.evidence:
            keyphrases = tuple(replace(keyphrase, evidence={}) for keyphrase in keyphrases)
        source = analysed.source  # the analyser may have told the language
        whole = Coverage(len(source.text), len(source.text))
        return replace(
            prediction,
            keyphrases=keyphrases,
            coverage=prediction.coverage or source.coverage or whole,
            warnings=tuple(dict.fromkeys((*source.warnings, *prediction.warnings))),
            language=prediction.language or source.language,
        )


def check_needs(extractor: Extractor, analysed: AnalysedDocument) -> None:
    """That the analysis holds what the system needs.

    Raises:
        NeedsUnmet: it does not.
    """
    missing = sorted(extractor.needs - analysed.provides)
    if missing:
        message = f"{extractor.name} needs {' and '.join(missing)}, which the analysis of {analysed.source.id!r} lacks"
        raise NeedsUnmet(message, "choose a system without that need: `keywright systems` lists needs")


def outcomes(
    extraction: Extraction, documents: Iterable[Document | Failure], executor: Executor | None = None
) -> Iterator[Outcome]:
    """One outcome for each document, in order, as they come: also for a stream without end."""
    return (executor or Serial()).map(extraction, documents)


def run(
    extraction: Extraction,
    documents: Iterable[Document | Failure],
    data: str = "",
    *,
    executor: Executor | None = None,
    ledger: Ledger | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """A run over a collection, in its order; the same whatever the executor and however often it was cut off.

    Args:
        extraction: what to do.
        documents: the collection; ids must be unique.
        data: its name.
        executor: where; None means here, one after the other.
        ledger: finished shards are written there, and what stands there is not done again. The caller removes it when
            the run is kept.
        progress: told how many documents are done, of how many.

    Raises:
        BadParameter: two documents have one id.
    """
    started = time.perf_counter()
    given = tuple(documents)
    by_id = {_id(document): document for document in given}
    if len(by_id) < len(given):
        raise BadParameter(
            f"{len(given)} documents of {data or 'the collection'} have {len(by_id)} ids", "ids must differ"
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
    )


def _by_shards(
    extraction: Extraction,
    documents: Mapping[str, Document | Failure],
    executor: Executor,
    ledger: Ledger | None,
    progress: Callable[[int, int], None],
) -> dict[str, Outcome]:
    """Outcomes by id; those of finished shards come from the ledger."""
    shards: dict[int, list[str]] = {}
    for name in documents:
        shards.setdefault(shard(name, SHARDS), []).append(name)
    done: dict[str, Outcome] = {}
    for number in list(shards):
        if ledger and (kept := ledger.finished(number, shards[number])) is not None:
            done.update((outcome.document_id, outcome) for outcome in kept)
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


def environment() -> dict[str, str]:
    """Versions that may matter for repeating a run."""
    packages = {name: metadata.version(name) for name in ("numpy", "PyStemmer")}
    return {"keywright": VERSION, "python": platform.python_version(), "platform": platform.platform(), **packages}


def _id(document: Document | Failure) -> str:
    return document.document_id if isinstance(document, Failure) else document.id
