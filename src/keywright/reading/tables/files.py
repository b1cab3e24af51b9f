"""Files of tables: recognised by their endings, read by the module for their format; tables in memory; JSON Lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from keywright.core import errors
from keywright.core.documents import Document
from keywright.core.json_values import replace_surrogates
from keywright.core.predictions import Failure
from keywright.core.views import LIBRARIES
from keywright.reading.apart import call_apart
from keywright.reading.file_names import explain_missing, is_address
from keywright.reading.formats import JSONL
from keywright.reading.limits import Limits
from keywright.reading.record_lines import JsonLine, streamed_lines
from keywright.reading.tables.rows import Row, Rows, TableColumns, columns_there, read_table_documents

if TYPE_CHECKING:
    import narwhals as nw


class TableFormat(NamedTuple):
    """A kind of file of rows: endings in lower case, and what reads it, "module:function" of this room."""

    name: str
    endings: tuple[str, ...]
    reader: str


_PACKED: Final = ("", ".gz", ".zst")
_TABBED: Final = tuple(f"{ending}{packed}" for ending in (".tsv", ".tab") for packed in _PACKED)
CSV: Final = TableFormat("CSV", tuple(f".csv{packed}" for packed in _PACKED), "delimited:delimited_rows")
TSV: Final = TableFormat("TSV", _TABBED, "delimited:delimited_rows")
XLSX: Final = TableFormat("XLSX", (".xlsx", ".xlsm"), "library_tables:spreadsheet_rows")
PARQUET: Final = TableFormat("Parquet", (".parquet", ".pq"), "library_tables:parquet_rows")
RECORDS: Final = TableFormat("JSON Lines", JSONL.extensions, "files:record_rows")
FORMATS: Final = (CSV, TSV, XLSX, PARQUET, RECORDS)


def table_format(name: str) -> TableFormat | None:
    """Return the format of a file of rows by its name; None for any other file."""
    return next((form for form in FORMATS if name.lower().endswith(form.endings)), None)


def open_table(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a file; MissingData, UnsupportedFormat or UnreadableInput if it is not a table."""
    if is_address(str(path)) or not path.exists():
        raise errors.MissingData(*explain_missing(str(path)))
    form = table_format(name)
    if form is None:
        names = ", ".join(f"{form.name} ({form.endings[0]})" for form in FORMATS)
        hint = f"tables are {names}; save other spreadsheets as one; a document: kw.extract(kw.read(path)).to_frame()"
        raise errors.UnsupportedFormat(f"{name} is not a table", hint)
    if not path.is_file():
        raise errors.UnreadableInput(f"{name} is not a regular file", "name a file")
    if not path.stat().st_size:
        raise errors.EmptyInput(f"{name} is an empty file", "the first row of a table names its columns")
    try:
        read_rows: Callable[..., Rows] = resolve_name(f"keywright.reading.tables.{form.reader}")
        if form not in {XLSX, PARQUET}:
            return read_rows(path, name, limits)
        rows: Rows = call_apart(read_rows, path, name, limits=limits)  # by large libraries
    except OSError as error:
        raise errors.UnreadableInput(
            f"{name} cannot be opened: {error.strerror or error}", "check its permissions"
        ) from error
    return rows


_HEAD: Final = 100  # records whose keys are the columns; arbitrary. A key that occurs later only is not a column


