"""The document in a row of a table, or the failure that a bad row costs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import BadRecord, EmptyInput, KeywrightError
from keywright.core.predictions import Failure
from keywright.reading.file_names import check_text, shortened
from keywright.reading.jsonl import document_of_record
from keywright.reading.tables.cells import id_text, is_missing, plain_value
from keywright.reading.tables.columns import TableColumns, resolved
from keywright.reading.tables.rows import Row, Rows

_CITATION: Final[Mapping[str, str]] = {
    "author": "authors",
    "authors": "authors",
    "doi": "doi",
    "journal": "journal",
    "year": "year",
}
"""Columns of bibliographic data, in lower case, and their keys in ``Document.meta``, which bibliographic output has."""
_ABSTRACTS: Final = frozenset({"abstract", "abstracts", "summary"})
_DAMAGED: Final = range(0xDC80, 0xDD00)
"""Stand-ins of Python's ``surrogateescape`` for bytes that are not in the encoding of a file."""


def documents_of(
    table: Rows, wanted: TableColumns, tell: Callable[[str], None]
) -> tuple[TableColumns, Iterator[Document | Failure]]:
    """Return the columns that are meant, and the documents of all rows, which are read one by one.

    ``tell``: called with notes for people.

    Raises:
        UnknownName, BadParameter: as for ``resolved``.
    """
    columns, notes = resolved(wanted, table)
    for note in (*table.notes, *notes):
        tell(note)
    return columns, _documents(table, columns, tell)


def _documents(table: Rows, columns: TableColumns, tell: Callable[[str], None]) -> Iterator[Document | Failure]:
    number = 0
    for row in table.rows:
        number += 1
        yield document_of_row(row, columns)
    if not number:
        tell(f"{table.name} has no rows")


def document_of_row(row: Row, columns: TableColumns) -> Document | Failure:
    """Return the document of a row; a failure where the row is damaged, or its text is missing or not a text."""
    name = row.cells.get(columns.id) if columns.id else None
    label = row.place if is_missing(name) or _is_damaged(name) else id_text(name)
    meta = _meta(row.cells, columns)
    try:
        if row.problem:
            raise BadRecord(f"{row.place}: {row.problem}", "correct the row in the file")
        for column in columns.read:
            _check_encoding(row, column)
        text = _text(row, str(columns.text))
        kind = "abstract" if str(columns.text).strip().casefold() in _ABSTRACTS else "text"
        title = row.cells.get(columns.title) if columns.title else None
        titled = {} if is_missing(title) else {"title": id_text(title)}
        listed = {"author_keywords": meta["author_keywords"]} if "author_keywords" in meta else {}
        document = document_of_record({**titled, **listed, "id": label, kind: text})
        return replace(document, meta={**meta, **document.meta})
    except KeywrightError as error:
        return Failure.from_error(label, error, meta)


def _text(row: Row, column: str) -> str:
    value = row.cells.get(column)
    if is_missing(value):
        raise EmptyInput(f"{row.place}: the cell in column {column!r} is empty", "fill it, or leave the row out")
    if not isinstance(value, str):
        shown = f"{shortened(repr(value))} of type {type(value).__name__}"
        raise BadRecord(f"{row.place}: the cell in column {column!r} holds {shown}, not a text", "name another column")
    check_text(value)
    return value


def _meta(cells: Mapping[str, Any], columns: TableColumns) -> dict[str, Any]:
    """Return the kept cells under their names, and those of bibliographic columns under the usual keys."""
    usual = {_CITATION[form]: cells[name] for name in cells if (form := str(name).strip().casefold()) in _CITATION}
    titled = {"title": cells.get(columns.title)} if columns.title else {}
    named = {name: cells.get(name) for name in columns.keep or ()}
    return {
        name: value
        for name, cell in {**usual, **titled, **named}.items()
        if (value := plain_value(cell)) is not None and not _is_damaged(cell)
    }


def _check_encoding(row: Row, column: str) -> None:
    value = str(row.cells.get(column, ""))
    if _is_damaged(value):
        byte = next(ord(character) for character in value if ord(character) in _DAMAGED) - 0xDC00
        message = f"{row.place}: the cell in column {column!r} has the byte 0x{byte:02X}, which is not in the encoding"
        raise BadRecord(f"{message} of the file", "save the file as UTF-8, or correct the row")


def _is_damaged(value: Any) -> bool:
    return isinstance(value, str) and not value.isascii() and any(ord(character) in _DAMAGED for character in value)
