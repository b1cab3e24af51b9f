"""Keyphrases of the rows of a table, as a table of the same library; and those that people reviewed in a table."""

import numbers
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

from keywright.api.extract_job import extract_files
from keywright.api.extracting import Errors, extract_each, prepare
from keywright.api.inputs import SystemLike
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, MissingData, UnreadableInput, list_names
from keywright.core.options import Length, ListKeywords
from keywright.core.predictions import Failure, Outcome, Prediction, name_columns
from keywright.core.views import Kinds, find_library, make_data_frame, unify_column
from keywright.reading.file_names import explain_missing
from keywright.reading.sources import DEFAULT_LIMITS, find_sources
from keywright.reading.tables.files import NamedTables, as_frame, frame_rows, open_table
from keywright.reading.tables.reviewed import read_review
from keywright.reading.tables.rows import Row, Rows, TableColumns, document_of_row, resolve_columns
from keywright.running.file_extraction import DistinctIds, read_documents

if TYPE_CHECKING:
    import narwhals as nw

Work: TypeAlias = Callable[[Iterator[Document | Failure]], Iterator[Outcome]]


@dataclass(slots=True)
class CollectedResults:
    """Rows of results, which grow while outcomes come, with what belongs to them."""

    kinds: Kinds  # columns of the result and their types
    wide: bool  # whether there is one row for each document
    strict: bool  # whether a failure is raised
    concepts: bool  # whether there are columns of concepts
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)  # for each row the number of its document, from 0
    ids: list[Any] = field(default_factory=list)  # cells with ids by document; empty where no column has ids
    cells: dict[str, list[Any]] = field(default_factory=dict)  # values by kept column and document
    notes: list[str] = field(default_factory=list)  # remarks for people
    repeated: list[str] = field(default_factory=list)  # ids that were made distinct
    warned: tuple[int, str] = (0, "")  # number of warnings of documents, and the first

    def resolve_columns(self, wanted: TableColumns, table: Rows) -> TableColumns:
        """Return the columns that are meant, without a kept column of ids that the result has anyway; note guesses."""
        columns, notes = resolve_columns(wanted, table)
        self.notes.extend(notes)
        keep = tuple(name for name in columns.keep or () if name != "id" or columns.id != "id")
        if taken := [name for name in keep if name in self.kinds]:
            message = f"the column {taken[0]!r} cannot be kept: the result has a column of this name"
            raise BadParameter(message, "rename it, or leave it out of keep")
        return replace(columns, keep=keep)

    def documents(self, rows: Iterable[Row], columns: TableColumns) -> Iterator[Document | Failure]:
        """Yield the documents of rows, and note their ids and the cells of columns that ``cells`` has."""
        for row in rows:
            if columns.id:
                self.ids.append(row.cells.get(columns.id))
            for name, values in self.cells.items():
                values.append(row.cells.get(name))
            yield document_of_row(row, columns)

    def collect(self, outcomes: Iterable[Outcome], name: str) -> None:
        """Add the rows of all outcomes, under distinct ids; ``name`` is that of the table."""
        distinct, number = DistinctIds(), 0
        for number, outcome in enumerate(outcomes, start=1):
            if self.strict and isinstance(outcome, Failure):
                raise UnreadableInput(f"{outcome.document_id}: {outcome.message}", outcome.hint)
            label = distinct.distinct(outcome.document_id)
            if label != outcome.document_id:
                self.repeated.append(label)
            if isinstance(outcome, Prediction) and outcome.warnings:
                count, first = self.warned
                self.warned = count + len(outcome.warnings), first or f"{label}: {outcome.warnings[0]}"
            for row in replace(outcome, document_id=label).rows(wide=self.wide, concepts=self.concepts):
                self.positions.append(number - 1)
                self.rows.append(row)
        if not number:
            self.notes.append(f"{name} has no rows: the result is empty")

    def all_notes(self) -> Iterator[str]:
        """Yield all notes, those about repeated ids and about documents with warnings last."""
        yield from self.notes
        if count := len(self.repeated):
            rows = "1 row repeats" if count == 1 else f"{count} rows repeat"
            yield f"{rows} an earlier id: a number makes ids distinct, such as {self.repeated[0]!r}"
        total, first = self.warned
        if total:
            plural = "s" if total > 1 else ""
            yield f"documents have {total} warning{plural}, the first is {first!r}; kw.extract returns all"

    def frame(self, library: str) -> Any:
        """Return the columns, and the cells of kept ones, as a table of a library.

        Where all ids are whole numbers, each once, they stay numbers, so that the result can be joined by them.
        """
        columns = {name: [row[index] for row in self.rows] for index, name in enumerate(self.kinds)}
        kinds = dict(self.kinds)
        is_whole = all(isinstance(value, numbers.Integral) and not isinstance(value, bool) for value in self.ids)
        if self.ids and is_whole and not self.repeated:
            columns["id"], kinds["id"] = [int(self.ids[place]) for place in self.positions], int
        for name, values in self.cells.items():
            columns[name], kinds[name] = unify_column([values[place] for place in self.positions])
        first = "keyphrase" if "keyphrase" in columns else "id"  # libraries print the first and last columns
        order = sorted(columns, key=lambda name: name != first)
        return make_data_frame({name: columns[name] for name in order}, kinds, library)


_OF_FOLDERS: Final = ("path", "title", "authors", "journal", "doi", "year")
"""Columns of a folder of documents: the files, and what they say of themselves."""


