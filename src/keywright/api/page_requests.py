"""Requests of the page of the service: documents come back with their keyphrases, so that the service keeps nothing."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from keywright.api.probabilities import guarantee_of, is_calibrated, limited
from keywright.api.request_options import RequestOptions
from keywright.core.document_records import as_json
from keywright.core.documents import Document
from keywright.core.errors import CannotGuarantee
from keywright.core.finished_records import FinishedRecord
from keywright.core.interfaces import Extractor
from keywright.core.json_text import to_json
from keywright.core.predictions import Failure

TARGETS: Final = tuple(tenth / 10 for tenth in range(1, 10))
"""Precisions that the page offers, where they can be guaranteed; those of the tables of ``calibrate``."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A text, or a file with documents; ``name`` is the id of the text, and of a document that its file does not name.

    Exactly one of ``text`` and ``path`` is set.
    """

    name: str
    options: RequestOptions
    text: str = ""
    path: Path | None = None


def page_record(
    name: str, signature: str, system: Extractor, top: int | None, results: Iterable[tuple[Document | Failure, str]]
) -> FinishedRecord:
    """Return one record for all documents of a request.

    Its text is an object with ``signature``, ``guarantees``, pairs of a precision and the least probability that keeps
    it, and ``documents``, objects with ``document`` and ``result``.

    Args:
        name: of the request.
        signature: of the system.
        system: whose guarantees are asked for.
        top: length of its lists.
        results: documents, or failures to read them, with the text of the record of each.
    """
    documents = [_with_document(read, json.loads(record)) for read, record in results]
    values = {"signature": signature, "guarantees": list(guarantees(system, top)), "documents": documents}
    return FinishedRecord(name, to_json(values))


def guarantees(system: Extractor, top: int | None) -> Iterator[tuple[float, float]]:
    """Yield precisions that a system can guarantee, each with the least probability of a phrase; none uncalibrated."""
    return _guaranteed(system, top) if is_calibrated(system) else iter(())


def _guaranteed(system: Extractor, top: int | None) -> Iterator[tuple[float, float]]:
    for target in TARGETS:
        try:
            guarantee = guarantee_of(limited(system, top, {"min_precision": target}))
        except CannotGuarantee:
            continue
        if guarantee is not None:
            yield target, guarantee.threshold


def _with_document(read: Document | Failure, result: Mapping[str, Any]) -> dict[str, Any]:
    document = json.loads(as_json(read)) if isinstance(read, Document) else None
    return {"document": document, "result": result}
