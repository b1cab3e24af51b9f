"""Keyphrases that people reviewed in a table: those of each document that they left or accepted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from keywright.core.errors import BadRecord, EmptyInput
from keywright.reading.tables.cells import id_text, is_missing
from keywright.reading.tables.columns import check_column
from keywright.reading.tables.rows import Row, Rows

_ID: Final = "id"
_PHRASE, _PHRASES, _ACCEPTED = "keyphrase", "keyphrases", "accepted"
"""Columns of the tables that ``extract`` writes, and of one that people may add."""
_SEPARATOR: Final = ";"
"""Between the keyphrases of a cell, as ``extract --wide`` writes them."""
_YES: Final = frozenset("yes y true 1 x + accept accepted".split())
_NO: Final = frozenset("no n false 0 - reject rejected".split())
"""Words of the column ``accepted``, in lower case; an empty cell means no."""


@dataclass(frozen=True, slots=True)
class Review:
    """Reviewed keyphrases.

    Attributes:
        phrases: of each document by its id, in the order of the table; none where all were rejected.
        rejected: number of keyphrases that the column ``accepted`` rejects.
    """

    phrases: Mapping[str, tuple[str, ...]]
    rejected: int


def read_review(table: Rows) -> Review:
    """Return the reviewed keyphrases of a table.

    The table has a column ``id``, and ``keyphrase`` with one in a row, or ``keyphrases`` with all of a document
    between semicolons; other columns are not read, but ``accepted``, whose ``no`` and empty cells reject the row.

    Raises:
        UnknownName: a column is missing.
        BadRecord: a row has no id, or its ``accepted`` is neither yes nor no; the message names the row.
        EmptyInput: no row has a keyphrase.
    """
    column = _PHRASES if _PHRASES in table.columns and _PHRASE not in table.columns else _PHRASE
    for name in (_ID, column):
        check_column(name, table)
    phrases: dict[str, dict[str, None]] = {}
    rejected = 0
    for row in table.rows:
        if row.problem:
            raise BadRecord(f"{row.place}: {row.problem}", "correct the row in the file")
        texts = list(_texts(row.cells.get(column)))
        if not texts:  # a document without keyphrases, or one that could not be read
            continue
        document = phrases.setdefault(_id(row), {})
        if _is_accepted(row, table):
            document |= dict.fromkeys(texts)
        else:
            rejected += len(texts)
    if not phrases:
        raise EmptyInput(f"{table.name} has no keyphrase", f"expected texts in the column {column!r}")
    return Review({name: tuple(texts) for name, texts in phrases.items()}, rejected)


def _texts(cell: Any) -> Iterator[str]:
    """Yield the keyphrases in a cell: a text, several between semicolons, or a list."""
    if isinstance(cell, list | tuple):
        parts = [str(part) for part in cell]
    else:
        parts = [] if is_missing(cell) else str(cell).split(_SEPARATOR)
    return (text for part in parts if (text := " ".join(part.split())))


def _id(row: Row) -> str:
    name = row.cells.get(_ID)
    if is_missing(name):
        raise BadRecord(f"{row.place} has a keyphrase and no id", "write the id of its document into the row")
    return id_text(name)


def _is_accepted(row: Row, table: Rows) -> bool:
    if _ACCEPTED not in table.columns:
        return True
    cell = row.cells.get(_ACCEPTED)
    word = "" if is_missing(cell) else id_text(cell).casefold()
    if word in _YES:
        return True
    if word and word not in _NO:
        message = f"{row.place}: the cell in column {_ACCEPTED!r} is {word!r:.60}"
        raise BadRecord(message, f"expected {', '.join(sorted(_YES))}, or {', '.join(sorted(_NO))}")
    return False
