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


class ReviewedResults:
    """Documents that people reviewed, with the keyphrases that they accepted, and failures; iterated over once.

    Attributes:
        keyphrases: number of keyphrases of the reviewed documents so far.
        rejected: number of keyphrases in the table that were rejected.
        unreviewed: number of documents so far whose ids are not in the table.
        failures: number of documents so far that cannot be read or come twice.
    """

    def __init__(self, documents: Iterable[str | Path], keyphrases: Path, tables: NamedTables | None = None) -> None:
        """Read the table of keyphrases, and nothing else yet."""
        self._paths, self._table, self._columns = list(documents), keyphrases, tables
        if tables is not None:
            tables.check(self._paths)
        review = read_review(open_table(keyphrases, keyphrases.as_posix(), Limits()))
        self._phrases, self.rejected = review.phrases, review.rejected
        self._ids: set[str] = set()
        self.keyphrases = self.unreviewed = self.failures = 0

    @property
    def documents(self) -> int:
        """Number of reviewed documents so far."""
        return len(self._ids)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Ids of the table for which there was no document."""
        return tuple(name for name in self._phrases if name not in self._ids)

    def __iter__(self) -> Iterator[tuple[Document | None, Prediction | Failure]]:
        """Yield each document with its keyphrases, and None with each failure; raise if none was in the table."""
        example = ""
        for source in find_sources(self._paths, None, sys.stdin.buffer, self._columns):
            for document in read_documents(source):
                name = document.document_id if isinstance(document, Failure) else document.id
                example = example or name
                if isinstance(document, Failure) or name in self._ids:
                    self.failures += 1
                    error = BadParameter(f"document {name!r} comes twice", "every document needs a different id")
                    yield None, document if isinstance(document, Failure) else Failure.from_error(name, error)
                elif name not in self._phrases:
                    self.unreviewed += 1
                else:
                    self._ids.add(name)
                    phrases = self._phrases[name]
                    self.keyphrases += len(phrases)
                    yield document, Prediction(name, phrases, language=document.language, meta=document.meta)
        if not self._ids:
            there = f"; documents have ids such as {example!r}" if example else ""
            names = list_names(list(self._phrases))
            message = f"no id of {self._table} is that of a document that could be read: {names}{there}"
            hint = "name files, folders and --id-column as for `keywright extract`, which made the ids"
            raise BadParameter(message, hint)


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
        documents: files and folders, as for ``extract_files``; ``tables``: columns that are read of tables among them.
        keyphrases: table that ``extract`` wrote and people corrected; see ``read_review``.
        by: kind of the gold: ``author``, ``reader``, ``indexer`` ...

    Raises:
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