def extract_table(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    table: Any,
    text: str | None = None,
    title: str | None = None,
    id: str | None = None,  # noqa: A002 - what the column is called
    *,
    wide: bool = False,
    keep: Iterable[str] | bool = (),
    system: SystemLike = "default",
    top: Length | None = None,
    language: str | None = None,
    errors: Errors = "keep",
    engine: str | None = None,
    jobs: int | None = None,
    **options: Unpack[ListKeywords],
) -> Any:
    """Extract keyphrases of the documents in the rows of a table; return them as a table of the same kind.

    >>> import keywright as kw
    >>> keyphrases = kw.extract_table("examples/abstracts.jsonl", text="abstract", title="title", id="id", top=1)
    >>> keyphrases["keyphrase"].tolist()[:2]
    ['plastic pipe', 'yeasts']

    The long table has the columns ``keyphrase``, ``id``, ``rank``, ``score``, ``probability``, ``start``, ``end`` (of
    the first mention, in characters) and ``error``; a failed document has one row with its ``error``, and a document
    without keyphrases one with its id alone. With a vocabulary of concepts ``concept`` (the URI) and ``label`` follow.
    The wide one has ``id``, ``keyphrases`` (a list) and ``error``, and in pandas the index of the table. Notes about
    guessed columns, repeated ids and documents with warnings are Python warnings. The result is of the library that was
    passed in; for a file or folder of pandas, polars or pyarrow, the first that is installed. A lazy table of polars
    gives one that is computed.

    Args:
        table: of pandas, polars or pyarrow; a file of CSV, TSV, XLSX, Parquet or JSON Lines; or a folder of documents.
        text: the column of texts; None takes the only one that can be meant.
        title: the column of titles; None for none.
        id: the column of ids; None takes a column ``id``, else the index or the place of each row. Ids are texts,
            unless all are whole numbers.
        wide: one row for each document, not for each keyphrase.
        keep: columns of the table that the result has as well, behind its own; True for all. A folder has ``path``,
            ``title``, ``authors``, ``journal``, ``doi`` and ``year``.
        errors: ``keep`` puts a message into the column ``error``; ``raise`` stops at the first bad row.
    """
    if errors not in ("keep", "raise"):
        raise BadParameter(f"errors = {errors!r}", "expected 'keep' or 'raise'")
    columns = (keep,) if isinstance(keep, str) else None if keep is True else tuple(keep or ())
    wanted, frame = TableColumns(text, title, id, columns), as_frame(table)
    extraction = prepare(system, top, language, **options)
    concepts = extraction.names_concepts
    results = CollectedResults(name_columns(wide=wide, concepts=concepts), wide, errors == "raise", concepts)

    def outcomes(rows: Iterator[Document | Failure]) -> Iterator[Outcome]:
        return extract_each(extraction, rows, engine, jobs)

    if frame is not None:
        finished = _extract_frame(frame, wanted, results, outcomes)
    elif not isinstance(table, str | Path):
        hint = "expected a table of pandas, polars or pyarrow, or a file; for a list: kw.extract(texts).to_frame()"
        raise BadParameter(f"a value of type {type(table).__name__} is not a table", hint)
    elif not (path := Path(table)).exists():
        raise MissingData(*explain_missing(str(table)))
    elif path.is_dir():
        done = (outcome for _, outcome in extract_files(extraction, [path], engine=engine, jobs=jobs))
        finished = _extract_folder(path, wanted, results, done)
    else:
        finished = _extract_file(open_table(path, path.as_posix(), DEFAULT_LIMITS), wanted, results, outcomes)
    for note in results.all_notes():
        warnings.warn(note, UserWarning, stacklevel=2)
    return finished


def _extract_frame(frame: "nw.DataFrame[Any]", wanted: TableColumns, results: CollectedResults, outcomes: Work) -> Any:
    """Return the results of a table in memory; kept columns are taken from it by row, so that types stay."""
    columns = results.resolve_columns(wanted, Rows("the table", tuple(map(str, frame.columns)), iter(())))
    results.collect(outcomes(results.documents(frame_rows(frame, columns.read), columns)), "the table")
    finished = results.frame(str(frame.implementation.name).lower())
    if columns.keep:
        import narwhals as nw  # noqa: PLC0415 - the table came through it

        beside = nw.maybe_reset_index(frame.select(list(columns.keep))[results.positions])
        finished = nw.concat([nw.from_native(finished), beside], how="horizontal").to_native()
    if results.wide and hasattr(finished, "index"):
        finished.index = frame.to_native().index
    return finished


def _extract_file(table: Rows, wanted: TableColumns, results: CollectedResults, outcomes: Work) -> Any:
    """Return the results of a file of rows, which is read while the work is done."""
    library = find_library()
    columns = results.resolve_columns(wanted, table)
    results.cells = {name: [] for name in columns.keep or ()}
    results.notes.extend(table.notes)
    results.collect(outcomes(results.documents(table.rows, columns)), table.name)
    return results.frame(library)


def _extract_folder(folder: Path, wanted: TableColumns, results: CollectedResults, outcomes: Iterator[Outcome]) -> Any:
    """Return the results of all documents in a folder; its columns are their paths and what they say of themselves."""
    if wanted.text or wanted.title or wanted.id:
        message = f"{folder} is a folder of documents, which has no columns to read"
        raise BadParameter(message, "leave out text, title and id; for a table name its file")
    library = find_library()
    columns = results.resolve_columns(TableColumns("path", keep=wanted.keep), Rows("a folder", _OF_FOLDERS, iter(())))
    results.cells = {name: [] for name in columns.keep or ()}

    def note_cells(outcome: Outcome) -> Outcome:
        file = folder / outcome.document_id
        path = str(file) if file.is_file() else None  # records of a file have other ids
        for name, values in results.cells.items():
            values.append(path if name == "path" else outcome.meta.get(name))
        return outcome

    results.collect(map(note_cells, outcomes), str(folder))
    return results.frame(library)


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
        review = read_review(open_table(keyphrases, keyphrases.as_posix(), DEFAULT_LIMITS))
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
