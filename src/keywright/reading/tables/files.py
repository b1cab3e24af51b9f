"""Files of tables: recognised by their endings, and read by the module for their format."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.errors import EmptyInput, MissingData, UnreadableInput, UnsupportedFormat
from keywright.reading.file_names import is_address, why_missing
from keywright.reading.formats import JSONL, Limits
from keywright.reading.tables.rows import Rows


@dataclass(frozen=True, slots=True)
class TableFormat:
    """A kind of file of rows: its endings in lower case, and ``module:function`` of this room that reads it."""

    name: str
    endings: tuple[str, ...]
    reader: str

    def load(self) -> Callable[[Path, str, Limits], Rows]:
        """Return the function that reads files of this format, loaded now."""
        module, _, function = self.reader.partition(":")
        reader: Callable[[Path, str, Limits], Rows]
        reader = getattr(importlib.import_module(f"keywright.reading.tables.{module}"), function)
        return reader


_PACKED: Final = ("", ".gz", ".zst")
CSV: Final = TableFormat("CSV", tuple(f".csv{packed}" for packed in _PACKED), "delimited:delimited_rows")
TSV: Final = TableFormat(
    "TSV", tuple(f"{ending}{packed}" for ending in (".tsv", ".tab") for packed in _PACKED), "delimited:delimited_rows"
)
XLSX: Final = TableFormat("XLSX", (".xlsx", ".xlsm"), "spreadsheets:spreadsheet_rows")
PARQUET: Final = TableFormat("Parquet", (".parquet", ".pq"), "parquet:parquet_rows")
RECORDS: Final = TableFormat("JSON Lines", JSONL.extensions, "record_rows:record_file_rows")
FORMATS: Final = (CSV, TSV, XLSX, PARQUET, RECORDS)


def table_format(name: str) -> TableFormat | None:
    """Return the format of a file of rows by its name; None for any other file."""
    return next((form for form in FORMATS if name.lower().endswith(form.endings)), None)


def open_table(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a file, its header read.

    Raises:
        MissingData: there is no such file.
        UnsupportedFormat: it is not a table.
        UnreadableInput: it cannot be read; see the subclasses.
    """
    if is_address(str(path)) or not path.exists():
        raise MissingData(*why_missing(str(path)))
    form = table_format(name)
    if form is None:
        names = ", ".join(f"{form.name} ({form.endings[0]})" for form in FORMATS)
        hint = f"tables are {names}; save other spreadsheets as one; a document: kw.extract(kw.read(path)).to_frame()"
        raise UnsupportedFormat(f"{name} is not a table", hint)
    if not path.is_file():
        raise UnreadableInput(f"{name} is not a regular file", "name a file")
    if not path.stat().st_size:
        raise EmptyInput(f"{name} is an empty file", "the first row of a table names its columns")
    try:
        return form.load()(path, name, limits)
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be opened: {error.strerror or error}", "check its permissions") from error
