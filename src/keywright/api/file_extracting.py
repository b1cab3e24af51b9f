"""Keyphrases of documents in files and folders."""

import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO, TypedDict, Unpack, cast

from keywright.api.probabilities import drift_warner, within
from keywright.core.documents import Document
from keywright.core.finished_records import FinishedRecord
from keywright.core.id_set import IdSet
from keywright.core.interfaces import Result
from keywright.core.predictions import Failure
from keywright.core.signatures import short_signature
from keywright.execution.distinct_ids import DistinctIds
from keywright.execution.engines import engine as executor
from keywright.execution.extraction import Extraction, Outcome
from keywright.execution.file_extraction import (
    FromFiles,
    documents_of,
    mapped_files,
    with_document,
    without_document,
)
from keywright.execution.finishing import AsRecord
from keywright.execution.shards import Shard, remaining
from keywright.reading.arriving_input import ArrivingInput
from keywright.reading.formats import format_named
from keywright.reading.sources import Unread, sources
from keywright.reading.tables.named_files import NamedTables


class FileOptions(TypedDict, total=False):
    """Keywords of ``extract_files`` on where and on which documents the work is done."""

    engine: str | None
    jobs: int | None
    shard: str | None
    done: Collection[str] | IdSet
    tables: NamedTables | None


def documents_in(path: Path, name: str) -> tuple[Document | Failure, ...]:
    """Return the documents in a file, and a failure for each that cannot be read, as ``extract_files`` reads them.

    PDF, Office files and markup are read in a process of their own, with limits of memory and time, which
    ``stop_reading`` ends from another thread.

    >>> from pathlib import Path
    >>> from keywright import api
    >>> [document.id for document in api.documents_in(Path("examples/article.pdf"), "article")]
    ['article']

    Args:
        path: the file.
        name: id of its document; records have their own.
    """
    return documents_of(Unread(path, name))


def extract_files(
    extraction: Extraction,
    paths: Iterable[str | Path],
    form: str | None = None,
    *,
    keep: bool = False,
    **options: Unpack[FileOptions],
) -> Iterator[tuple[Document | None, Outcome]]:
    """Yield outcomes for all documents in files and folders, in order; worker processes also read the files.

    >>> import keywright as kw
    >>> outcomes = kw.extract_files(kw.prepare("kpminer", top=1), ["examples/note.txt"])
    >>> [outcome.texts for _, outcome in outcomes]
    [('rain gardens',)]

    The outcomes of up to 64 documents are worked out together; they do not wait for a standard input that is slow.

    Args:
        extraction: from ``prepare``.
        paths: files and folders; ``-`` is standard input.
        form: format of the files, such as ``jsonl``; None recognises each.
        keep: whether documents come with their outcomes, in place of None.
        options: ``engine``, ``serial``, ``processes`` or ``ray``; ``jobs``, the number of processes; ``shard``, such as
            ``2/8`` for the second of eight parts, which together are all documents, each once; ``done``, ids that are
            left out, as an earlier call gave them; ``tables``, columns that are read of tables, refused without.

    Raises:
        UnknownName: there is no such format or engine.
        BadParameter: no such shard, or columns of tables and no table among the files.
    """
    work = FromFiles(extraction, with_document if keep else without_document)
    warned, distinct = drift_warner(within(extraction.extractor)), DistinctIds(options.get("done", ()))
    outcomes = _mapped(work, paths, form, options)
    return ((document, warned(distinct(outcome))) for document, outcome in outcomes)


def extract_records(
    extraction: Extraction,
    paths: Iterable[str | Path],
    form: str | None = None,
    *,
    include_text: bool = False,
    **options: Unpack[FileOptions],
) -> Iterator[FinishedRecord]:
    """Yield the JSON records of all documents in files and folders, which worker processes make.

    Args:
        extraction: from ``prepare``.
        paths: files and folders; ``-`` is standard input.
        form: format of the files, such as ``jsonl``; None recognises each.
        include_text: whether records hold the document's text.
        options: as for ``extract_files``.

    Raises:
        UnknownName, BadParameter: as for ``extract_files``.
    """
    work = FromFiles(extraction, AsRecord(short_signature(extraction.signature), include_text))
    warned, distinct = drift_warner(within(extraction.extractor)), DistinctIds(options.get("done", ()))
    return (warned(distinct(record)) for record in _mapped(work, paths, form, options))


def _mapped(
    work: FromFiles[Result], paths: Iterable[str | Path], form: str | None, options: FileOptions
) -> Iterator[Result]:
    """Yield the results of all documents, after a check of the options."""
    workers = executor(options.get("engine"), options.get("jobs"))
    paths, tables, part = list(paths), options.get("tables"), options.get("shard")
    if tables is not None:
        tables.check(paths)
    stdin = ArrivingInput(sys.stdin.buffer)
    files = sources(paths, format_named(form) if form else None, cast("IO[bytes]", stdin), tables)
    files = remaining(files, Shard.parsed(part) if part else None, options.get("done", ()))
    return mapped_files(workers, work, files, stdin.is_ready)
