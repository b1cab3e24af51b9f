"""Tables among the files that are named for extraction: read by columns, or refused with the columns that there are."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from keywright.core.documents import Document
from keywright.core.errors import BadParameter, KeywrightError, UnsupportedFormat, listed
from keywright.core.predictions import Failure
from keywright.reading.formats import Limits
from keywright.reading.tables.columns import TableColumns, columns_there
from keywright.reading.tables.files import RECORDS, open_table, table_format
from keywright.reading.tables.row_documents import documents_of


@dataclass(frozen=True, slots=True)
class NamedTables:
    """Reading of the tables among several files.

    Attributes:
        columns: columns that are read of each.
        tell: called with notes for people.
    """

    columns: TableColumns
    tell: Callable[[str], None]

    @staticmethod
    def reads(name: str) -> bool:
        """Return whether a file is a table by its name; JSON Lines are one where columns are named."""
        return table_format(name) is not None

    def check(self, paths: Iterable[str | Path]) -> None:
        """Check that there is a table among files, or a folder that may hold some.

        Raises:
            BadParameter: there is none, so that the columns would have no effect.
        """
        names = list(map(str, paths))
        if not any(self.reads(name) or Path(name).is_dir() for name in names):
            message = f"a column of texts, and no table among the files: {listed(names)}"
            raise BadParameter(
                message, "tables are .csv, .tsv, .xlsx, .parquet and .jsonl; save other spreadsheets as one of these"
            )

    def documents(self, path: Path, name: str, limits: Limits) -> Iterator[Document | Failure]:
        """Yield the documents of a file, and a failure for each row, or for the file, that cannot be read."""
        try:
            _, documents = documents_of(open_table(path, name, limits), self.columns, self.tell)
            yield from documents
        except KeywrightError as error:
            yield Failure.from_error(name, error)


def needs_columns(name: str) -> bool:
    """Return whether a file can be read by columns only; JSON Lines have keys with a meaning."""
    return table_format(name) not in (None, RECORDS)


def refused(path: Path, name: str, limits: Limits) -> Failure:
    """Return the failure of a table whose columns are not named; its hint names them."""
    try:
        there = columns_there(open_table(path, name, limits).columns)
    except KeywrightError as error:
        return Failure.from_error(name, error)
    hint = f"--text-column NAME in the terminal, kw.extract_table(path, text=NAME) in Python; {there}"
    return Failure.from_error(name, UnsupportedFormat(f"{name} is a table: which column has the texts?", hint))
