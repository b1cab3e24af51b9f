"""Labelled data from documents and the keyphrases that people reviewed."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, listed
from keywright.core.json_text import to_json
from keywright.core.labelled_records import labelled_record
from keywright.core.predictions import Failure
from keywright.execution.file_extraction import documents_of
from keywright.reading.formats import Limits
from keywright.reading.sources import sources
from keywright.reading.tables.files import open_table
from keywright.reading.tables.named_files import NamedTables
from keywright.reading.tables.reviewed import Review, read_review


class Labelling(NamedTuple):
    """Counts of what ``label`` wrote and left out.

    Attributes:
        documents: number of documents written.
        keyphrases: number of their keyphrases.
        rejected: number of keyphrases that were rejected.
        unreviewed: number of documents whose ids are not in the table.
        unknown: ids of the table for which there is no document.
        failures: documents that could not be read.
    """

    documents: int
    keyphrases: int
    rejected: int
    unreviewed: int
    unknown: tuple[str, ...]
    failures: tuple[Failure, ...]


def label(
    documents: Iterable[str | Path],
    keyphrases: str | Path,
    output: str | Path,
    by: str = "indexer",
    tables: NamedTables | None = None,
) -> Labelling:
    r"""Write documents with the keyphrases that people reviewed as labelled data, which ``train`` and others take.

    >>> from pathlib import Path
    >>> import keywright as kw
    >>> from keywright import api
    >>> _ = Path("reviewed.csv").write_text("id,keyphrase,accepted\nexamples/note.txt,rain gardens,yes\n")
    >>> api.label(["examples/note.txt"], "reviewed.csv", "labelled.jsonl").keyphrases
    1
    >>> [gold.forms for gold in next(iter(kw.dataset("labelled.jsonl"))).gold]
    [('rain gardens',)]

    Args:
        documents: files and folders, as for ``extract_files``.
        keyphrases: table that ``extract`` wrote and people corrected; see ``read_review``.
        output: file of JSON Lines to write.
        by: kind of the gold: ``author``, ``reader``, ``indexer`` ...
        tables: columns that are read of tables among the documents.

    Raises:
        UnreadableInput, UnknownName: the table of keyphrases cannot be read, or lacks a column.
        BadParameter: no document is in the table; nothing is written.
    """
    paths, table = list(documents), Path(keyphrases)
    if tables is not None:
        tables.check(paths)
    check_file(Path(output), [*paths, table])
    review = read_review(open_table(table, table.as_posix(), Limits()))
    counts = _Counts(review)
    with whole_file(Path(output)) as file:
        for source in sources(paths, None, sys.stdin.buffer, tables):
            for document in documents_of(source):
                file.writelines(counts.lines(document, by))
        if not counts.ids:
            raise _nothing(table, review, counts)
    unknown = tuple(name for name in review.phrases if name not in counts.ids)
    return Labelling(
        len(counts.ids), counts.keyphrases, review.rejected, counts.unreviewed, unknown, tuple(counts.failures)
    )


class _Counts:
    """The lines of reviewed documents, and counts of all."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self.ids: set[str] = set()
        self.keyphrases = self.unreviewed = 0
        self.failures: list[Failure] = []
        self.example = ""

    def lines(self, document: Document | Failure, by: str) -> Iterator[str]:
        """Yield the line of a document, if it was reviewed and can be read."""
        name = document.document_id if isinstance(document, Failure) else document.id
        phrases = self._review.phrases.get(name)
        self.example = self.example or name
        if isinstance(document, Failure):
            self.failures.append(document)
        elif phrases is None:
            self.unreviewed += 1
        elif name in self.ids:
            error = BadParameter(f"document {name!r} comes twice", "every document needs a different id")
            self.failures.append(Failure.from_error(name, error))
        else:
            self.ids.add(name)
            self.keyphrases += len(phrases)
            yield to_json(labelled_record(document, phrases, by)) + "\n"


def _nothing(table: Path, review: Review, counts: _Counts) -> BadParameter:
    there = f"; documents have ids such as {counts.example!r}" if counts.example else ""
    message = f"no id of {table} is that of a document that could be read: {listed(list(review.phrases))}{there}"
    return BadParameter(message, "name files, folders and --id-column as for `keywright extract`, which made the ids")
