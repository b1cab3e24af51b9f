"""Requests of the page of the service: documents come back with their keyphrases, so that the service keeps nothing."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from keywright.api.probabilities import guarantees_by_tenths
from keywright.api.request_options import RequestOptions
from keywright.core.document_records import document_record
from keywright.core.documents import Document
from keywright.core.finished_records import FinishedRecord
from keywright.core.interfaces import Extractor
from keywright.core.json_text import to_json
from keywright.core.predictions import Failure


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
    guarantees = [(each.target, each.threshold) for each in guarantees_by_tenths(system, top)]
    documents = [
        {"document": document_record(read) if isinstance(read, Document) else None, "result": json.loads(record)}
        for read, record in results
    ]
    return FinishedRecord(name, to_json({"signature": signature, "guarantees": guarantees, "documents": documents}))
