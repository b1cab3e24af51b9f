"""Rows of a table, one by one: values of cells, columns that are read, and the document in a row."""

import difflib
import math
import numbers
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from keywright.core.citations import CITED
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, EmptyInput, KeywrightError, UnknownName, list_names
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_sections
from keywright.reading.file_names import check_text, shorten
from keywright.reading.formats.html_blocks import holds_sentence
from keywright.reading.formats.jsonl import document_of_record


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its name for messages and documents without id, cells by column, and why it cannot be read."""

    place: str
    cells: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that is being read: its rows can be taken once; ``notes``: decisions of the reader for people."""

    name: str
    columns: tuple[str, ...]
    rows: Iterator[Row]
    notes: tuple[str, ...] = ()


_MIDNIGHT: Final = "T00:00:00"  # time of a date without time, as spreadsheets and pandas have them


def is_missing(value: Any) -> bool:
    """Return whether a cell has no value: None, NaN, the missing values of pandas, or blanks."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, numbers.Real):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def id_text(value: Any) -> str:
    """Return a cell as an id: whole numbers without a decimal point, which columns with missing values add."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value if isinstance(value, bool) else plain_value(value)).strip()


def plain_value(value: Any) -> Any:
    """Return a cell as a JSON value; dates and anything else unknown become texts."""
    if is_missing(value):
        return None
    if isinstance(value, bool | str):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain_value(item) for item in value]
    isoformat = getattr(value, "isoformat", None)
    return isoformat().removesuffix(_MIDNIGHT) if callable(isoformat) else str(value)


FIRST_ROWS: Final = 10  # rows among which the header is looked for; arbitrary
_LONGEST_NAME: Final = 60  # characters of the name of a column below a table's title; arbitrary


def find_columns(rows: Sequence[Sequence[Any]], name: str) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Return how many of the first rows with text are not data, the names of columns in the last of them, and a note.

    It is the first; below a title, which has one cell, the first of several names; none where all are one sentence.
    """
    cells = [["" if is_missing(cell) else str(cell).strip() for cell in row] for row in rows]
    first = "".join(cells[0])
    wide = next((number for number, texts in enumerate(cells) if sum(map(bool, texts)) > 1), 0)
    if max(map(len, cells)) == 1 and first.endswith(".") and holds_sentence(first):
        return 0, ("column 1",), (f"{name}: the first row is read as a text, not as the name of a column",)
    is_titled = not is_usual_name(first) and all(
        isinstance(cell, str)
        and len(cell) <= _LONGEST_NAME
        and any(map(str.isalpha, cell))
        and not holds_sentence(cell)
        for cell in filter(None, rows[wide])
    )
    header = wide if is_titled else 0
    names = tuple(cell or f"column {number}" for number, cell in enumerate(cells[header], start=1))
    return header + 1, names, (f"{name}: the columns are named below {first!r:.80}",) if header else ()


_NOT_IN_NAMES: Final = re.compile(r"\[[^\]]*\]|[\W_]+")  # DSpace's ``[de]``, and what is not a letter or digit


def _fold(name: object) -> str:
    """Return the name of a column without case, signs, accents and qualifiers."""
    letters = unicodedata.normalize("NFKD", _NOT_IN_NAMES.sub("", str(name)).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_FOLDED: Final = {
    key: frozenset(map(_fold, names.split())) for key, names in read_sections("reading/column_names.txt").items()
}
_FOLDED["text"] |= _FOLDED["abstract"]


def is_usual_name(name: str) -> bool:
    """Return whether a text is a usual name of a column."""
    return any(_fold(name) in names for names in _FOLDED.values())


def _choose_column(key: str, columns: Iterable[str]) -> str | None:
    """Return the first column with a usual name for some part of a row; None without one."""
    return next((name for name in columns if _fold(name) in _FOLDED[key]), None)


_SIMILAR: Final = 0.5  # least similarity of a name that is suggested, as ``difflib`` measures it; arbitrary
_LISTED: Final = 12  # columns that a message names; arbitrary


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Columns that are read."""

    text: str | None = None  # None guesses it where the table leaves no choice
    title: str | None = None  # read before the texts; None for none
    id: str | None = None  # None takes a column ``id``, else the places of the rows
    keep: tuple[str, ...] | None = ()  # columns that results have as well; None keeps all
    cited: tuple[tuple[str, str], ...] = ()  # parts of ``CITED`` and their columns; others have usual names

    @property
    def read(self) -> tuple[str, ...]:
        """All columns that are read, kept or cited, each once."""
        cited = (column for _, column in self.cited)
        names = (self.text, self.title, self.id, *(self.keep or ()), *cited)
        return tuple(dict.fromkeys(name for name in names if name))


