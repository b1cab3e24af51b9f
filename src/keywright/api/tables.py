"""Keyphrases of the documents in a table, as a table."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from keywright.api.collected_results import CollectedResults
from keywright.api.extracting import Errors, extract_each, prepare
from keywright.api.file_extracting import extract_files
from keywright.api.inputs import ListKeywords, SystemLike, renamed
from keywright.core.data_frames import installed_library
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, MissingData
from keywright.core.predictions import Failure
from keywright.execution.extraction import Outcome
from keywright.reading.file_names import why_missing
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.reading.tables.columns import TableColumns, resolved
from keywright.reading.tables.files import open_table
from keywright.reading.tables.frames import as_frame, frame_rows, library_of, rows_of_frame
from keywright.reading.tables.row_documents import document_of_row
from keywright.reading.tables.rows import Rows

if TYPE_CHECKING:
    import narwhals as nw

_OF_FOLDERS: Final = ("path", "title", "authors", "journal", "doi", "year")
"""Columns of a folder of documents: the files, and what they say of themselves."""


@renamed("guarantee", "confidence_level")
def extract_table(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    table: Any,
    text: str | None = None,
    title: str | None = None,
    id: str | None = None,  # noqa: A002 - what the column is called
    *,
    wide: bool = False,
    keep: Iterable[str] | bool = (),
    system: SystemLike = "default",
    top: int | None = None,
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

    The long table has the columns ``id``, ``rank``, ``keyphrase``, ``score``, ``probability``, ``start``, ``end`` (of
    the first mention, in characters) and ``error``; a failed document has one row with its ``error``, and a document
    without keyphrases one with its id alone. With a vocabulary of concepts ``concept`` (the URI) and ``label`` follow.
    The wide one has ``id``, ``keyphrases`` (a list) and ``error``, and in pandas the index of the table. Notes about
    guessed columns, repeated ids and documents with warnings are Python warnings.

    Args:
        table: of pandas, polars or pyarrow; a file of CSV, TSV, XLSX, Parquet or JSON Lines; or a folder of documents.
        text: the column of texts; None takes the only one that can be meant.
        title: the column of titles; None for none.
        id: the column of ids; None takes a column ``id``, else the index or the place of each row. Ids are texts,
            unless all are whole numbers.
        wide: one row for each document, not for each keyphrase.
        keep: columns of the table that the result has as well, behind its own; True for all. A folder has ``path``,
            ``title``, ``authors``, ``journal``, ``doi`` and ``year``.
        system: a name, the folder of a trained system, or a system itself.
        top: number of keyphrases; None for 10, or the system's own cutoff.
        language: ISO 639-1 code; None for each document's own, as detected.
        errors: ``keep`` puts a message into the column ``error``; ``raise`` stops at the first bad row.
        engine: ``serial``, ``processes`` or ``ray``.
        jobs: number of processes.
        options: which of the system's phrases are shown, as for ``extract``.

    Returns:
        A table of the library that was passed in; for a file or folder of pandas, polars or pyarrow, the first that
        is installed. A lazy table of polars gives one that is computed.

    Raises:
        UnknownName: a column is not there; the hint has the nearest name.
        BadParameter: the text can be in several columns, a kept column has the name of one of the result, or an option
            is invalid.
        UnreadableInput: the file is not a table or damaged, or with ``errors="raise"`` a row.
        MissingExtra: a library is not installed.
    """
    if errors not in ("keep", "raise"):
        raise BadParameter(f"errors = {errors!r}", "expected 'keep' or 'raise'")
    wanted, frame = TableColumns(text, title, id, _names(keep)), as_frame(table)
    extraction = prepare(system, top, language, **options)
    results = CollectedResults(wide, errors == "raise", extraction.names_concepts)

    def outcomes(rows: Iterator[Document | Failure]) -> Iterator[Outcome]:
        return extract_each(extraction, rows, engine, jobs)

    if frame is not None:
        finished = _of_frame(frame, wanted, results, outcomes)
    elif (path := _path(table)).is_dir():
        finished = _of_folder(path, wanted, results, extract_files(extraction, [path], engine=engine, jobs=jobs))
    else:
        finished = _of_file(open_table(path, path.as_posix(), DEFAULT_LIMITS), wanted, results, outcomes)
    for note in results.all_notes():
        warnings.warn(note, UserWarning, stacklevel=3)  # past the decorator, to the caller
    return finished


Work = Callable[[Iterator[Document | Failure]], Iterator[Outcome]]


def _of_frame(frame: "nw.DataFrame[Any]", wanted: TableColumns, results: CollectedResults, outcomes: Work) -> Any:
    """Return the results of a table in memory; kept columns are taken from it by row, so that types stay."""
    columns = _meant(rows_of_frame(frame), wanted, results)
    rows = frame_rows(frame, columns.read)
    results.collect(outcomes(results.with_ids(rows, columns, document_of_row)), "the table")
    finished = results.frame(library_of(frame))
    if columns.keep:
        import narwhals as nw  # noqa: PLC0415 - the table came through it

        beside = nw.maybe_reset_index(frame.select(list(columns.keep))[results.positions])
        finished = nw.concat([nw.from_native(finished), beside], how="horizontal").to_native()
    if results.wide and hasattr(finished, "index"):
        finished.index = frame.to_native().index
    return finished


def _of_file(table: Rows, wanted: TableColumns, results: CollectedResults, outcomes: Work) -> Any:
    """Return the results of a file of rows, which is read while the work is done."""
    library = installed_library()
    columns = _meant(table, wanted, results)
    results.notes.extend(table.notes)
    rows = results.with_kept(table.rows, columns.keep or ())
    results.collect(outcomes(results.with_ids(rows, columns, document_of_row)), table.name)
    return results.frame(library)


def _of_folder(
    folder: Path,
    wanted: TableColumns,
    results: CollectedResults,
    outcomes: Iterable[tuple[Document | None, Outcome]],
) -> Any:
    """Return the results of all documents in a folder; its columns are their paths and what they say of themselves."""
    if wanted.text or wanted.title or wanted.id:
        message = f"{folder} is a folder of documents, which has no columns to read"
        raise BadParameter(message, "leave out text, title and id; for a table name its file")
    library = installed_library()
    columns = _meant(Rows("a folder", _OF_FOLDERS, iter(())), TableColumns("path", keep=wanted.keep), results)
    done = (outcome for _, outcome in outcomes)
    results.collect(results.with_meta(done, folder, columns.keep or ()), str(folder))
    return results.frame(library)


def _names(keep: Iterable[str] | bool) -> tuple[str, ...] | None:  # noqa: FBT001 - as for extract_table
    """Return the names of kept columns; None for all."""
    if isinstance(keep, bool):
        return None if keep else ()
    return (keep,) if isinstance(keep, str) else tuple(keep)


def _meant(table: Rows, wanted: TableColumns, results: CollectedResults) -> TableColumns:
    """Return the columns that are meant, and note those that were guessed."""
    columns, notes = resolved(wanted, table)
    results.notes.extend(notes)
    return results.checked(columns)


def _path(table: Any) -> Path:
    """Return the path that a value names.

    Raises:
        BadParameter: it is neither a path nor a table.
        MissingData: there is no such file.
    """
    if not isinstance(table, str | Path):
        hint = "expected a table of pandas, polars or pyarrow, or a file; for a list: kw.extract(texts).to_frame()"
        raise BadParameter(f"a value of type {type(table).__name__} is not a table", hint)
    path = Path(table)
    if not path.exists():
        raise MissingData(*why_missing(str(table)))
    return path