def record_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a file of JSON Lines, packed or not, which is read while they are taken."""
    rows = _stream_rows(path, name, limits)
    first = list(islice(rows, _HEAD))
    return Rows(name, tuple(dict.fromkeys(key for row in first for key in row.cells)), chain(first, rows))


def _stream_rows(path: Path, name: str, limits: Limits) -> Iterator[Row]:
    with path.open("rb") as stream:
        yield from map(row_of_line, streamed_lines(stream, name, limits))


def row_of_line(line: JsonLine) -> Row:
    """Return the row of a line; a broken line is a row with a problem."""
    place = f"{line.file}:{line.number}"
    try:
        return Row(place, {replace_surrogates(name): value for name, value in line.record().items()})
    except errors.KeywrightError as error:
        return Row(place, {}, error.message.removeprefix(f"line {line.number} of {line.file} is "))


@dataclass(frozen=True, slots=True)
class NamedTables:
    """Reading of the tables among several files, by columns; ``tell``: called with notes for people."""

    columns: TableColumns
    tell: Callable[[str], None]

    @staticmethod
    def reads(name: str) -> bool:
        """Return whether a file is a table by its name; JSON Lines are one where columns are named."""
        return table_format(name) is not None

    def check(self, paths: Iterable[str | Path]) -> None:
        """Check that there may be a table among files, else the columns had no effect (``BadParameter``)."""
        names = list(map(str, paths))
        if not any(self.reads(name) or Path(name).is_dir() for name in names):
            message = f"a column of texts, and no table among the files: {errors.list_names(names)}"
            formats = ".csv, .tsv, .xlsx, .parquet and .jsonl"
            raise errors.BadParameter(message, f"tables are {formats}; save other spreadsheets as one of these")

    def documents(self, path: Path, name: str, limits: Limits) -> Iterator[Document | Failure]:
        """Yield the documents of a file, and a failure for each row, or for the file, that cannot be read."""
        try:
            _, documents = read_table_documents(open_table(path, name, limits), self.columns, self.tell)
            yield from documents
        except errors.KeywrightError as error:
            yield Failure.from_error(name, error)


def needs_columns(name: str) -> bool:
    """Return whether a file can be read by columns only; JSON Lines have keys with a meaning."""
    return table_format(name) not in (None, RECORDS)


def refuse_table(path: Path, name: str, limits: Limits) -> Failure:
    """Return the failure of a table whose columns are not named; its hint names them."""
    try:
        there = columns_there(open_table(path, name, limits).columns)
    except errors.KeywrightError as error:
        return Failure.from_error(name, error)
    hint = f"--text-column NAME in the terminal, kw.extract_table(path, text=NAME) in Python; {there}"
    return Failure.from_error(name, errors.UnsupportedFormat(f"{name} is a table: which column has the texts?", hint))


def as_frame(table: Any) -> "nw.DataFrame[Any] | None":
    """Return a table of a library, a lazy one computed, through narwhals; None for any other value.

    Raises MissingExtra: narwhals is not installed; BadParameter: a column, or a table of another library.
    """
    modules = {kind.__module__.partition(".")[0] for kind in type(table).__mro__}
    if not modules & set(LIBRARIES):
        return None
    with errors.needs_extra("tables", "tables need the package narwhals"):
        import narwhals as nw  # noqa: PLC0415 - optional
    try:
        frame = nw.from_native(table)
    except (TypeError, ValueError) as error:
        message = f"{type(table).__name__} is not a table that can be read: {str(error).splitlines()[0]}"
        hint = "pass a whole table; a column goes to kw.extract(column).to_frame()"
        raise errors.BadParameter(message, hint) from error
    frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    if other := [name for name in frame.columns if not isinstance(name, str)]:
        hint = "make texts of them: table.columns = table.columns.map(str)"
        raise errors.BadParameter(f"the table has names of columns that are not texts, such as {other[0]!r}", hint)
    return frame


def frame_rows(frame: "nw.DataFrame[Any]", columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table with these columns; their places are the index of pandas, else ``row-1``, ``row-2``."""
    labels = getattr(frame.to_native(), "index", None)
    if labels is None:
        places: Iterable[str] = (f"row-{number}" for number in range(1, len(frame) + 1))
    else:
        places = ("/".join(map(str, label)) if isinstance(label, tuple) else str(label) for label in labels)
    for place, cells in zip(places, frame.select(list(columns)).iter_rows(named=True), strict=True):
        yield Row(place, cells)