def resolve_columns(wanted: TableColumns, table: Rows) -> tuple[TableColumns, tuple[str, ...]]:
    """Return the columns of a table that are meant, every choice made, and notes about choices that were guessed.

    Raises UnknownName: a column is not there; BadParameter: it is there twice, or the text can be in several.
    """
    for column in wanted.read:
        check_column(column, table)
    text = wanted.text or _guess_text_column(table)
    ids = [column for column in table.columns if _fold(column) in _FOLDED["id"] and column != text]
    by_id = wanted.id or next((column for column in ids if table.columns.count(column) == 1), None)
    title = wanted.title or dict(wanted.cited).get("title") or _choose_column("title", table.columns)
    keep = tuple(dict.fromkeys(table.columns)) if wanted.keep is None else tuple(dict.fromkeys(wanted.keep))
    notes: list[str] = []
    if not wanted.text:
        notes.append(f"{table.name}: texts are read from the column {text!r}")
        if not wanted.title and title and text != title:
            notes.append(f"{table.name}: the column {title!r} is read where there is no text, else only if it is named")
    named = dict(wanted.cited) | ({"title": title} if title else {})
    cited = ((key, named.get(key) or _choose_column(key, table.columns)) for key in CITED)
    chosen = tuple((key, column) for key, column in cited if column)
    return replace(wanted, text=text, id=by_id, keep=keep, cited=chosen), tuple(notes)


def columns_there(names: Sequence[str]) -> str:
    """Return the columns of a table for a message."""
    return f"its columns are {list_names(list(names), _LISTED)}" if names else "it has no columns"


def check_column(name: str, table: Rows) -> None:
    """Check that a table has a column, once."""
    if table.columns.count(name) > 1:
        hint = "rename one of them in the file"
        raise BadParameter(f"{table.name} has {table.columns.count(name)} columns {name!r}", hint)
    if name not in table.columns:
        by_form = {column.casefold(): column for column in table.columns}
        near = difflib.get_close_matches(str(name).casefold(), by_form, n=1, cutoff=_SIMILAR)
        suggestion = f"did you mean {by_form[near[0]]!r}? " if near else ""
        raise UnknownName(f"{table.name} has no column {name!r}", f"{suggestion}{columns_there(table.columns)}")


def _guess_text_column(table: Rows) -> str:
    names = [name for name in table.columns if _fold(name) in _FOLDED["text"]]
    candidates = names or list(table.columns)
    if len(candidates) == 1:
        check_column(candidates[0], table)
        return candidates[0]
    several = f"{list_names(names)} can all hold the text" if names else "no column has a usual name for the text"
    ways = "text=... in Python, --text-column in the terminal, Options on the page"
    raise BadParameter(f"{table.name}: {several}", f"name it: {ways}; {columns_there(table.columns)}")


_DAMAGED: Final = range(0xDC80, 0xDD00)
"""Stand-ins of Python's ``surrogateescape`` for bytes that are not in the encoding of a file."""


def read_table_documents(
    table: Rows, wanted: TableColumns, tell: Callable[[str], None]
) -> tuple[TableColumns, Iterator[Document | Failure]]:
    """Return the columns that are meant, and the documents of all rows; ``tell`` is called with notes."""
    columns, notes = resolve_columns(wanted, table)
    for note in (*table.notes, *notes):
        tell(note)
    return columns, _read_documents(table, columns, tell)


def _read_documents(table: Rows, columns: TableColumns, tell: Callable[[str], None]) -> Iterator[Document | Failure]:
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
        for column in (columns.text, columns.title, columns.id, *(columns.keep or ())):
            _check_encoding(row, str(column))
        titles = dict(columns.cited).get("title")
        title: Any = row.cells.get(columns.title or titles or "")
        text: Any = row.cells.get(str(columns.text))
        if is_missing(text) and isinstance(title, str) and not is_missing(title):
            text, kind, title = title, "text", None  # a title alone is a short text
        else:
            text, title = _text(row, str(columns.text), text), title if columns.title else None
            kind = "abstract" if _fold(columns.text) in _FOLDED["abstract"] else "text"
        titled = {} if is_missing(title) else {"title": id_text(title)}
        listed = {"author_keywords": meta["author_keywords"]} if "author_keywords" in meta else {}
        document = document_of_record({**titled, **listed, "id": label, kind: text}, clean=True)
        return replace(document, meta={**meta, **document.meta})
    except KeywrightError as error:
        return Failure.from_error(label, error, meta)


def _text(row: Row, column: str, value: Any) -> str:
    if is_missing(value):
        raise EmptyInput(f"{row.place}: the cell in column {column!r} is empty", "fill it, or leave the row out")
    if not isinstance(value, str):
        shown = f"{shorten(repr(value))} of type {type(value).__name__}"
        raise BadRecord(f"{row.place}: the cell in column {column!r} holds {shown}, not a text", "name another column")
    check_text(value, is_cell=True)
    return value


def _meta(cells: Mapping[str, Any], columns: TableColumns) -> dict[str, Any]:
    """Return the kept cells under their names, and those of bibliographic columns under the usual keys."""
    usual = {key: cells.get(column) for key, column in columns.cited}
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
