"""Keyphrases that people reviewed in a table, as results like those of extraction, and as labelled data."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, list_names
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import labelled_record
from keywright.reading.limits import Limits
from keywright.reading.sources import find_sources
from keywright.reading.tables.files import NamedTables, open_table
from keywright.reading.tables.reviewed import read_review
from keywright.running.file_extraction import read_documents


class ReviewedResults(Iterator[tuple[Document | None, Prediction | Failure]]):
    """Documents that people reviewed, with the keyphrases that they accepted, and failures; read one by one.

    Attributes:
        documents: number of reviewed documents so far.
        keyphrases: number of their keyphrases.
        rejected: number of keyphrases in the table that were rejected.
        unreviewed: number of documents so far whose ids are not in the table.
        failures: number of documents so far that cannot be read or come twice.
    """

    def __init__(self, documents: Iterable[str | Path], keyphrases: Path, tables: NamedTables | None = None) -> None:
        """Read the table of keyphrases, and nothing else yet.

        Raises:
            UnreadableInput, UnknownName: it cannot be read, or lacks a column.
        """
        self._paths, self._table, self._columns = list(documents), keyphrases, tables
        if tables is not None:
            tables.check(self._paths)
        review = read_review(open_table(keyphrases, keyphrases.as_posix(), Limits()))
        self._phrases, self.rejected = review.phrases, review.rejected
        self._ids: set[str] = set()
        self._example = ""
        self.keyphrases = self.unreviewed = self.failures = 0
        self._results = self._iterate()

    @property
    def documents(self) -> int:
        """Number of reviewed documents so far."""
        return len(self._ids)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Ids of the table for which there was no document."""
        return tuple(name for name in self._phrases if name not in self._ids)

    def __next__(self) -> tuple[Document | None, Prediction | Failure]:
        """Return the next document with its keyphrases.

        Raises:
            BadParameter: there are no more, and none was in the table.
        """
        return next(self._results)

    def _iterate(self) -> Iterator[tuple[Document | None, Prediction | Failure]]:
        for source in find_sources(self._paths, None, sys.stdin.buffer, self._columns):
            for document in read_documents(source):
                yield from self._review_document(document)
        if not self._ids:
            raise self._nothing()

    def _review_document(self, document: Document | Failure) -> Iterator[tuple[Document | None, Prediction | Failure]]:
        name = document.document_id if isinstance(document, Failure) else document.id
        self._example = self._example or name
        phrases = self._phrases.get(name)
        if not isinstance(document, Failure) and phrases is None:
            self.unreviewed += 1
            return
        if not isinstance(document, Failure) and name in self._ids:
            error = BadParameter(f"document {name!r} comes twice", "every document needs a different id")
            document = Failure.from_error(name, error)
        if isinstance(document, Failure):
            self.failures += 1
            yield None, document
            return
        self._ids.add(name)
        self.keyphrases += len(phrases or ())
        yield document, Prediction(name, phrases or (), language=document.language, meta=document.meta)

    def _nothing(self) -> BadParameter:
        there = f"; documents have ids such as {self._example!r}" if self._example else ""
        names = list_names(list(self._phrases))
        message = f"no id of {self._table} is that of a document that could be read: {names}{there}"
        hint = "name files, folders and --id-column as for `keywright extract`, which made the ids"
        return BadParameter(message, hint)


def label(
    documents: Iterable[str | Path],
    keyphrases: str | Path,
    output: str | Path,
    by: str = "indexer",
    tables: NamedTables | None = None,
) -> ReviewedResults:
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

    Returns:
        The results, all read, with their counts.

    Raises:
        UnreadableInput, UnknownName: the table of keyphrases cannot be read, or lacks a column.
        BadParameter: no document is in the table; nothing is written.
    """
    paths = list(documents)
    check_file(Path(output), [*paths, keyphrases])
    results = ReviewedResults(paths, Path(keyphrases), tables)
    with whole_file(Path(output)) as file:
        for document, outcome in results:
            if document is not None and isinstance(outcome, Prediction):
                file.write(to_json(labelled_record(document, outcome.keyphrases, by)) + "\n")
    return results
