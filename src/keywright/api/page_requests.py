"""Requests of the page of the service: documents come back with their keyphrases, so that the service keeps nothing."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from keywright.api.probabilities import guarantees_by_tenths
from keywright.api.request_options import RequestOptions
from keywright.core.document_records import document_record
from keywright.core.documents import Document
from keywright.core.finished_records import FinishedRecord
from keywright.core.interfaces import Extractor
from keywright.core.json_text import to_json
from keywright.core.predictions import Failure
from keywright.reading.tables.columns import TableColumns
from keywright.reading.tables.named_files import NamedTables, needs_columns


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A text, or a file with documents; ``name`` is the id of the text, and of a document that its file does not name.

    Exactly one of ``text`` and ``path`` is set. ``columns`` are those that are read of a table; without a column of
    texts it is guessed, and files of records are not taken for tables.
    """

    name: str
    options: RequestOptions
    text: str = ""
    path: Path | None = None
    columns: TableColumns = field(default_factory=TableColumns)

    @property
    def is_table(self) -> bool:
        """Return whether its file is read by columns, as on the command line."""
        return needs_columns(self.name) or (self.columns.text is not None and NamedTables.reads(self.name))


def page_record(
    request: PageRequest,
    signature: str,
    system: Extractor,
    results: Iterable[tuple[Document | Failure, str]],
    notes: Sequence[str],
) -> FinishedRecord:
    """Return one record for all documents of a request.

    Its text is an object with ``signature``, ``guarantees``, pairs of a precision and the least probability that keeps
    it, ``documents``, objects with ``document`` and ``result``, and ``notes``.

    Args:
        request: which is answered.
        signature: of the system.
        system: whose guarantees are asked for.
        results: documents, or failures to read them, with the text of the record of each.
        notes: what people should know of how the documents were read.
    """
    guarantees = [(each.target, each.threshold) for each in guarantees_by_tenths(system, request.options.top)]
    documents = [
        {"document": document_record(read) if isinstance(read, Document) else None, "result": json.loads(record)}
        for read, record in results
    ]
    values = {"signature": signature, "guarantees": guarantees, "documents": documents, "notes": list(notes)}
    return FinishedRecord(request.name, to_json(values))
