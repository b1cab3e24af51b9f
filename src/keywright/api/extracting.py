"""Keyphrases of documents."""

import itertools
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Unpack, cast, overload

from keywright.api.inputs import Chosen, Given, document_of, system_of
from keywright.api.options import Wanted, selection_of
from keywright.api.probabilities import watcher
from keywright.api.selective_options import limited, within
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.predictions import Prediction
from keywright.core.runs import Failure
from keywright.execution import running
from keywright.execution.engines import engine as executor
from keywright.execution.extraction import Extraction, FromFiles, Outcome, check_ready
from keywright.reading.formats import format_named
from keywright.reading.sources import documents as in_sources
from keywright.reading.sources import sources
from keywright.text.languages import ByLanguage


def read_all(paths: Iterable[str | Path]) -> Iterator[Document | Failure]:
    """Documents in files and folders, one by one; failures stand where one cannot be read."""
    return in_sources(sources(paths, None, sys.stdin.buffer))


def prepare(
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    **wanted: Unpack[Wanted],
) -> Extraction:
    """What ``extract`` and ``run`` do to each document, checked before the first.

    Raises:
        UnreadableInput: a file of phrases is missing, empty, or no list of phrases.
        UnknownName, BadParameter: no such system, or a list shorter than one.
        CannotGuarantee: the documents of calibration do not allow the guarantee.
        NotFitted, NeedsUnmet: the system cannot run as it is.
    """
    if top is not None and top < 1:
        raise BadParameter(f"top {top}", "expected a number from 1")
    extractor = system_of(system)
    selection = selection_of(wanted)
    extractor = limited(extractor, top, wanted)
    analyser = ByLanguage(language, tagged="tags" in extractor.needs)
    extraction = Extraction(analyser, extractor, top, explain, selection)
    check_ready(extraction)
    return extraction


@overload
def extract(
    documents: Given,
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    **wanted: Unpack[Wanted],
) -> Prediction: ...
@overload
def extract(
    documents: list[Given] | tuple[Given, ...],
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    **wanted: Unpack[Wanted],
) -> list[Prediction]: ...
@overload
def extract(
    documents: Iterator[Given],
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    **wanted: Unpack[Wanted],
) -> Iterator[Prediction]: ...
def extract(
    documents: Given | Iterable[Given],
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
    **wanted: Unpack[Wanted],
) -> Prediction | list[Prediction] | Iterator[Prediction]:
    """Keyphrases: one prediction for a document, a list for a list, a stream for anything else that iterates.

    Args:
        documents: texts (``str``), files (``Path``) or documents.
        system: a name, the folder of a trained one, or a system itself.
        top: how many keyphrases; None for 10, or as many as the system stands by if it has a count rule.
        language: ISO 639-1 code; None for each document's own, or the one detected.
        explain: whether keyphrases come with their ``evidence``, and with ``grounds``: the same for people.
        wanted: which of the system's phrases are shown, such as ``min_probability=0.5``, or ``min_precision=0.4`` of a
            calibrated system: see ``Wanted``.

    Raises:
        KeywrightError: an option means nothing, or a document cannot be done; with ``extract_each`` the others go on.
    """
    extraction = prepare(system, top, language, explain=explain, **wanted)
    if isinstance(documents, Given):
        return extraction.prediction(document_of(documents))
    told = watcher(within(extraction.extractor))
    stream = cast("Iterator[Prediction]", map(told, map(extraction.prediction, map(document_of, documents))))
    return list(stream) if isinstance(documents, (list, tuple)) else stream


def extract_each(
    extraction: Extraction, documents: Iterable[Document | Failure], engine: str | None = None, jobs: int | None = None
) -> Iterator[Outcome]:
    """A prediction or a failure for each document, in order, as they come."""
    return map(watcher(within(extraction.extractor)), running.outcomes(extraction, documents, executor(engine, jobs)))


def extract_files(
    extraction: Extraction,
    paths: Iterable[str | Path],
    form: str | None = None,
    *,
    engine: str | None = None,
    jobs: int | None = None,
    keep: bool = False,
) -> Iterator[tuple[Document | None, Outcome]]:
    """Outcomes for all documents in files and folders, in order; several processes also share the reading.

    Args:
        extraction: from ``prepare``.
        paths: files and folders; ``-`` is standard input.
        form: what they hold, such as ``jsonl``; None tells it from each.
        engine: ``serial`` or ``processes``.
        jobs: number of processes.
        keep: whether documents come beside their outcomes.

    Raises:
        UnknownName: there is no such format or engine.
    """
    where = executor(engine, jobs, chunk=1)
    given = sources(paths, format_named(form) if form else None, sys.stdin.buffer)
    told = watcher(within(extraction.extractor))
    found = itertools.chain.from_iterable(where.map(FromFiles(extraction, keep), given))
    return ((document, told(outcome)) for document, outcome in found)
